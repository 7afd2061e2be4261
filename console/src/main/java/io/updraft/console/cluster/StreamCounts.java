package io.updraft.console.cluster;

import java.util.Map;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.utils.Utils;

/**
 * The counts of an executor, or of a component, in one of Storm's windows. The tuples of system streams do not count as emitted.
 *
 * @param emitted tuples, each once
 * @param executed tuples of a bolt
 * @param acked tuples of a bolt, or trees of a spout
 * @param failed tuples of a bolt, or trees of a spout
 * @param executeMillis the time of all calls of execute
 * @param completeMillis the time of all acked trees, from the emit to the ack
 */
record StreamCounts(
        double emitted, double executed, double acked, double failed, double executeMillis, double completeMillis) {
    static final String ALL_TIME = ":all-time";
    static final String TEN_MINUTES = "600";
    static final int TEN_MINUTES_SECONDS = 600;
    static final StreamCounts NONE = new StreamCounts(0, 0, 0, 0, 0, 0);

    /** Returns the counts of an executor; its statistics are null before its first heartbeat. */
    static StreamCounts of(ExecutorStats stats, String window) {
        if (stats == null) {
            return NONE;
        }
        double emitted = 0;
        for (Map.Entry<String, Long> stream : in(stats.get_emitted(), window).entrySet()) {
            emitted += Utils.isSystemId(stream.getKey()) ? 0 : stream.getValue();
        }
        if (stats.get_specific().is_set_bolt()) {
            BoltStats bolt = stats.get_specific().get_bolt();
            Map<GlobalStreamId, Long> executed = in(bolt.get_executed(), window);
            return new StreamCounts(
                    emitted,
                    sum(executed),
                    sum(in(bolt.get_acked(), window)),
                    sum(in(bolt.get_failed(), window)),
                    time(executed, in(bolt.get_execute_ms_avg(), window)),
                    0);
        }
        SpoutStats spout = stats.get_specific().get_spout();
        Map<String, Long> acked = in(spout.get_acked(), window);
        return new StreamCounts(
                emitted,
                0,
                sum(acked),
                sum(in(spout.get_failed(), window)),
                0,
                time(acked, in(spout.get_complete_ms_avg(), window)));
    }

    /** Returns how many tuples of each stream an executor has executed; empty for a spout. */
    static Map<GlobalStreamId, Long> executed(ExecutorStats stats, String window) {
        return stats != null && stats.get_specific().is_set_bolt()
                ? in(stats.get_specific().get_bolt().get_executed(), window)
                : Map.of();
    }

    private static <K, V> Map<K, V> in(Map<String, Map<K, V>> windows, String window) {
        return windows == null ? Map.of() : windows.getOrDefault(window, Map.of());
    }

    private static double sum(Map<?, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static <K> double time(Map<K, Long> counts, Map<K, Double> means) {
        double millis = 0;
        for (Map.Entry<K, Long> count : counts.entrySet()) {
            millis += count.getValue() * means.getOrDefault(count.getKey(), 0.0);
        }
        return millis;
    }

    StreamCounts plus(StreamCounts other) {
        return new StreamCounts(
                emitted + other.emitted,
                executed + other.executed,
                acked + other.acked,
                failed + other.failed,
                executeMillis + other.executeMillis,
                completeMillis + other.completeMillis);
    }

    StreamCounts minus(StreamCounts other) {
        return plus(other.times(-1));
    }

    StreamCounts times(double factor) {
        return new StreamCounts(
                emitted * factor,
                executed * factor,
                acked * factor,
                failed * factor,
                executeMillis * factor,
                completeMillis * factor);
    }

    /** Returns whether one of the counts has gone down: the executor has been started again. */
    boolean isBelow(StreamCounts before) {
        return emitted < before.emitted || executed < before.executed || acked < before.acked || failed < before.failed;
    }
}
