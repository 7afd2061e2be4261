package io.updraft.storm.instrument;

import java.util.List;

/**
 * The message id that the engine carries for a watched spout, with the data needed when the message ends. Two stamps are equal
 * exactly if the spout's own ids are equal, so that replays are counted as without stamps.
 */
record WatchedMessageId(Object messageId, String stream, List<Object> values, long sinceMs) {

    static final long NOT_TIMED = 0;

    /** Returns the spout's own message id, with or without a stamp. */
    static Object idOf(Object messageId) {
        return messageId instanceof WatchedMessageId stamp ? stamp.messageId : messageId;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof WatchedMessageId stamp && stamp.messageId.equals(messageId);
    }

    @Override
    public int hashCode() {
        return messageId.hashCode();
    }

    @Override
    public String toString() {
        return messageId.toString();
    }
}
