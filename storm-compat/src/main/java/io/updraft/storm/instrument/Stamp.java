package io.updraft.storm.instrument;

import java.util.List;

/**
 * The id of a message on its way, with what is to be known at its end. Equal to another exactly if the spout's own ids are, so that
 * replays are counted as without it.
 */
final class Stamp {

    /** In place of the time of a message that is not timed. */
    static final long NOT_TIMED = 0;

    final Object messageId;
    final String stream;
    final List<Object> values;
    final long sinceMs;

    Stamp(Object messageId, String stream, List<Object> values, long sinceMs) {
        this.messageId = messageId;
        this.stream = stream;
        this.values = values;
        this.sinceMs = sinceMs;
    }

    /** The spout's own id, whether it is stamped or not. */
    static Object idOf(Object messageId) {
        return messageId instanceof Stamp stamp ? stamp.messageId : messageId;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Stamp stamp && stamp.messageId.equals(messageId);
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
