package io.updraft.engine.executor;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts how often the messages of one task have failed. Contains only messages that have failed, and only the newest of those,
 * so its size is bounded.
 */
final class MessageFailures {

    private static final int KEPT = 100_000;

    private final int most;
    private final Map<Object, Integer> failures = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Integer> eldest) {
            return size() > KEPT;
        }
    };

    /**
     * Creates the counts.
     *
     * @param most failures after which a message is dead-lettered; 0 for never
     */
    MessageFailures(int most) {
        this.most = most;
    }

    /** Counts a failure. Returns the number of failures if the message must be dead-lettered now, else 0. */
    int failed(Object messageId) {
        if (most == 0) {
            return 0;
        }
        int count = failures.merge(messageId, 1, Integer::sum);
        return count > most ? count : 0;
    }

    void acked(Object messageId) {
        if (!failures.isEmpty()) {
            failures.remove(messageId);
        }
    }
}
