package io.updraft.messaging;

import java.util.concurrent.atomic.AtomicLong;

/** Counts of the messages to one worker. Any thread. */
final class SendCounts {

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong maybeLostFrames = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    /** Counts messages that the session has taken. */
    void sent(long messages) {
        sent.addAndGet(messages);
    }

    /** Counts messages that were dropped. */
    void lost(long messages) {
        lost.addAndGet(messages);
    }

    /** Counts frames that were in flight when the connection was lost. */
    void maybeLost(long frames) {
        maybeLostFrames.addAndGet(frames);
    }

    void connected() {
        connections.incrementAndGet();
    }

    long sent() {
        return sent.get();
    }

    long lost() {
        return lost.get();
    }

    long maybeLostFrames() {
        return maybeLostFrames.get();
    }

    long connections() {
        return connections.get();
    }
}
