package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.UnitPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The positions that sinks stored with their results. A position applies to the file that holds its fingerprint, under whatever
 * name: the state file may be lost, and the file rotated since. Immutable.
 */
final class StoredPositions {

    private final Map<String, UnitPosition> positions;
    private final Map<String, ContentFingerprint> fingerprints = new HashMap<>();

    /** Parses the fingerprints of positions. Throws a {@link SourceException} for a damaged one. */
    StoredPositions(Map<String, UnitPosition> positions) throws SourceException {
        this.positions = positions;
        for (UnitPosition each : positions.values()) {
            try {
                if (!each.fingerprint().isEmpty()) {
                    fingerprints.put(each.unit(), ContentFingerprint.parse(each.fingerprint()));
                }
            } catch (IllegalArgumentException e) {
                throw new SourceException(
                        "the position that a sink stores for " + each.unit() + " has a damaged fingerprint: "
                                + each.fingerprint(),
                        e);
            }
        }
    }

    /** Returns the position of a unit; null if there is none. */
    UnitPosition get(String unit) {
        return positions.get(unit);
    }

    ContentFingerprint fingerprint(String unit) {
        return fingerprints.get(unit);
    }

    /** Returns whether a file can be the one that a unit was read from. Without a fingerprint only its length can differ. */
    boolean fits(String unit, Path path) throws IOException {
        UnitPosition position = positions.get(unit);
        ContentFingerprint mark = fingerprints.get(unit);
        try (UnpackedContent content = new UnpackedContent(path)) {
            return (mark == null || content.holds(mark))
                    // The length of packed content is only known after unpacking all of it.
                    && (content.isPacked() || content.length() >= position.position());
        }
    }

    /** Returns the unit that a file proves to be, other than those in {@code taken}; null if there is none. */
    String find(Path path, Set<String> taken) throws IOException {
        String best = null;
        try (UnpackedContent content = new UnpackedContent(path)) {
            for (Map.Entry<String, ContentFingerprint> each : fingerprints.entrySet()) {
                String unit = each.getKey();
                boolean further = best == null || furthest().compare(unit, best) > 0;
                if (further && !taken.contains(unit) && proves(content, path, unit) && !isInPlace(unit, path)) {
                    best = unit;
                }
            }
        }
        return best;
    }

    private Comparator<String> furthest() {
        return Comparator.<String>comparingLong(unit -> fingerprints.get(unit).at())
                .thenComparing(unit -> unit);
    }

    // Another file may begin with the same few bytes, such as a header.
    private boolean proves(UnpackedContent content, Path path, String unit) throws IOException {
        ContentFingerprint mark = fingerprints.get(unit);
        boolean sameName = file(unit).equals(path);
        return content.holds(mark)
                && (content.isPacked()
                        || content.length() >= positions.get(unit).position())
                && (sameName || mark.isFull() || content.length() == mark.at());
    }

    // A copy of a file may come before the file itself.
    private boolean isInPlace(String unit, Path path) throws IOException {
        Path original = file(unit);
        return !original.equals(path) && Files.isRegularFile(original) && fits(unit, original);
    }

    /** Returns the file that a unit was read from, as it was named then. */
    private static Path file(String unit) {
        return Path.of(unit.replaceFirst("#\\d+$", ""));
    }
}
