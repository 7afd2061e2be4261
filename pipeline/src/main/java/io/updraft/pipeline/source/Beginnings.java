package io.updraft.pipeline.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
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
     */
    record Beginning(Commit commit, FileIdentity identity) {}

    private final Positions positions;
    private final Map<String, Commit> kept;

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

    /** Where a file begins, as a unit that is none of those that are taken. */
    Beginning of(Path path, Set<String> taken) throws IOException {
        FileIdentity identity = FileIdentity.of(path);
        Positions.Entry entry = positions == null ? null : positions.find(identity, path);
        String unit = entry == null ? freshUnit(path, taken) : entry.unit();
        Commit commit = kept == null ? null : kept.get(unit);
        if (commit != null && entry == null && isShorter(path, commit.position())) {
            LOG.warn("{} is shorter than the file of which results are kept: it is read from its start", path);
            commit = null;
        }
        if (commit == null) {
            commit = entry == null ? new Commit(unit, 0, Long.MIN_VALUE) : entry.commit();
        }
        if (entry == null && positions != null && kept != null) {
            // Before a sink can keep a position of the unit, it must be known which file that is.
            positions.put(new Positions.Entry(commit, identity));
        }
        return new Beginning(commit, identity);
    }

    /** Of a packed file nobody knows how long it is. */
    private static boolean isShorter(Path path, long position) throws IOException {
        byte[] magic = new byte[Compression.MAGIC];
        try (FileChannel channel = FileChannel.open(path)) {
            int length = Math.max(0, channel.read(ByteBuffer.wrap(magic), 0));
            return Compression.of(magic, length) == Compression.NONE && Files.size(path) < position;
        }
    }

    /** A file is not there any more, and all of it is committed. Sinks do not forget its position, so its name stays taken if they keep any. */
    void forget(String unit) {
        if (positions != null && kept == null) {
            positions.remove(unit);
        }
    }

    // A file that took the place of one that was read needs a unit of its own: positions begin anew.
    private String freshUnit(Path path, Set<String> taken) {
        String unit = path.toString();
        if (positions != null && positions.get(unit) != null && !taken.contains(unit)) {
            LOG.warn(
                    "{} is another file than the one that an earlier run read, or was changed: it is read from its start",
                    unit);
        }
        for (int i = 2; taken.contains(unit) || positions != null && positions.get(unit) != null; i++) {
            unit = path + "#" + i;
        }
        return unit;
    }
}
