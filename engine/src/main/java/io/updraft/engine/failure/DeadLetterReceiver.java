package io.updraft.engine.failure;

import java.util.List;

/** Receives messages that failed too often. Called on the thread of the spout. */
public interface DeadLetterReceiver {

    /** Ignores all messages. */
    DeadLetterReceiver NONE = (component, task, stream, messageId, values, failures) -> {};

    /**
     * Receives a message.
     *
     * @param component the spout
     * @param task the task of the spout
     * @param stream the stream on which the message was emitted
     * @param messageId the message id of the spout
     * @param values the values of the message
     * @param failures the number of failures
     */
    void add(String component, int task, String stream, Object messageId, List<Object> values, int failures);
}
