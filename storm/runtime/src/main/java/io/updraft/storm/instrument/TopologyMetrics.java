package io.updraft.storm.instrument;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metered;
import com.codahale.metrics.Metric;
import com.codahale.metrics.Snapshot;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.instrument.CountWatcher.BoltCapacity;
import io.updraft.storm.instrument.ProgramPlugin.ProgramMetricsReporter;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.StormTimer;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.metric.api.IMetricsConsumer.DataPoint;
import org.apache.storm.metrics2.PerReporterGauge;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.metrics2.TaskMetrics;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metrics of one topology, or of one worker's part of it. Metrics that components register are sent to the metrics
 * consumers at the end of each interval, from the thread of the task. Reporters read the registry themselves. Storm's own
 * counts of each task are kept only if the topology has consumers or reporters. Safe to use from any thread.
 */
final class TopologyMetrics implements AutoCloseable {

    private static final int SYSTEM_TASK = (int) Constants.SYSTEM_TASK_ID;
    private static final int V2_TICK_SECS = 60;

    /** Storm's name for the number of tuples that wait for the executor of a task. */
    private static final String QUEUED = "receive-queue-population";

    /** Storm's name for the share of time that a bolt is busy. */
    private static final String CAPACITY = "__capacity-default";

    private final Map<String, Object> conf;
    private final StormMetricRegistry registry;
    private final int port;
    private final boolean consumed;
    private final boolean reported;

    /** Whether consumers receive the contents of the registry too. */
    private final boolean registryIsConsumed;

    private final int v2Interval;
    private final MetricTimer ticks;

    /** The counts of a task, which continue over a restart of its instance. */
    private final ConcurrentMap<Integer, OwnCounts> counts = new ConcurrentHashMap<>();

    private final ConcurrentMap<Integer, TaskInstruments> tasks = new ConcurrentHashMap<>();

    /** The older metrics that the system itself has registered, by interval; null before they are. */
    private volatile RegisteredMetrics system;

    private boolean started;

    public TopologyMetrics(Plan plan, StormMetricRegistry registry, int port) {
        this.conf = plan.conf();
        this.registry = registry;
        this.port = port;
        this.consumed = areConsumed(conf);
        this.reported = conf.get(Config.TOPOLOGY_METRICS_REPORTERS) instanceof List<?> all && !all.isEmpty();
        this.registryIsConsumed =
                consumed && ObjectReader.getBoolean(conf.get(Config.TOPOLOGY_ENABLE_V2_METRICS_TICK), false);
        this.v2Interval = ObjectReader.getInt(conf.get(Config.TOPOLOGY_V2_METRICS_TICK_INTERVAL_SECONDS), V2_TICK_SECS);
        this.ticks = new MetricTimer("metrics-" + plan.id());
    }

    void forget(int taskId) {
        Set<Metric> stale = new HashSet<>();
        addUsers(stale, registry.getTaskGauges(taskId));
        addUsers(stale, registry.getTaskCounters(taskId));
        addUsers(stale, registry.getTaskMeters(taskId));
        addUsers(stale, registry.getTaskTimers(taskId));
        addUsers(stale, registry.getTaskHistograms(taskId));
        registry.deregister(stale);
    }

    private static void addUsers(Set<Metric> stale, Map<String, ? extends Metric> byName) {
        byName.forEach((name, metric) -> {
            if (!Utils.isSystemId(name) && !name.equals(QUEUED)) {
                stale.add(metric);
            }
        });
    }

    /** Returns whether the topology has metrics consumers. */
    public static boolean areConsumed(Map<String, Object> conf) {
        return conf.get(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER) instanceof List<?> all && !all.isEmpty();
    }

    /** Loads the classes of consumers and reporters; throws if one does not exist or is of another type. */
    public static void check(Map<String, Object> conf, ClassLoader loader) {
        check(conf, Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, IMetricsConsumer.class, loader);
        check(conf, Config.TOPOLOGY_METRICS_REPORTERS, StormReporter.class, loader);
    }

    private static void check(Map<String, Object> conf, String key, Class<?> kind, ClassLoader loader) {
        if (conf.get(key) instanceof List<?> all) {
            for (Object each : all) {
                ConfiguredClass.find(key, String.valueOf(((Map<?, ?>) each).get("class")), kind, loader);
            }
        }
    }

    /** Returns whether the topology has reporters or consumers, which receive metrics of the system. */
    public boolean areWanted() {
        return reported || consumed;
    }

    /** Starts the reporters. Called before any metric is registered. */
    public void start() {
        if (!reported && !registryIsConsumed) {
            return;
        }
        try {
            registry.start(withReportersThatStormSees(), port);
            started = true;
        } catch (RuntimeException e) {
            registry.stop();
            throw new IllegalStateException(
                    Config.TOPOLOGY_METRICS_REPORTERS + ": a reporter cannot be started: " + e.getMessage(), e);
        }
    }

    private Map<String, Object> withReportersThatStormSees() {
        Map<String, Object> seen = new HashMap<>(conf);
        seen.put(
                Config.TOPOLOGY_METRICS_REPORTERS,
                ProgramPlugin.replace(
                        conf.get(Config.TOPOLOGY_METRICS_REPORTERS), ProgramMetricsReporter.class.getName(), null));
        return seen;
    }

    /** Sets the metrics that the system itself has registered. */
    public void setSystem(RegisteredMetrics registered) {
        system = registered;
        registered.intervals().forEach(this::registered);
    }

    /** Includes the metrics of an instance. Called on the thread of the instance. */
    public void attach(TaskInstruments task) {
        tasks.put(task.taskId(), task);
        if (reported || registryIsConsumed) {
            OwnCounts own = counts.computeIfAbsent(task.taskId(), id -> newCounts(task));
            task.add(new CountWatcher(own.metrics, own.capacity, conf));
        }
        if (registryIsConsumed) {
            registered(v2Interval);
        }
    }

    private record OwnCounts(TaskMetrics metrics, BoltCapacity capacity) {}

    private OwnCounts newCounts(TaskInstruments task) {
        TopologyContext context = task.context();
        BoltCapacity capacity = new BoltCapacity(Time::currentTimeMillis);
        if (context.getRawTopology().get_bolts().containsKey(context.getThisComponentId())) {
            registry.gauge(CAPACITY, capacity, context.getThisComponentId(), context.getThisTaskId());
        }
        Gauge<Integer> queued =
                () -> tasks.get(context.getThisTaskId()).control().queued();
        registry.gauge(QUEUED, queued, context.getThisComponentId(), context.getThisTaskId());
        return new OwnCounts(
                new TaskMetrics(context, context.getThisComponentId(), context.getThisTaskId(), registry, conf),
                capacity);
    }

    /** Notes a metric with an interval, in seconds, and starts its timer if there are consumers. */
    public void registered(int interval) {
        if (consumed) {
            ticks.every(interval, () -> tick(interval));
        }
    }

    private void tick(int interval) {
        int first = tasks.keySet().stream().mapToInt(Integer::intValue).min().orElse(SYSTEM_TASK);
        tasks.forEach((id, task) -> task.control().run(() -> {
            send(task, id, task.context().getThisComponentId(), task.registered(), interval);
            if (id == first && system != null) {
                send(task, SYSTEM_TASK, Constants.SYSTEM_COMPONENT_ID, system, interval);
            }
        }));
    }

    /** Sends the metrics of a task; as in Storm, sends nothing if there are no data points. */
    private void send(TaskInstruments by, int taskId, String component, RegisteredMetrics registered, int interval) {
        List<DataPoint> points = new ArrayList<>();
        registered.of(interval, taskId).forEach((name, metric) -> add(points, name, metric));
        if (registryIsConsumed && interval == v2Interval) {
            new RegistryDataPoints(registry, taskId, this).addTo(points);
        }
        if (!points.isEmpty()) {
            IMetricsConsumer.TaskInfo info = new IMetricsConsumer.TaskInfo(
                    hostName(), port, component, taskId, Time.currentTimeSecs(), interval);
            by.emit(Constants.METRICS_STREAM_ID, new Values(info, points));
        }
    }

    private static String hostName() {
        try {
            return Utils.hostname();
        } catch (UnknownHostException e) {
            return "";
        }
    }

    @SuppressWarnings("deprecation") // Storm's older metrics are part of its contract
    private static void add(List<DataPoint> points, String name, IMetric metric) {
        Object value = metric.getValueAndReset();
        if (value != null) {
            points.add(point(name, value, metric.getDimensions()));
        }
    }

    /**
     * Creates a data point with a plain map. Points go to other workers, and Storm does not register the JDK's empty map with
     * Kryo.
     */
    static DataPoint point(String name, Object value, Map<String, String> dimensions) {
        return new DataPoint(name, value, dimensions == null ? null : new HashMap<>(dimensions));
    }

    @Override
    public void close() {
        ticks.close();
        if (started) {
            registry.stop();
        }
    }

    /**
     * Storm's timer for the intervals of metrics; starts with the first interval. The timer runs on Storm's time, simulated or
     * real.
     */
    private static final class MetricTimer implements AutoCloseable {

        private static final Logger LOG = LoggerFactory.getLogger(MetricTimer.class);

        private final String name;
        private final Set<Integer> intervals = new HashSet<>();
        private StormTimer timer;
        private boolean closed;

        MetricTimer(String name) {
            this.name = name;
        }

        /** Runs an action at an interval, unless an action with that interval is scheduled already. */
        synchronized void every(int seconds, Runnable action) {
            if (closed || !intervals.add(seconds)) {
                return;
            }
            if (timer == null) {
                timer = new StormTimer(name, (thread, error) -> LOG.error("the metrics timer has died", error));
            }
            timer.scheduleRecurring(seconds, seconds, () -> doSafely(action));
        }

        /** Catches failures: an exception would end the timer. */
        private static void doSafely(Runnable action) {
            try {
                action.run();
            } catch (RuntimeException e) {
                LOG.error("cannot collect metrics", e);
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            if (timer != null) {
                try {
                    timer.close();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                timer = null;
            }
        }
    }

    /**
     * Converts the metrics that the registry holds of one task to data points for consumers of the older metrics ({@code
     * topology.enable.v2.metrics.tick}), under Storm's names. Times are in milliseconds.
     */
    private record RegistryDataPoints(StormMetricRegistry registry, int taskId, Object reporter) {

        private static final double MS_PER_NANO = 1.0 / TimeUnit.MILLISECONDS.toNanos(1);

        void addTo(List<DataPoint> points) {
            registry.getTaskGauges(taskId).forEach((name, gauge) -> addGauge(points, name, gauge));
            registry.getTaskCounters(taskId).forEach((name, counter) -> points.add(point(name, counter.getCount())));
            registry.getTaskHistograms(taskId).forEach((name, histogram) -> {
                addSnapshot(points, name, histogram.getSnapshot());
                points.add(point(name + ".count", histogram.getCount()));
            });
            registry.getTaskMeters(taskId).forEach((name, meter) -> addMetered(points, name, meter));
            registry.getTaskTimers(taskId).forEach((name, timer) -> {
                addSnapshot(points, name, timer.getSnapshot());
                addMetered(points, name, timer);
            });
        }

        private void addGauge(List<DataPoint> points, String name, Gauge<?> gauge) {
            Object value =
                    gauge instanceof PerReporterGauge<?> each ? each.getValueForReporter(reporter) : gauge.getValue();
            if (value instanceof Number) {
                points.add(point(name, value));
            }
        }

        private static void addMetered(List<DataPoint> points, String name, Metered metered) {
            points.add(point(name + ".count", metered.getCount()));
            points.add(point(name + ".m1_rate", metered.getOneMinuteRate()));
            points.add(point(name + ".m5_rate", metered.getFiveMinuteRate()));
            points.add(point(name + ".m15_rate", metered.getFifteenMinuteRate()));
            points.add(point(name + ".mean_rate", metered.getMeanRate()));
        }

        private static void addSnapshot(List<DataPoint> points, String name, Snapshot snapshot) {
            addMillis(points, name + ".max", snapshot.getMax());
            addMillis(points, name + ".mean", snapshot.getMean());
            addMillis(points, name + ".min", snapshot.getMin());
            addMillis(points, name + ".stddev", snapshot.getStdDev());
            addMillis(points, name + ".p50", snapshot.getMedian());
            addMillis(points, name + ".p75", snapshot.get75thPercentile());
            addMillis(points, name + ".p95", snapshot.get95thPercentile());
            addMillis(points, name + ".p98", snapshot.get98thPercentile());
            addMillis(points, name + ".p99", snapshot.get99thPercentile());
            addMillis(points, name + ".p999", snapshot.get999thPercentile());
        }

        private static DataPoint point(String name, Object value) {
            return TopologyMetrics.point(name, value, Map.of());
        }

        private static void addMillis(List<DataPoint> points, String name, double nanos) {
            points.add(point(name, nanos * MS_PER_NANO));
        }
    }
}
