package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From where files are read: from their starts, or from where earlier runs have come to. The state file knows which file a unit is,
 * whatever it is called now; sinks that keep positions know how far their results go, and count more.
 */
final class Beginnings {

    private static final Logger LOG = LoggerFactory.getLogger(Beginnings.class);

    /**
     * Where one file begins.
     *
     * @param commit up to where it is done, and the unit that it is
     * @param identity which file it is
     * @param mark what it held when it was read by an earlier run; null if it was not, or nobody knows
     */
    record Beginning(Commit commit, FileIdentity identity, ContentMark mark) {}

    /** How many files are remembered that are gone and committed: what they were packed into may come from elsewhere. */
    private static final int MOST_PAST = 64;

    private final Positions positions;
    private final Map<String, Commit> kept;
    private final Set<String> begun = new HashSet<>();
    private final Set<String> past = new LinkedHashSet<>();

    /**
     * Beginnings.
     *
     * @param positions what earlier runs have read; null if they do not matter
     * @param kept what sinks say of that; null if none keeps positions
     */
    Beginnings(Positions positions, Map<String, Commit> kept) {
        this.positions = positions;
        this.kept = kept;
    }

    /** What an earlier run has left of a file, whatever it is called now; null if it has left nothing. */
    Positions.Entry known(Path path) throws IOException {
        return positions == null ? null : positions.find(FileIdentity.of(path), path);
    }

    /** What earlier runs have read of plain files that are none of these units. */
    List<Positions.Entry> others(Set<String> units) {
        return positions == null
                ? List.of()
                : positions.all().stream()
                        .filter(entry -> !units.contains(entry.unit()))
                        .toList();
    }

    /** Where a file begins of which an earlier run has left something: perhaps what it was packed or copied into. */
    synchronized Beginning after(Positions.Entry entry, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        // What sinks have kept is of the run before; what was committed since then is in the state.
        boolean first = begun.add(entry.unit());
        Commit commit = kept == null || !first ? entry.commit() : kept.getOrDefault(entry.unit(), entry.commit());
        past.remove(entry.unit());
        positions.put(new Positions.Entry(entry.commit(), identity, entry.mark()));
        return new Beginning(commit, identity, entry.mark());
    }

    /** Where a file begins that nobody has read, as a unit that is none of those that are taken. */
    synchronized Beginning fresh(Path path, Set<String> taken) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        String unit = freshUnit(path, taken);
        begun.add(unit);
        Commit commit = kept == null ? null : kept.get(unit);
        if (commit != null && isShorter(path, commit.position())) {
            LOG.warn("{} is shorter than the file of which results are kept: it is read from its start", path);
            commit = null;
        }
        commit = commit == null ? new Commit(unit, 0, Long.MIN_VALUE) : commit;
        if (positions != null && kept != null) {
            // Before a sink can keep a position of the unit, it must be known which file that is.
            positions.put(new Positions.Entry(commit, identity, null));
        }
        return new Beginning(commit, identity, null);
    }

    /** A unit is another file from now on: what it was packed or copied into. */
    void moved(String unit, FileIdentity identity) {
        Positions.Entry entry = positions == null ? null : positions.get(unit);
        if (entry != null) {
            positions.put(new Positions.Entry(entry.commit(), identity, entry.mark()));
        }
    }

    /** Of a packed file nobody knows how long it is. */
    private static boolean isShorter(Path path, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return Compression.of(channel) == Compression.NONE && channel.size() < position;
        }
    }

    /**
     * A file is not there any more, and all of it is committed: it is remembered for a while. Sinks do not forget its position, so its name
     * stays taken if they keep any.
     */
    synchronized void forget(String unit) {
        if (positions == null || kept != null) {
            return;
        }
        Positions.Entry entry = positions.get(unit);
        if (entry == null || entry.mark() == null) {
            positions.remove(unit);
            return;
        }
        past.add(unit);
        if (past.size() > MOST_PAST) {
            String oldest = past.iterator().next();
            past.remove(oldest);
            positions.remove(oldest);
        }
    }

    // A file that took the place of one that was read needs a unit of its own: positions begin anew. If this run has
    // read a file of the name, that one was rotated, and nothing need be told.
    private String freshUnit(Path path, Set<String> taken) {
        String unit = path.toString();
        boolean rotated = begun.contains(unit);
        for (int i = 2; taken.contains(unit) || positions != null && positions.get(unit) != null; i++) {
            unit = path + "#" + i;
            rotated |= begun.contains(unit);
        }
        if (!rotated && !unit.equals(path.toString())) {
            LOG.warn(
                    "{} is another file than the one that an earlier run read, or was changed: it is read from its start",
                    path);
        }
        return unit;
    }
}
