package io.updraft.storm.instrument.metric;

import io.updraft.storm.instrument.watch.SpoutMessage;
import io.updraft.storm.instrument.watch.Watcher;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
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
}
