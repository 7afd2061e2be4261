package io.updraft.cluster.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Numbers in a file, each marked or not. The file is mapped, so written data survives a process that is killed between any
 * two instructions. One thread of one process writes; any thread may read.
 *
 * <pre>
 *   +--------+------------+---------------+
 *   | issued | no more    | a bit for each|    issued   numbers 0 to issued - 1 were issued by the source
 *   | 8      | 8          | number        |    no more  1 when no more numbers follow
 *   +--------+------------+---------------+
 * </pre>
 */
final class NumberLog {
    private static final int NO_MORE = Long.BYTES;
    private static final int HEADER = 2 * Long.BYTES;
    /** Mapped as a whole; the file system and memory hold only what was written. */
    private static final int BYTES = 512 * 1024 * 1024;

    private final MappedByteBuffer file;

    private NumberLog(MappedByteBuffer file) {
        this.file = file;
    }

    /** Opens a file, which is made if it is not there. */
    static NumberLog open(Path path) {
        try (FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new NumberLog(channel.map(MapMode.READ_WRITE, 0, BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Gives the next number away. It counts from now on, whatever becomes of the process. */
    long issue() {
        long number = issued();
        if (number >= 8L * (BYTES - HEADER)) {
            throw new IllegalStateException("no room for more than " + number + " numbers");
        }
        file.putLong(0, number + 1);
        return number;
    }

    long issued() {
        return file.getLong(0);
    }

    void endIssue() {
        file.putLong(NO_MORE, 1);
    }

    boolean isIssueOver() {
        return file.getLong(NO_MORE) == 1;
    }

    void mark(long number) {
        int at = HEADER + (int) (number >>> 3);
        file.put(at, (byte) (file.get(at) | 1 << (number & 7)));
    }

    boolean isMarked(long number) {
        return (file.get(HEADER + (int) (number >>> 3)) & 1 << (number & 7)) != 0;
    }

    /** {@return the first number from this one on that is not marked, or that was not issued} */
    long firstUnmarked(long from) {
        long number = from;
        while (number < issued() && isMarked(number)) {
            number++;
        }
        return number;
    }
}
