package io.updraft.plugin;

import java.util.Collection;
import java.util.Map;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.TopologyContext;

/** Metrics of Storm's first metrics API. A separate class, because Storm registers the consumer under the name of its class. */
public final class RecordingMetricsConsumer implements IMetricsConsumer {
    private String directory;

    @Override
    public void prepare(Map<String, Object> conf, Object argument, TopologyContext context, IErrorReporter errors) {
        directory = String.valueOf(argument);
    }

    @Override
    public void handleDataPoints(TaskInfo info, Collection<DataPoint> points) {
        for (DataPoint point : points) {
            if (point.name.equals("older")) {
                WorkerRecords.note(directory, "consumed", info.srcComponentId + " " + point.name + " " + point.value);
            }
        }
    }

    @Override
    public void cleanup() {}
}
