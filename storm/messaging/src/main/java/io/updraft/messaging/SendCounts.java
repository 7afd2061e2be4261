package io.updraft.messaging;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts of the messages to one worker. Any thread.
 *
 * @param sent messages that the session has taken
 * @param dropped messages that were dropped
 * @param maybeLostFrames frames that were in flight when the connection was lost
 * @param connections times that the connection was opened
 */
record SendCounts(AtomicLong sent, AtomicLong dropped, AtomicLong maybeLostFrames, AtomicLong connections) {
    SendCounts() {
        this(new AtomicLong(), new AtomicLong(), new AtomicLong(), new AtomicLong());
    }
}
