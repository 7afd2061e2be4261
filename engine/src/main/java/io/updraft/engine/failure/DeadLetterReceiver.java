package io.updraft.engine.failure;

import java.util.List;

/** Receives messages that failed too often. Called on the thread of the spout. */
public interface DeadLetterReceiver {

    DeadLetterReceiver NONE = (component, task, stream, messageId, values, failures) -> {};

    void add(String component, int task, String stream, Object messageId, List<Object> values, int failures);
}
