package io.updraft.console.cluster;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The rates of a topology, from two readings. Workers report their counts once in a period ({@code executor.metrics.frequency.secs}):
 * the rates are those of at least one period. Until two such readings are there, and after a restart of executors, rates come
 * from Storm's window of ten minutes.
 *
 * @param seconds the time between the readings; that of Storm's window if there is only one
 * @param perSecond the counts in a second, by the keys of {@link TopologyReading#counts}
 */
record Rates(double seconds, Map<Object, StreamCounts> perSecond) {

    StreamCounts of(Object key) {
        return perSecond.getOrDefault(key, StreamCounts.NONE);
    }

    /** The readings of the last period. Not thread-safe. */
    static final class Window {
        /** The number of readings that are kept of a period. */
        private static final int READINGS = 60;

        private final boolean isImmediate;
        private final Deque<Counted> before = new ArrayDeque<>();

        private record Counted(long nanos, Map<Object, StreamCounts> counts) {}

        /** Creates a window; {@code isImmediate} if Nimbus knows the counts of this moment. */
        Window(boolean isImmediate) {
            this.isImmediate = isImmediate;
        }

        Rates add(TopologyReading reading) {
            Counted now = new Counted(reading.nanos(), reading.counts());
            long period = TimeUnit.SECONDS.toNanos(isImmediate ? 1 : reading.reportSeconds());
            Counted base = null;
            while (!before.isEmpty() && now.nanos - before.peekFirst().nanos >= period) {
                base = before.removeFirst();
            }
            if (base != null) {
                before.addFirst(base);
            }
            if (before.isEmpty() || now.nanos - before.peekLast().nanos >= period / READINGS) {
                before.addLast(now);
            }
            return base == null ? ofTenMinutes(reading) : between(base, now, reading);
        }

        private static Rates between(Counted base, Counted now, TopologyReading reading) {
            double seconds = (now.nanos - base.nanos) / 1e9;
            Rates fallback = ofTenMinutes(reading);
            Map<Object, StreamCounts> rates = new HashMap<>();
            now.counts.forEach((key, counts) -> {
                StreamCounts earlier = base.counts.get(key);
                rates.put(
                        key,
                        earlier == null || counts.isBelow(earlier)
                                ? fallback.of(key)
                                : counts.minus(earlier).times(1 / seconds));
            });
            return new Rates(seconds, rates);
        }

        private static Rates ofTenMinutes(TopologyReading reading) {
            double longest = reading.executors().values().stream()
                    .flatMap(List::stream)
                    .mapToDouble(TopologyReading::windowSeconds)
                    .max()
                    .orElse(0);
            return new Rates(longest, reading.ratesOfTenMinutes());
        }
    }
}
