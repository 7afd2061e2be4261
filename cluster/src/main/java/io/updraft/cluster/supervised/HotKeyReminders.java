package io.updraft.cluster.supervised;

import io.updraft.engine.snapshot.CallReminders;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.observe.view.HotKeyException.Lasting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chooses which hot keys to report, at the ages at which {@link CallReminders} reports calls. Of each component, one key a minute
 * is reported for the first time. Used by one thread.
 */
final class HotKeyReminders {
    private static final long QUIET_NANOS = 60_000_000_000L;

    private final Map<String, Seen> seen = new HashMap<>();

    /** By component: when one of its keys was last reported for the first time. */
    private final Map<String, Long> firstReports = new HashMap<>();

    private static final class Seen {
        private final long first;
        private long last;

        /** The age when the key was last reported; negative before. */
        private long reported = -1;

        Seen(long now) {
            first = now;
        }
    }

    /** Returns the keys to report now. A key that is not hot for less than a minute stays the same. */
    List<Lasting> due(List<HotKey> keys, long now) {
        seen.values().removeIf(each -> now - each.last >= QUIET_NANOS);
        List<Lasting> due = new ArrayList<>();
        for (HotKey key : keys) {
            Seen each = seen.computeIfAbsent(key.name(), added -> new Seen(now));
            each.last = now;
            long age = now - each.first;
            if (each.reported < 0 ? isFirstOfMinute(key, age, now) : age >= CallReminders.next(each.reported)) {
                each.reported = age;
                due.add(new Lasting(key, age));
            }
        }
        return due;
    }

    private boolean isFirstOfMinute(HotKey key, long age, long now) {
        Long before = firstReports.get(key.to());
        if (age < CallReminders.FIRST_NANOS || before != null && now - before < QUIET_NANOS) {
            return false;
        }
        firstReports.put(key.to(), now);
        return true;
    }
}
