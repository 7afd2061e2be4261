package io.updraft.kafka.offset;

import io.updraft.kafka.offset.OffsetTracker.Verdict;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;

/** The failed offsets that are not done: their number of failures, and when each is due again. */
final class OffsetRetries {

    private final RetryPolicy policy;
    private final Map<Long, Failed> failed = new HashMap<>();
    private final PriorityQueue<Failed> queue = new PriorityQueue<>();
    private int waiting;

    /** A failed offset. Ordered by due time, then by offset. When it is done, the queue keeps it and {@link #next} skips it. */
    private static final class Failed implements Comparable<Failed> {

        private final long offset;
        private int failures;
        private long due;
        private boolean waits;

        Failed(long offset) {
            this.offset = offset;
        }

        @Override
        public int compareTo(Failed other) {
            long sooner = due - other.due;
            return sooner == 0 ? Long.compare(offset, other.offset) : sooner < 0 ? -1 : 1;
        }
    }

    OffsetRetries(RetryPolicy policy) {
        this.policy = policy;
    }

    int attempt(long offset) {
        Failed known = failed.isEmpty() ? null : failed.get(offset);
        return known == null ? 0 : known.failures;
    }

    boolean isWaiting(long offset) {
        Failed known = failed.isEmpty() ? null : failed.get(offset);
        return known != null && known.waits;
    }

    int waiting() {
        return waiting;
    }

    /** Registers a failed attempt at a pending offset. */
    Verdict failed(long offset, int attempt, long now) {
        if (attempt != attempt(offset)) {
            return Verdict.IGNORED;
        }
        Failed known = failed.computeIfAbsent(offset, Failed::new);
        if (known.waits || known.failures > policy.retries()) {
            return Verdict.IGNORED;
        }
        known.failures++;
        if (known.failures > policy.retries()) {
            return Verdict.DEAD;
        }
        known.waits = true;
        waiting++;
        known.due = now + policy.waitNanos(known.failures);
        queue.add(known);
        return Verdict.RETRY;
    }

    /** Takes the offset that has been due longest; {@link OffsetTracker#NONE} if none is due. */
    long next(long now) {
        for (Failed first = queue.peek();
                first != null && (!first.waits || first.due - now <= 0);
                first = queue.peek()) {
            queue.poll();
            if (first.waits) {
                first.waits = false;
                waiting--;
                return first.offset;
            }
        }
        return OffsetTracker.NONE;
    }

    void forget(long offset) {
        Failed known = failed.isEmpty() ? null : failed.remove(offset);
        if (known != null && known.waits) {
            known.waits = false;
            waiting--;
        }
    }
}
