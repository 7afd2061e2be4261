package io.updraft.storm.instrument;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.storm.Config;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ObjectReader;

/**
 * The shares of emitted tuples that components send to the event logger, as switched by Nimbus' {@code debug} at run time. An
 * option of a component overrides the option of the topology. Safe to use from any thread.
 */
final class EventSampling {

    private static final double ALL = 100;

    private final String topologyId;
    private final boolean wanted;
    private final Map<String, DebugOptions> options = new ConcurrentHashMap<>();

    public EventSampling(String topologyId, Map<String, Object> conf) {
        this.topologyId = topologyId;
        this.wanted = areWanted(conf);
    }

    /** Returns whether the topology has an event logger. */
    public static boolean areWanted(Map<String, Object> conf) {
        if (!StormCommon.hasEventLoggers(conf)) {
            return false;
        }
        // The default is one executor for each worker.
        Object workers = conf.get(Config.TOPOLOGY_WORKERS);
        return ObjectReader.getInt(conf.get(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS), ObjectReader.getInt(workers, 1))
                > 0;
    }

    /** Loads the classes of the event loggers; throws if one does not exist or is not an event logger. */
    public static void check(Map<String, Object> conf, ClassLoader loader) {
        if (areWanted(conf) && conf.get(Config.TOPOLOGY_EVENT_LOGGER_REGISTER) instanceof List<?> all) {
            for (Object each : all) {
                String name = String.valueOf(((Map<?, ?>) each).get(StormCommon.TOPOLOGY_EVENT_LOGGER_CLASS));
                ConfiguredClass.find(Config.TOPOLOGY_EVENT_LOGGER_REGISTER, name, IEventLogger.class, loader);
            }
        }
    }

    public boolean areWanted() {
        return wanted;
    }

    public void set(String component, boolean enable, double percent) {
        options.put(component == null || component.isEmpty() ? topologyId : component, optionsOf(enable, percent));
    }

    public static DebugOptions optionsOf(boolean enable, double percent) {
        DebugOptions options = new DebugOptions();
        options.set_enable(enable);
        if (enable) {
            options.set_samplingpct(Math.max(0, Math.min(ALL, percent)));
        }
        return options;
    }

    /** Returns the share of a component's emitted tuples to send, in percent. */
    public double percentOf(String component) {
        DebugOptions own = options.get(component);
        DebugOptions debug = own == null ? options.get(topologyId) : own;
        return wanted && debug != null && debug.is_enable() ? debug.get_samplingpct() : 0;
    }

    /** Returns the options by component, or by the topology's id for all components. */
    public Map<String, DebugOptions> options() {
        return Map.copyOf(options);
    }

    /** Sends a sample of the tuples that a task emits to the event logger. */
    public static final class EventWatcher implements Watcher {

        private final TaskInstruments task;
        private final String component;
        private volatile double percent;

        public EventWatcher(TaskInstruments task, double percent) {
            this.task = task;
            this.component = task.context().getThisComponentId();
            this.percent = percent;
        }

        public void setPercent(double next) {
            percent = next;
        }

        @Override
        public void emitted(String stream, List<Object> values, Object messageId, List<Integer> tasks) {
            if (ThreadLocalRandom.current().nextDouble() * ALL < percent) {
                task.emit(
                        StormCommon.EVENTLOGGER_STREAM_ID,
                        new Values(component, messageId, System.currentTimeMillis(), values));
            }
        }
    }
}
