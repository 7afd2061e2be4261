package io.updraft.storm.instrument.plugin;

import java.util.Collection;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.TopologyContext;

/** Creates a metrics consumer from a program's own jar and forwards to it. Storm gets the name of this class instead. */
public final class ProgramMetricsConsumer implements IMetricsConsumer {
    private IMetricsConsumer consumer;

    /** Creates an instance without a consumer. */
    public ProgramMetricsConsumer() {}

    @Override
    public void prepare(
            Map<String, Object> topoConf, Object registrationArgument, TopologyContext context, IErrorReporter errors) {
        Map<?, ?> own = (Map<?, ?>) registrationArgument;
        consumer = ProgramPlugin.make(
                Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, own.get(ProgramPlugin.CLASS), IMetricsConsumer.class);
        consumer.prepare(topoConf, own.get(ProgramPlugin.ARGUMENT), context, errors);
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
