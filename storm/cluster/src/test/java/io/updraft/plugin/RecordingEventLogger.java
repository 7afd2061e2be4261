package io.updraft.plugin;

import java.util.Map;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;

/** Events of components with debugging enabled. */
public final class RecordingEventLogger implements IEventLogger {
    private String directory;

    @Override
    public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {
        directory = String.valueOf(arguments.get(ApiFeatureTopology.TO_NOTE));
    }

    @Override
    public void log(EventInfo event) {
        WorkerRecords.note(directory, "events", event.getComponent());
    }

    @Override
    public void close() {}
}
