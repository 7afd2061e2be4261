package io.updraft.pipeline.source.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/**
 * The posted bodies that the pipeline has not taken yet; bounded. Network threads put, the thread of the source takes. A
 * request is answered when the pipeline takes it; if the pipeline reports its writes, when it is written. So when the process
 * ends, the inbox holds nothing that was answered with success.
 */
final class HttpInbox {

    /** Answers a request; called once at most. */
    interface Answer {

        /** Answers with success, or reports that the body will never be taken. */
        void taken(boolean yes);

        /** Reports that a measurement of the body can never be written; the others are. */
        void refused(String mistake);
    }

    /** A request in a chunk that was taken but not written yet. */
    private static final class TakenRequest {
        private final Answer answer;
        private final int end;
        private int refused;
        private String firstRefusal;

        private TakenRequest(Answer answer, int end) {
            this.answer = answer;
            this.end = end;
        }

        private void answer() {
            if (refused == 0) {
                answer.taken(true);
            } else {
                answer.refused(
                        refused == 1
                                ? "a measurement cannot be stored, all others are: " + firstRefusal
                                : refused + " measurements cannot be stored, all others are; the first is "
                                        + firstRefusal);
            }
        }
    }

    private record Entry(byte[] lines, Answer answer) {}

    private final long maxBytes;
    private final boolean untilWritten;
    private final Queue<Entry> entries = new ArrayDeque<>();

    /** The requests of chunks that were taken but not written yet, by the position of the chunk. */
    private final Map<Long, List<TakenRequest>> unwritten = new HashMap<>();

    private long bytes;

    /** Bytes reserved for requests that are still arriving. */
    private long reserved;

    private boolean stuck;
    private boolean closed;

    /**
     * Creates an inbox.
     *
     * @param maxBytes the limit in bytes, including requests that are still arriving; an empty inbox also accepts one larger body
     */
    HttpInbox(long maxBytes, boolean untilWritten) {
        this.maxBytes = maxBytes;
        this.untilWritten = untilWritten;
    }

    enum Put {
        ACCEPTED,
        FULL,
        /** An earlier post was not written in time, and nothing has been written since. */
        STUCK,
        CLOSED
    }

    /**
     * Reserves memory for a request that is still arriving. Succeeds if there is capacity for it, or if the inbox holds nothing
     * else.
     *
     * @param own bytes that are already reserved for this request
     */
    synchronized boolean reserve(int more, int own) {
        long taken = bytes + reserved;
        if (taken > own && taken + more > maxBytes) {
            return false;
        }
        reserved += more;
        return true;
    }

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
        long waiting = bytes + reserved;
        if (waiting > 0 && waiting + lines.length > maxBytes) {
            return Put.FULL;
        }
        entries.add(new Entry(lines, answer));
        bytes += lines.length;
        return Put.ACCEPTED;
    }

    /** Takes bodies up to a total size as a chunk that begins at a position. Answers them now, or when the chunk is written. */
    byte[] take(int size, long position) {
        List<Entry> taken = new ArrayList<>();
        List<TakenRequest> requests = new ArrayList<>();
        int length = 0;
        synchronized (this) {
            while (!entries.isEmpty() && (length == 0 || length + entries.peek().lines.length <= size)) {
                Entry entry = entries.remove();
                taken.add(entry);
                length += entry.lines.length;
                requests.add(new TakenRequest(entry.answer, length));
            }
            bytes -= length;
            if (untilWritten && length > 0) {
                unwritten.put(position, requests);
            }
        }
        byte[] joined = new byte[length];
        int at = 0;
        for (Entry entry : taken) {
            System.arraycopy(entry.lines, 0, joined, at, entry.lines.length);
            at += entry.lines.length;
            if (!untilWritten) {
                entry.answer.taken(true);
            }
        }
        return joined;
    }

    /** Answers the requests in the chunk that begins at a position: the chunk was written. */
    void written(long position) {
        List<TakenRequest> requests;
        synchronized (this) {
            stuck = false;
            requests = unwritten.remove(position);
        }
        if (requests != null) {
            requests.forEach(TakenRequest::answer);
        }
    }

    /** Notes that the measurement at an offset of the chunk that begins at a position can never be written. */
    synchronized void refused(long position, int offset, String reason) {
        unwritten.getOrDefault(position, List.of()).stream()
                .filter(request -> offset < request.end)
                .findFirst()
                .ifPresent(request -> {
                    request.firstRefusal = request.refused++ == 0 ? reason : request.firstRefusal;
                });
    }

    /**
     * Ends the wait of a request that was not written in time. If the pipeline has not taken the body, the inbox drops it;
     * otherwise it may still be written. Until the next write the inbox accepts nothing more if the pipeline has something left
     * to write.
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

    /** Refuses further posts, and answers the waiting requests with a failure. */
    void close() {
        List<Answer> left = new ArrayList<>();
        synchronized (this) {
            closed = true;
            entries.forEach(entry -> left.add(entry.answer));
            unwritten.values().forEach(taken -> taken.forEach(request -> left.add(request.answer)));
            entries.clear();
            unwritten.clear();
            bytes = 0;
        }
        left.forEach(answer -> answer.taken(false));
    }
}
