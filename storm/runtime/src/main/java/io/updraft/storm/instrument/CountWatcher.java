package io.updraft.storm.instrument;

import com.codahale.metrics.Gauge;
import io.updraft.storm.instrument.Watcher.SpoutMessage;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.metrics2.TaskMetrics;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.ConfigUtils;

/**
 * Counts tuples of a task by stream in the metrics registry, as Storm does: counts a sample and multiplies by the sampling
 * rate.
 */
final class CountWatcher implements Watcher {

    private final TaskMetrics counts;
    private final BoltCapacity capacity;
    private final int weight;
    private final boolean acking;
    private final BooleanSupplier sampler;

    CountWatcher(TaskMetrics counts, BoltCapacity capacity, Map<String, Object> conf) {
        this.counts = counts;
        this.capacity = capacity;
        this.weight = ConfigUtils.samplingRate(conf);
        this.acking = StormCommon.hasAckers(conf);
        this.sampler = ConfigUtils.mkStatsSampler(conf);
    }

    @Override
    public boolean wantsTimes() {
        return true;
    }

    @Override
    public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
        if (sampler.getAsBoolean()) {
            counts.emittedTuple(stream);
            counts.transferredTuples(stream, tasks.size());
        }
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        if (latencyMs >= 0) {
            counts.boltExecuteTuple(input.getSourceComponent(), input.getSourceStreamId(), latencyMs);
            capacity.add(latencyMs * weight);
        }
    }

    @Override
    public void acked(Tuple input, long latencyMs) {
        if (latencyMs >= 0) {
            counts.boltAckedTuple(input.getSourceComponent(), input.getSourceStreamId(), latencyMs);
        }
    }

    @Override
    public void failed(Tuple input, long latencyMs) {
        if (latencyMs >= 0) {
            counts.boltFailedTuple(input.getSourceComponent(), input.getSourceStreamId());
        }
    }

    @Override
    public void spoutAcked(SpoutMessage message) {
        if (isCounted(message)) {
            counts.spoutAckedTuple(message.stream(), message.latencyMs());
        }
    }

    @Override
    public void spoutFailed(SpoutMessage message) {
        if (isCounted(message)) {
            counts.spoutFailedTuple(message.stream());
        }
    }

    private boolean isCounted(SpoutMessage message) {
        return acking && message.latencyMs() != null && message.stream() != null;
    }

    /**
     * The share of the last ten minutes, or of the time since the start, that a bolt has spent in {@code execute}. Storm computes
     * it from samples, too. The window moves in steps of half a minute. Safe to use from any thread.
     */
    static final class BoltCapacity implements Gauge<Double> {
        private static final int STEPS = 20;
        private static final long STEP_MS = 30_000;

        private final LongSupplier clockMs;
        private final long startedMs;
        private final long[] busyMs = new long[STEPS];

        /** The step of the clock to which each element of {@code busyMs} belongs. */
        private final long[] steps = new long[STEPS];

        BoltCapacity(LongSupplier clockMs) {
            this.clockMs = clockMs;
            this.startedMs = clockMs.getAsLong();
        }

        /** Adds time spent in {@code execute}, in milliseconds. */
        synchronized void add(long ms) {
            long step = clockMs.getAsLong() / STEP_MS;
            int place = (int) (step % STEPS);
            if (steps[place] != step) {
                steps[place] = step;
                busyMs[place] = 0;
            }
            busyMs[place] += ms;
        }

        @Override
        public synchronized Double getValue() {
            long now = clockMs.getAsLong();
            long oldest = now / STEP_MS - STEPS + 1;
            long busy = 0;
            for (int i = 0; i < STEPS; i++) {
                busy += steps[i] >= oldest ? busyMs[i] : 0;
            }
            long window = Math.min(now - startedMs, STEPS * STEP_MS);
            return window <= 0 ? 0.0 : (double) busy / window;
        }
    }
}
