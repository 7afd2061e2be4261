package io.updraft.storm.instrument;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.metrics2.MetricRegistryProvider;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.TopologyContext;

/**
 * Classes that Storm creates by name. Storm looks for them in its own class loader, which does not see a program's jar. In
 * place of such a class, Storm gets the name of a class here, which Storm sees and which creates the program's class.
 */
final class ProgramPlugin {

    static final String CLASS = "updraft.class";
    static final String ARGUMENT = "updraft.argument";
    private static final String STORMS_CLASS = "class";

    private ProgramPlugin() {}

    /** Returns the name of the program's class behind a replaced one; null if the name was not replaced. */
    public static String programClassOf(Map<String, Object> replaced) {
        return (String) replaced.get(CLASS);
    }

    static boolean isSeenByStorm(String name) {
        try {
            Class.forName(name, false, StormCommon.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Creates an instance of the named class, by the class loader of the program that the calling thread runs. */
    static <T> T make(String setting, Object name, Class<T> kind) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        return ConfiguredClass.make(setting, ConfiguredClass.find(setting, String.valueOf(name), kind, loader));
    }

    /**
     * Replaces the names of classes that Storm does not see by the name of a class here. Does nothing if Storm does not see the
     * class here either: in a worker of a Storm cluster, Storm sees the program but not this class. {@code argument} is the key
     * of the argument in the maps; null if the class receives the whole map.
     */
    public static List<Map<String, Object>> replace(Object registered, String ours, String argument) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object each : registered instanceof List<?> list ? list : List.of()) {
            Map<String, Object> info = new HashMap<>();
            ((Map<?, ?>) each).forEach((key, value) -> info.put(String.valueOf(key), value));
            String name = String.valueOf(info.get(STORMS_CLASS));
            if (!isSeenByStorm(name) && isSeenByStorm(ours)) {
                info.put(STORMS_CLASS, ours);
                info.put(CLASS, name);
                if (argument != null) {
                    Map<String, Object> wrapped = new HashMap<>();
                    wrapped.put(CLASS, name);
                    wrapped.put(ARGUMENT, info.get(argument));
                    info.put(argument, wrapped);
                }
            }
            all.add(info);
        }
        return all;
    }

    /** Creates an event logger from a program's own jar and forwards to it. Storm gets the name of this class instead. */
    public static final class ProgramEventLogger implements IEventLogger {
        private IEventLogger logger;

        @Override
        @SuppressWarnings("unchecked")
        public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {
            logger = make(Config.TOPOLOGY_EVENT_LOGGER_REGISTER, arguments.get(CLASS), IEventLogger.class);
            logger.prepare(conf, (Map<String, Object>) arguments.get(ARGUMENT), context);
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

    /** Creates a metrics consumer from a program's own jar and forwards to it. Storm gets the name of this class instead. */
    public static final class ProgramMetricsConsumer implements IMetricsConsumer {
        private IMetricsConsumer consumer;

        @Override
        public void prepare(
                Map<String, Object> topoConf,
                Object registrationArgument,
                TopologyContext context,
                IErrorReporter errors) {
            Map<?, ?> own = (Map<?, ?>) registrationArgument;
            consumer = make(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, own.get(CLASS), IMetricsConsumer.class);
            consumer.prepare(topoConf, own.get(ARGUMENT), context, errors);
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

    /** Creates a reporter from a program's own jar and forwards to it. Storm gets the name of this class instead. */
    public static final class ProgramMetricsReporter implements StormReporter {
        private StormReporter reporter;

        @Override
        @SuppressWarnings("deprecation") // the interface demands it
        public void prepare(MetricRegistry registry, Map<String, Object> topoConf, Map<String, Object> reporterConf) {
            made(reporterConf).prepare(registry, topoConf, reporterConf);
        }

        @Override
        public void prepare(
                MetricRegistryProvider provider, Map<String, Object> topoConf, Map<String, Object> reporterConf) {
            made(reporterConf).prepare(provider, topoConf, reporterConf);
        }

        private StormReporter made(Map<String, Object> reporterConf) {
            reporter = make(Config.TOPOLOGY_METRICS_REPORTERS, reporterConf.get(CLASS), StormReporter.class);
            return reporter;
        }

        @Override
        public void start() {
            reporter.start();
        }

        @Override
        public void stop() {
            reporter.stop();
        }

        @Override
        public void close() throws IOException {
            reporter.close();
        }
    }
}
