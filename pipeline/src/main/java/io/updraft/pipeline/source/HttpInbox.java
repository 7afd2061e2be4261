package io.updraft.pipeline.source;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * What was posted and not yet taken by the pipeline; bounded. Network threads put, the source's thread takes. Whoever has posted
 * is answered when it is taken, or if the pipeline says what it has written, when it is written; so that nothing that was answered
 * with success is here when the process ends.
 */
final class HttpInbox {

    /** Answers whoever has posted something; called once at most. */
    @FunctionalInterface
    interface Answer {

        /** Whether it was taken, or never will be. */
        void taken(boolean yes);
    }

    private record Entry(byte[] lines, Answer answer) {}

    private final long most;
    private final boolean untilWritten;
    private final Queue<Entry> entries = new ArrayDeque<>();

    /** Of chunks that were taken and not written yet, by where they begin. */
    private final Map<Long, List<Answer>> unwritten = new HashMap<>();

    private long bytes;

    /** Of requests that are being received. */
    private long reserved;

    private boolean stuck;
    private boolean closed;

    /**
     * An inbox.
     *
     * @param most bytes that it holds, those of requests that are being received among them, or one thing that is larger
     * @param untilWritten whether to answer only what was written
     */
    HttpInbox(long most, boolean untilWritten) {
        this.most = most;
        this.untilWritten = untilWritten;
    }

    /** What became of something that was posted. */
    enum Put {
        ACCEPTED,
        FULL,
        /** What was posted before has not been written in time, and nothing since. */
        STUCK,
        CLOSED
    }

    /**
     * Sets memory apart for a request that is being received, if there is room for it beside all else, or nothing else.
     *
     * @param own bytes that were set apart for this request before
     */
    synchronized boolean reserve(int more, int own) {
        long all = bytes + reserved;
        if (all > own && all + more > most) {
            return false;
        }
        reserved += more;
        return true;
    }

    /** Gives back what was set apart. */
    synchronized void release(int less) {
        reserved -= less;
    }

    synchronized Put put(byte[] lines, Answer answer) {
        if (closed) {
            return Put.CLOSED;
        }
        if (stuck) {
            return Put.STUCK;
        }
        long others = bytes + reserved;
        if (others > 0 && others + lines.length > most) {
            return Put.FULL;
        }
        entries.add(new Entry(lines, answer));
        bytes += lines.length;
        return Put.ACCEPTED;
    }

    /** Takes what there is up to a size as a chunk that begins at a position, and answers it unless that is to come later. */
    byte[] take(int size, long position) {
        List<Entry> taken = new ArrayList<>();
        int length = 0;
        synchronized (this) {
            while (!entries.isEmpty() && (length == 0 || length + entries.peek().lines.length <= size)) {
                Entry entry = entries.remove();
                taken.add(entry);
                length += entry.lines.length;
            }
            bytes -= length;
            if (untilWritten && length > 0) {
                unwritten.put(position, taken.stream().map(Entry::answer).toList());
            }
        }
        byte[] all = new byte[length];
        int at = 0;
        for (Entry entry : taken) {
            System.arraycopy(entry.lines, 0, all, at, entry.lines.length);
            at += entry.lines.length;
            if (!untilWritten) {
                entry.answer.taken(true);
            }
        }
        return all;
    }

    /** The chunk that begins at a position was written: answers those that are in it. */
    void written(long position) {
        List<Answer> answers;
        synchronized (this) {
            stuck = false;
            answers = unwritten.remove(position);
        }
        if (answers != null) {
            answers.forEach(answer -> answer.taken(true));
        }
    }

    /**
     * Somebody waits no longer, as it was not written in time. What the pipeline has not taken yet, it does not get; what it has
     * taken may still be written. Until something is, nothing more is accepted, unless the pipeline has nothing to write.
     */
    synchronized void giveUp(Answer answer) {
        for (Entry entry : entries) {
            if (entry.answer == answer) {
                entries.remove(entry);
                bytes -= entry.lines.length;
                break;
            }
        }
        stuck = !unwritten.isEmpty();
    }

    synchronized long bytes() {
        return bytes;
    }

    /** Takes no more, and says so to those that wait. */
    void close() {
        List<Answer> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            entries.forEach(entry -> left.add(entry.answer));
            unwritten.values().forEach(left::addAll);
            entries.clear();
            unwritten.clear();
            bytes = 0;
        }
        left.forEach(answer -> answer.taken(false));
    }
}
