package io.updraft.storm.instrument;

import java.util.Collection;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.TopologyContext;

/** Makes a metrics consumer of a program's own jar. Named to Storm in its place. */
public final class LoadedConsumer implements IMetricsConsumer {
    private IMetricsConsumer consumer;

    /** Creates one that has made nothing yet. */
    public LoadedConsumer() {}

    @Override
    public void prepare(
            Map<String, Object> topoConf, Object registrationArgument, TopologyContext context, IErrorReporter errors) {
        Map<?, ?> own = (Map<?, ?>) registrationArgument;
        consumer =
                Loaded.make(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, own.get(Loaded.CLASS), IMetricsConsumer.class);
        consumer.prepare(topoConf, own.get(Loaded.ARGUMENT), context, errors);
    }

    @Override
    public void handleDataPoints(TaskInfo taskInfo, Collection<DataPoint> dataPoints) {
        consumer.handleDataPoints(taskInfo, dataPoints);
    }

    @Override
    public void cleanup() {
        consumer.cleanup();
    }
}
