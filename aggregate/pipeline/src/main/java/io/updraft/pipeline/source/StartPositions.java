package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.SourceException;
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
 * Decides where the reading of a file begins: at the start, or where an earlier run stopped. The state file identifies the partition
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
    StartPositions(PositionFile positions, Map<String, PartitionPosition> kept) throws SourceException {
        this.positions = positions;
        this.kept = kept == null ? null : new StoredPositions(kept);
    }

    /** Returns the entry that an earlier run wrote for a file, under whatever name; null if there is none. */
    PositionFile.Entry known(Path path) throws IOException {
        return positions == null ? null : positions.find(FileIdentity.of(path), path);
    }

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
        PartitionPosition stored =
                kept == null || begun.contains(entry.partition()) ? null : kept.get(entry.partition());
        if (stored != null && !kept.fits(entry.partition(), path)) {
            return fresh(path, begun);
        }
        begin(entry.partition());
        PartitionPosition commit = stored == null ? entry.commit() : stored;
        removed.remove(entry.partition());
        positions.put(new PositionFile.Entry(entry.commit(), identity, entry.mark()));
        return new PositionFile.Entry(commit, identity, entry.mark());
    }

    /**
     * Returns the begin of a file that the state file does not name. If a sink stores a position of this file, reading continues
     * there; else at the start, with a partition that is not one of those in {@code taken}.
     */
    synchronized PositionFile.Entry fresh(Path path, Set<String> taken) throws IOException {
        String partition = kept == null ? null : storedPartition(path);
        PartitionPosition commit = partition == null ? null : kept.get(partition);
        if (commit == null) {
            partition = freshPartition(path, taken);
            commit = new PartitionPosition(partition, 0, Long.MIN_VALUE);
        }
        begin(partition);
        ContentFingerprint mark = kept == null ? null : kept.fingerprint(partition);
        PositionFile.Entry begin = new PositionFile.Entry(commit, FileIdentity.of(path), mark);
        if (positions != null && kept != null) {
            // A sink may store a position of the partition only after the state file knows the identity of the file.
            positions.put(begin);
        }
        return begin;
    }

    /** Returns the partition that a file continues, by the positions of sinks; null if there is none. */
    private String storedPartition(Path path) throws IOException {
        String name = path.toString();
        String partition = kept.find(path, begun);
        if (partition != null) {
            LOG.info(
                    "{} holds what was read of {}: resuming after byte {}",
                    path,
                    partition,
                    kept.get(partition).position());
            return partition;
        }
        boolean unproven = kept.get(name) != null && kept.fingerprint(name) == null && !begun.contains(name);
        if (!unproven || isTaken(name) || !kept.fits(name, path)) {
            return null;
        }
        if (kept.get(name).position() > 0) {
            LOG.warn(
                    "a sink stores a position of {} without a fingerprint, as older versions did: resuming after byte"
                            + " {}, although this may be another file of that name",
                    path,
                    kept.get(name).position());
        }
        return name;
    }

    private void begin(String partition) {
        begun.add(partition);
        if (positions != null) {
            positions.use(partition);
        }
    }

    private boolean isTaken(String partition) {
        return positions != null && positions.get(partition) != null;
    }

    /**
     * Returns the begin of a file that had ended, and continues at its end.
     *
     * @param taken whether another file has its partition by now
     */
    synchronized PositionFile.Entry reopened(
            PositionFile.Entry end, Path path, FileIdentity identity, boolean taken, Set<String> partitions) {
        PartitionPosition commit = end.commit();
        String partition = taken ? freshPartition(path, partitions) : commit.partition();
        begin(partition);
        removed.remove(partition);
        moved(partition, identity);
        PartitionPosition begin =
                new PartitionPosition(partition, commit.position(), commit.closedUntil(), commit.processed());
        return new PositionFile.Entry(begin, identity, end.mark());
    }

    /** Assigns another file to a partition: the file that it was packed or copied into. */
    void moved(String partition, FileIdentity identity) {
        PositionFile.Entry entry = positions == null ? null : positions.get(partition);
        if (entry != null) {
            positions.put(new PositionFile.Entry(entry.commit(), identity, entry.mark()));
        }
    }

    /**
     * Handles the removal of a committed file. Its entry is kept for a while, since the file may come back, or a packed version
     * of it may appear. If sinks store positions, it stays for good: a sink does not forget a position, so the name of the partition
     * stays taken.
     */
    synchronized void forget(String partition) {
        if (positions == null || positions.get(partition) == null) {
            return;
        }
        positions.release(partition);
        if (kept != null) {
            return;
        }
        removed.add(partition);
        if (removed.size() > MAX_REMOVED) {
            String oldest = removed.iterator().next();
            removed.remove(oldest);
            positions.remove(oldest);
        }
    }

    // A file that replaces another one needs a partition of its own, with positions from 0. If this run has read the
    // other
    // file, it was rotated, and no warning is needed.
    private String freshPartition(Path path, Set<String> taken) {
        String partition = path.toString();
        boolean rotated = begun.contains(partition);
        for (int i = 2;
                taken.contains(partition) || isTaken(partition) || kept != null && kept.get(partition) != null;
                i++) {
            partition = path + "#" + i;
            rotated |= begun.contains(partition);
        }
        if (!rotated && !partition.equals(path.toString())) {
            LOG.warn("{} is not the file that an earlier run read, or was changed: reading it from its start", path);
        }
        return partition;
    }
}
