package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.UnitPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides where the reading of a file begins: at the start, or where an earlier run stopped. The state file identifies the unit
 * of a file even after a rename. Positions that sinks store with their results take precedence, for a file that holds their
 * fingerprint.
 */
final class StartPositions {

    private static final Logger LOG = LoggerFactory.getLogger(StartPositions.class);

    /** How many removed and committed files are remembered: a file that they were packed into may be moved here later. */
    private static final int MAX_REMOVED = 64;

    private final PositionFile positions;
    private final StoredPositions kept;
    private final Set<String> begun = new HashSet<>();
    private final Set<String> removed = new LinkedHashSet<>();

    /** Creates the beginnings of a run. Without positions it ignores earlier runs; {@code kept} is null if no sink stores any. */
    StartPositions(PositionFile positions, Map<String, UnitPosition> kept) throws SourceException {
        this.positions = positions;
        this.kept = kept == null ? null : new StoredPositions(kept);
    }

    /** Returns the entry that an earlier run wrote for a file, under whatever name; null if there is none. */
    PositionFile.Entry known(Path path) throws IOException {
        return positions == null ? null : positions.find(FileIdentity.of(path), path);
    }

    /** Begins a scan for new files. */
    synchronized void beginScan() {
        if (kept != null) {
            kept.beginScan();
        }
    }

    /** Returns the entries of files that begin as a content, are gone or were not found yet, and are not read. */
    List<PositionFile.Entry> others(byte[] content) {
        return positions == null ? List.of() : positions.unused(content);
    }

    /** Returns the begin of a file with an entry. It may be a packed version or a copy of the file in the entry. */
    synchronized PositionFile.Entry after(PositionFile.Entry entry, Path path) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        // Sinks store the positions of the run before. Commits of this run are only in the state file.
        UnitPosition stored = kept == null || begun.contains(entry.unit()) ? null : kept.get(entry.unit());
        if (stored != null && !kept.fits(entry.unit(), path)) {
            return fresh(path, begun);
        }
        begin(entry.unit());
        UnitPosition commit = stored == null ? entry.commit() : stored;
        removed.remove(entry.unit());
        positions.put(new PositionFile.Entry(entry.commit(), identity, entry.mark()));
        return new PositionFile.Entry(commit, identity, entry.mark());
    }

    /**
     * Returns the begin of a file that the state file does not name. If a sink stores a position of this file, reading continues
     * there; else at the start, with a unit that is not one of those in {@code taken}.
     */
    synchronized PositionFile.Entry fresh(Path path, Set<String> taken) throws IOException {
        String unit = kept == null ? null : storedUnit(path);
        UnitPosition commit = unit == null ? null : kept.get(unit);
        if (commit == null) {
            unit = freshUnit(path, taken);
            commit = new UnitPosition(unit, 0, Long.MIN_VALUE);
        }
        begin(unit);
        ContentFingerprint mark = kept == null ? null : kept.fingerprint(unit);
        PositionFile.Entry begin = new PositionFile.Entry(commit, FileIdentity.of(path), mark);
        if (positions != null && kept != null) {
            // A sink may store a position of the unit only after the state file knows the identity of the file.
            positions.put(begin);
        }
        return begin;
    }

    /** Returns the unit that a file continues, by the positions of sinks; null if there is none. */
    private String storedUnit(Path path) throws IOException {
        String name = path.toString();
        String unit = kept.find(path, begun);
        if (unit != null) {
            LOG.info(
                    "{} holds what was read of {}: reading goes on after byte {}",
                    path,
                    unit,
                    kept.get(unit).position());
            return unit;
        }
        boolean unproven = kept.get(name) != null && kept.fingerprint(name) == null && !begun.contains(name);
        if (!unproven || isTaken(name) || !kept.fits(name, path)) {
            return null;
        }
        if (kept.get(name).position() > 0) {
            LOG.warn(
                    "a sink stores a position of {} without a fingerprint, as older versions did: reading goes on after byte"
                            + " {}, although this may be another file of that name",
                    path,
                    kept.get(name).position());
        }
        return name;
    }

    private void begin(String unit) {
        begun.add(unit);
        if (positions != null) {
            positions.use(unit);
        }
    }

    private boolean isTaken(String unit) {
        return positions != null && positions.get(unit) != null;
    }

    /**
     * Returns the begin of a file that had ended, and goes on at its end.
     *
     * @param taken whether another file has its unit by now
     */
    synchronized PositionFile.Entry reopened(
            PositionFile.Entry end, Path path, FileIdentity identity, boolean taken, Set<String> units) {
        UnitPosition commit = end.commit();
        String unit = taken ? freshUnit(path, units) : commit.unit();
        begin(unit);
        removed.remove(unit);
        moved(unit, identity);
        UnitPosition begin = new UnitPosition(unit, commit.position(), commit.closedUntil(), commit.processed());
        return new PositionFile.Entry(begin, identity, end.mark());
    }

    /** Assigns another file to a unit: the file that it was packed or copied into. */
    void moved(String unit, FileIdentity identity) {
        PositionFile.Entry entry = positions == null ? null : positions.get(unit);
        if (entry != null) {
            positions.put(new PositionFile.Entry(entry.commit(), identity, entry.mark()));
        }
    }

    /**
     * Handles the removal of a committed file. Its entry is kept for a while, since the file may come back, or a packed version
     * of it may appear. If sinks store positions, it stays for good: a sink does not forget a position, so the name of the unit
     * stays taken.
     */
    synchronized void forget(String unit) {
        if (positions == null || positions.get(unit) == null) {
            return;
        }
        positions.release(unit);
        if (kept != null) {
            return;
        }
        removed.add(unit);
        if (removed.size() > MAX_REMOVED) {
            String oldest = removed.iterator().next();
            removed.remove(oldest);
            positions.remove(oldest);
        }
    }

    // A file that replaces another one needs a unit of its own, with positions from 0. If this run has read the other
    // file, it was rotated, and no warning is needed.
    private String freshUnit(Path path, Set<String> taken) {
        String unit = path.toString();
        boolean rotated = begun.contains(unit);
        for (int i = 2; taken.contains(unit) || isTaken(unit) || kept != null && kept.get(unit) != null; i++) {
            unit = path + "#" + i;
            rotated |= begun.contains(unit);
        }
        if (!rotated && !unit.equals(path.toString())) {
            LOG.warn("{} is not the file that an earlier run read, or was changed: reading it from its start", path);
        }
        return unit;
    }
}
