package io.updraft.engine.loop;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts how often the messages of one task have failed. Only messages that have failed are in it, and only the newest of those, so that
 * it stays small whatever happens.
 */
final class Replays {

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
     * Starts to count.
     *
     * @param most failures after which a message is given up; 0 for never
     */
    Replays(int most) {
        this.most = most;
    }

    /** Counts a failure; returns how many there were if the message is to be given up now, else 0. */
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
