package io.updraft.storm.instrument.plugin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;

/** Creates an event logger from a program's own jar and forwards to it. Storm gets the name of this class instead. */
public final class ProgramEventLogger implements IEventLogger {
    private IEventLogger logger;

    /** Creates an instance without a logger. */
    public ProgramEventLogger() {}

    @Override
    @SuppressWarnings("unchecked")
    public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {
        logger = ProgramPlugin.make(
                Config.TOPOLOGY_EVENT_LOGGER_REGISTER, arguments.get(ProgramPlugin.CLASS), IEventLogger.class);
        logger.prepare(conf, (Map<String, Object>) arguments.get(ProgramPlugin.ARGUMENT), context);
    }

    @Override
    public void log(EventInfo e) {
        logger.log(e);
    }

    @Override
    public void close() {
        logger.close();
    }
}
