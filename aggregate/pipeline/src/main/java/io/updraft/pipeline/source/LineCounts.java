package io.updraft.pipeline.source;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The numbers of the lines of one file. Counts line ends when it is asked, from the nearest position before that it knows. A call reads
 * some megabytes; the next call continues there, unless the file is packed. Thread-safe.
 */
final class LineCounts {
    private static final int BUFFER = 256 * 1024;

    /** Most bytes that a call reads. A look at all samples makes some sixty calls. */
    static final long MOST_BYTES = 8L << 20;

    /** Most unpacked bytes that a call reads. Each call begins at the start of the file. */
    static final long MOST_UNPACKED_BYTES = 64L << 20;

    private static final int MOST_KNOWN = 256;

    /** Positions of the unpacked file with the line ends before them. */
    private final TreeMap<Long, Long> lineOfByte = new TreeMap<>(Map.of(0L, 0L));

    /** Returns the number of the line of a byte, from 1; empty if it is too far to count to. */
    synchronized OptionalLong lineAt(long position, FileChannel channel) throws IOException {
        Long found = lineOfByte.get(position);
        if (found == null) {
            count(position, channel);
            found = lineOfByte.get(position);
        }
        return found == null ? OptionalLong.empty() : OptionalLong.of(found + 1);
    }

    private void count(long position, FileChannel channel) throws IOException {
        StreamCompression compression = StreamCompression.of(channel);
        if (compression == StreamCompression.NONE) {
            Map.Entry<Long, Long> before = lineOfByte.floorEntry(position);
            long to = Math.min(position, before.getKey() + MOST_BYTES);
            InputStream in = Channels.newInputStream(channel.position(before.getKey()));
            learn(to, before.getValue() + count(in, to - before.getKey()));
        } else if (position <= MOST_UNPACKED_BYTES) {
            learn(position, count(compression.unpack(channel, () -> {}), position));
        }
    }

    private void learn(long position, long lineEndsBefore) {
        lineOfByte.put(position, lineEndsBefore);
        if (lineOfByte.size() > MOST_KNOWN) {
            Long lowest = lineOfByte.higherKey(0L);
            lineOfByte.remove(lowest == position ? lineOfByte.higherKey(lowest) : lowest);
        }
    }

    private static long count(InputStream in, long bytes) throws IOException {
        byte[] buffer = new byte[BUFFER];
        long ends = 0;
        for (long left = bytes; left > 0; ) {
            int count = in.read(buffer, 0, (int) Math.min(buffer.length, left));
            if (count < 0) {
                throw new EOFException("the file ends " + left + " bytes before the position");
            }
            ends += lineEnds(buffer, count);
            left -= count;
        }
        return ends;
    }

    static int lineEnds(byte[] bytes, int length) {
        int ends = 0;
        for (int i = 0; i < length; i++) {
            ends += bytes[i] == '\n' ? 1 : 0;
        }
        return ends;
    }
}
