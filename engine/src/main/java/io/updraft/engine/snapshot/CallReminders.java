package io.updraft.engine.snapshot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses which stuck calls to report, so that one that never returns is reported again and again, but rarely: after 3 s,
 * 15 s, 1 min, 5 min, and then once an hour; a slow start first when it counts as stuck. Of a component whose calls always take longer than 3 s, one is reported a minute.
 * Used by one thread.
 */
public final class CallReminders {

    private static final long SECOND = 1_000_000_000L;

    /** Time from which a call is reported, nanoseconds. */
    public static final long FIRST_NANOS = 3 * SECOND;

    private static final long[] AGAIN_NANOS = {15 * SECOND, 60 * SECOND, 300 * SECOND};
    private static final long HOUR_NANOS = 3600 * SECOND;
    private static final long QUIET_NANOS = 60 * SECOND;

    /** By component and thread: the age of the call when it was last reported, nanoseconds. */
    private Map<String, Long> reported = new HashMap<>();

    /** By component: when the last of its calls was reported for the first time. */
    private final Map<String, Long> firstReports = new HashMap<>();

    /**
     * {@return the calls to report now}
     *
     * @param calls all calls that are stuck
     * @param now the time by any clock that never goes back, nanoseconds
     */
    public List<CallInProgress> due(List<CallInProgress> calls, long now) {
        Map<String, Long> known = new HashMap<>();
        List<CallInProgress> due = new ArrayList<>();
        for (CallInProgress call : calls) {
            String key = call.component() + "\n" + call.thread();
            long before = reported.getOrDefault(key, Long.MAX_VALUE);
            boolean same = before <= call.nanos();
            if (same && call.nanos() < next(before)) {
                known.put(key, before);
            } else if (same || isFirstOfMinute(call, now)) {
                known.put(key, call.nanos());
                due.add(call);
            }
        }
        reported = known;
        return due;
    }

    private boolean isFirstOfMinute(CallInProgress call, long now) {
        Long before = firstReports.get(call.component());
        if (call.nanos() < FIRST_NANOS || before != null && now - before < QUIET_NANOS) {
            return false;
        }
        firstReports.put(call.component(), now);
        return true;
    }

    /**
     * {@return the age at which a call is reported again, nanoseconds}
     *
     * @param age its age when it was last reported, nanoseconds
     */
    public static long next(long age) {
        for (long again : AGAIN_NANOS) {
            if (age < again) {
                return again;
            }
        }
        return age + HOUR_NANOS;
    }
}
