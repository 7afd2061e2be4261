package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;

/**
 * The positions that sinks stored with their results. A position applies to the file that holds its fingerprint, under whatever
 * name: the state file may be lost, and the file rotated since. Not thread-safe.
 */
final class StoredPositions {

    private final Map<String, PartitionPosition> positions;
    private final Map<String, ContentFingerprint> fingerprints = new HashMap<>();
    private final ContentFingerprint.Index<Candidate> byHead = new ContentFingerprint.Index<>(Candidate.FURTHEST_FIRST);
    private final Map<Path, List<String>> byFile = new HashMap<>();
    /** The partitions whose files this scan has found in place. */
    private final Set<String> inPlace = new HashSet<>();

    /** A partition, and the position up to which its fingerprint proves its content. */
    private record Candidate(long at, String partition) {
        private static final Comparator<Candidate> FURTHEST_FIRST = Comparator.comparingLong(Candidate::at)
                .thenComparing(Candidate::partition)
                .reversed();
    }

    /** Parses the fingerprints of positions. Throws a {@link SourceException} for a damaged one. */
    StoredPositions(Map<String, PartitionPosition> positions) throws SourceException {
        this.positions = positions;
        for (PartitionPosition each : positions.values()) {
            try {
                if (!each.fingerprint().isEmpty()) {
                    fingerprints.put(each.partition(), ContentFingerprint.parse(each.fingerprint()));
                    index(each.partition());
                    byFile.computeIfAbsent(file(each.partition()), name -> new ArrayList<>(1))
                            .add(each.partition());
                }
            } catch (IllegalArgumentException e) {
                throw new SourceException(
                        "the position that a sink stores for " + each.partition() + " has a damaged fingerprint: "
                                + each.fingerprint(),
                        e);
            }
        }
    }

    private void index(String partition) {
        ContentFingerprint mark = fingerprints.get(partition);
        byHead.add(mark.head(), mark.headHash(), candidate(partition));
    }

    private Candidate candidate(String partition) {
        return new Candidate(fingerprints.get(partition).at(), partition);
    }

    /** Returns the position of a partition; null if there is none. */
    PartitionPosition get(String partition) {
        return positions.get(partition);
    }

    ContentFingerprint fingerprint(String partition) {
        return fingerprints.get(partition);
    }

    /** Returns whether a file can be the one that a partition was read from. Without a fingerprint only its length can differ. */
    boolean fits(String partition, Path path) throws IOException {
        PartitionPosition position = positions.get(partition);
        ContentFingerprint mark = fingerprints.get(partition);
        try (UnpackedContent content = new UnpackedContent(path)) {
            return (mark == null || content.holds(mark))
                    // The length of packed content is only known after unpacking all of it.
                    && (content.isPacked() || content.length() >= position.position());
        }
    }

    /** Begins a scan for new files: a file that was in place may have been moved since. */
    void beginScan() {
        inPlace.forEach(this::index);
        inPlace.clear();
    }

    /** Returns the partition that a file proves to be, other than those in {@code taken}, which only grows; null if there is none. */
    String find(Path path, Set<String> taken) throws IOException {
        try (UnpackedContent content = new UnpackedContent(path)) {
            Candidate best = null;
            for (String partition : byFile.getOrDefault(path, List.of())) {
                boolean possible = !taken.contains(partition) && proves(content, path, partition);
                best = possible && isFurther(candidate(partition), best) ? candidate(partition) : best;
            }
            for (NavigableSet<Candidate> all : byHead.beginningOf(content.bytes(0, ContentFingerprint.MAX_BYTES))) {
                best = furthest(content, path, possible(content, all), best, taken);
            }
            return best == null ? null : best.partition();
        }
    }

    private static boolean isFurther(Candidate candidate, Candidate best) {
        return best == null || Candidate.FURTHEST_FIRST.compare(candidate, best) < 0;
    }

    // The length of packed content is only known after unpacking all of it.
    private static Set<Candidate> possible(UnpackedContent content, NavigableSet<Candidate> all) throws IOException {
        return content.isPacked() ? all : all.tailSet(new Candidate(content.length() + 1, ""), false);
    }

    // A partition that is another file's is removed, so that no other search comes across it.
    private Candidate furthest(
            UnpackedContent content, Path path, Set<Candidate> candidates, Candidate best, Set<String> taken)
            throws IOException {
        for (Iterator<Candidate> each = candidates.iterator(); each.hasNext(); ) {
            Candidate candidate = each.next();
            String partition = candidate.partition();
            if (!isFurther(candidate, best)) {
                return best;
            }
            if (taken.contains(partition)) {
                each.remove();
            } else if (isInPlace(partition, path)) {
                each.remove();
                inPlace.add(partition);
            } else if (proves(content, path, partition)) {
                return candidate;
            }
        }
        return best;
    }

    // Another file may begin with the same few bytes, such as a header.
    private boolean proves(UnpackedContent content, Path path, String partition) throws IOException {
        ContentFingerprint mark = fingerprints.get(partition);
        boolean sameName = file(partition).equals(path);
        return content.holds(mark)
                && (content.isPacked()
                        || content.length() >= positions.get(partition).position())
                && (sameName || mark.isFull() || content.length() == mark.at());
    }

    // A copy of a file may come before the file itself.
    private boolean isInPlace(String partition, Path path) throws IOException {
        Path original = file(partition);
        return !original.equals(path) && Files.isRegularFile(original) && fits(partition, original);
    }

    /** Returns the file that a partition was read from, as it was named then. */
    private static Path file(String partition) {
        return Path.of(partition.replaceFirst("#\\d+$", ""));
    }
}
