package io.updraft.examples.wordcount;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The lines of one reader that are emitted and not yet acked, by number. The numbers in flight span at most {@link #WINDOW}: a
 * reader that is this far ahead of its oldest line waits. So memory is bounded. When line {@code n} is emitted, every line up
 * to {@code n - WINDOW} has been counted; {@link SeenWords} relies on that.
 */
final class LinesInFlight {
    /** The largest distance between the oldest line in flight and the next line; a power of two. */
    static final int WINDOW = 4096;

    private final String[] lines = new String[WINDOW];
    private final Queue<Long> failed = new ArrayDeque<>();
    private long oldest;
    private long next;

    boolean isFull() {
        return next - oldest == WINDOW;
    }

    boolean isEmpty() {
        return next == oldest;
    }

    /** Keeps a line until it is acked. {@return its number} */
    long add(String line) {
        lines[slot(next)] = line;
        return next++;
    }

    void ack(long number) {
        if (isInFlight(number)) {
            lines[slot(number)] = null;
            while (oldest < next && lines[slot(oldest)] == null) {
                oldest++;
            }
        }
    }

    void fail(long number) {
        if (isInFlight(number)) {
            failed.add(number);
        }
    }

    /** {@return the number of a failed line to emit again, or -1} */
    long pollFailed() {
        Long number = failed.poll();
        return number == null ? -1 : number;
    }

    String line(long number) {
        return lines[slot(number)];
    }

    private boolean isInFlight(long number) {
        return number >= oldest && number < next && lines[slot(number)] != null;
    }

    private static int slot(long number) {
        return (int) (number & (WINDOW - 1));
    }
}
