package io.updraft.pipeline.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * What was posted and not yet taken by the pipeline; bounded. Network threads put, the source's thread takes. Whoever has posted
 * is answered when it is taken, so that nothing that was answered with success is here when the process ends.
 */
final class HttpInbox {

    /** Answers whoever has posted something. */
    @FunctionalInterface
    interface Answer {

        /** Whether it was taken, or never will be. */
        void taken(boolean yes);
    }

    private record Entry(byte[] lines, Answer answer) {}

    private final long most;
    private final Queue<Entry> entries = new ArrayDeque<>();
    private long bytes;
    private boolean closed;

    /** Holds so many bytes, or one thing that is larger. */
    HttpInbox(long most) {
        this.most = most;
    }

    /** What became of something that was posted. */
    enum Put {
        ACCEPTED,
        FULL,
        CLOSED
    }

    synchronized Put put(byte[] lines, Answer answer) {
        if (closed) {
            return Put.CLOSED;
        }
        if (bytes > 0 && bytes + lines.length > most) {
            return Put.FULL;
        }
        entries.add(new Entry(lines, answer));
        bytes += lines.length;
        return Put.ACCEPTED;
    }

    /** Takes what there is up to a size, and answers it. */
    byte[] take(int size) {
        List<Entry> taken = new ArrayList<>();
        int length = 0;
        synchronized (this) {
            while (!entries.isEmpty() && (length == 0 || length + entries.peek().lines.length <= size)) {
                Entry entry = entries.remove();
                taken.add(entry);
                length += entry.lines.length;
            }
            bytes -= length;
        }
        byte[] all = new byte[length];
        int at = 0;
        for (Entry entry : taken) {
            System.arraycopy(entry.lines, 0, all, at, entry.lines.length);
            at += entry.lines.length;
            entry.answer.taken(true);
        }
        return all;
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Takes no more, and says so to those that wait. */
    void close() {
        List<Entry> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(entries);
            entries.clear();
            bytes = 0;
        }
        left.forEach(entry -> entry.answer.taken(false));
    }
}
