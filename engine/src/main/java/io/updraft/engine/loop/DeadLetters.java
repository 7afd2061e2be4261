package io.updraft.engine.loop;

import java.util.List;

/** Takes messages that failed too often. Called on the thread of the spout that gives up. */
interface DeadLetters {

    /** Takes nothing. */
    DeadLetters NONE = (component, task, stream, messageId, values, failures) -> {};

    /**
     * Takes a message.
     *
     * @param component the spout
     * @param task its task
     * @param stream the stream the message was emitted on
     * @param messageId the spout's name for it
     * @param values its values
     * @param failures how often it failed
     */
    void add(String component, int task, String stream, Object messageId, List<Object> values, int failures);
}
