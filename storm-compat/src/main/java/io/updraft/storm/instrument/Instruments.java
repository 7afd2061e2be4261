package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Config;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.metric.SystemBolt;
import org.apache.storm.metric.api.IMetric;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who watches the instances of one topology, or of one worker's part of it, by its configuration and by what is
 * switched while it runs. Safe to use from any thread.
 */
public final class Instruments implements AutoCloseable {
    /** Whether all tuples are serialized and read again in this JVM, as on the way to another worker; default false. */
    public static final String CHECK_SERIALIZATION = "updraft.check.serialization";

    /** Whether values are looked for that change after they were emitted; default false. */
    public static final String CHECK_MUTATION = "updraft.check.mutation";

    private static final Logger LOG = LoggerFactory.getLogger(Instruments.class);

    private final Map<String, Object> conf;
    private final AutoHooks autoHooks;
    private final Traces traces;
    private final Events events;
    private final Metrics metrics;
    private final boolean checkSerialization;

    /** Null if mutation is not looked for. */
    private final Seals seals;

    /** The newest instance of each task. */
    private final Map<Integer, TaskInstruments> tasks = new ConcurrentHashMap<>();

    /**
     * Reads the configuration of a topology.
     *
     * @param plan the topology
     * @param loader finds the classes of the submitting program
     * @param registry where components register metrics
     * @param port names the worker
     * @throws IllegalArgumentException when a setting names a class that is not there or is of another kind
     */
    public Instruments(Plan plan, ClassLoader loader, StormMetricRegistry registry, int port) {
        this.conf = plan.conf();
        this.autoHooks = new AutoHooks(conf, loader);
        this.traces = new Traces(plan);
        this.events = new Events(plan.id(), conf);
        this.metrics = new Metrics(plan, registry, port);
        this.checkSerialization = isOn(conf, CHECK_SERIALIZATION);
        this.seals = isOn(conf, CHECK_MUTATION) ? new Seals() : null;
    }

    private static boolean isOn(Map<String, Object> conf, String key) {
        Object value = conf.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw new IllegalArgumentException(key + " is '" + value + "': it must be true or false");
        }
        return Boolean.TRUE.equals(value);
    }

    /**
     * Checks what the configuration says of instruments, without starting anything.
     *
     * @param conf the whole configuration
     * @param loader finds the classes of the submitting program
     * @throws IllegalArgumentException when a setting names a class that is not there or is of another kind
     */
    public static void check(Map<String, Object> conf, ClassLoader loader) {
        new AutoHooks(conf, loader);
        Events.check(conf, loader);
        Metrics.check(conf, loader);
        isOn(conf, CHECK_SERIALIZATION);
        isOn(conf, CHECK_MUTATION);
    }

    /**
     * Has an instance watched as the topology wants it. On the thread that is about to open it.
     *
     * @param component its component
     * @param context its context
     * @param control wraps it
     * @param registered where the context keeps metrics of the older kind: by seconds, task and name
     * @return what its context is to tell of hooks that it is given
     */
    public TaskInstruments attach(
            ComponentPlan component,
            TopologyContext context,
            TaskControl control,
            Map<Integer, Map<Integer, Map<String, IMetric>>> registered) {
        TaskInstruments task = new TaskInstruments(context, conf, control, new Metrics.RegisteredMetrics(registered));
        if (control != TaskControl.NONE && !Utils.isSystemId(component.id())) {
            addWatchers(task, component);
            tasks.put(context.getThisTaskId(), task);
            traces.attach(component, task);
            watchEvents(task);
            metrics.attach(task);
        }
        return task;
    }

    /**
     * Starts the reporters of the topology, before any component registers a metric, and the metrics of the JVM, if anybody gets
     * them.
     *
     * @param context of the system's own task
     * @param registered where it keeps metrics of the older kind
     * @throws IllegalStateException when a reporter cannot be started
     */
    public void start(TopologyContext context, Map<Integer, Map<Integer, Map<String, IMetric>>> registered) {
        metrics.start();
        if (metrics.areWanted()) {
            Map<String, Object> local = new HashMap<>(conf);
            // Else Storm takes it that there can be only one topology in a JVM.
            local.put(Config.STORM_CLUSTER_MODE, "local");
            new SystemBolt().prepare(local, context, null);
            metrics.setSystem(new Metrics.RegisteredMetrics(registered));
        }
    }

    /**
     * Hears that a component has registered a metric of the older kind.
     *
     * @param intervalSecs the length of its bucket, seconds
     */
    public void registered(int intervalSecs) {
        metrics.registered(intervalSecs);
    }

    /**
     * Tells metrics of the system from those of components.
     *
     * @param name a metric's name, without what names topology and task
     * @return whether the system registers it, for a task and not for an instance
     */
    public static boolean isBuiltIn(String name) {
        return Utils.isSystemId(name) || name.equals(Metrics.QUEUED);
    }

    /** Ends reporters and timers. */
    @Override
    public void close() {
        metrics.close();
    }

    private void addWatchers(TaskInstruments task, ComponentPlan component) {
        if (Boolean.TRUE.equals(component.conf().get(Config.TOPOLOGY_DEBUG))) {
            task.add(new DebugLog(task.context()));
        }
        // The guard notes what the check has made of a tuple.
        if (checkSerialization) {
            task.add(new SerializationCheck(task.context(), conf));
        }
        if (seals != null) {
            task.add(new MutationGuard(task.context(), conf, seals, task::report));
        }
    }

    /**
     * Switches what components send to the event logger, as Nimbus' {@code debug} does.
     *
     * @param component the component; null or empty for all of which nothing else was said
     * @param enable whether it sends anything
     * @param samplingPercentage how much of what it emits, percent; a figure out of bounds counts as the nearest in bounds
     * @return completes when all tasks that run now have heard of it; never, if one of them is rebuilt in that moment
     */
    public CompletableFuture<Void> debug(String component, boolean enable, double samplingPercentage) {
        if (enable && !events.areWanted()) {
            LOG.warn(
                    "debug is switched on, but nothing will be logged: the topology has no event logger; set {}",
                    Config.TOPOLOGY_EVENTLOGGER_EXECUTORS);
        }
        events.set(component, enable, samplingPercentage);
        return CompletableFuture.allOf(
                tasks.values().stream().map(this::switchEvents).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * Puts what is said of debugging as Storm keeps it.
     *
     * @param enable whether anything is sent
     * @param samplingPercentage how much of what is emitted, percent; a figure out of bounds counts as the nearest in bounds
     * @return Storm's words for it
     */
    public static DebugOptions debugOptionsOf(boolean enable, double samplingPercentage) {
        return Events.optionsOf(enable, samplingPercentage);
    }

    private CompletableFuture<Void> switchEvents(TaskInstruments task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        task.control().run(() -> {
            watchEvents(task);
            done.complete(null);
        });
        return done;
    }

    /** {@return what {@link #debug} was told, by component, or by the topology's id} */
    public Map<String, DebugOptions> debugOptions() {
        return events.options();
    }

    /** On the thread that runs the instance. */
    private void watchEvents(TaskInstruments task) {
        double percent = events.percentOf(task.context().getThisComponentId());
        EventWatcher watcher = task.find(EventWatcher.class);
        if (percent <= 0) {
            task.remove(watcher);
        } else if (watcher != null) {
            watcher.setPercent(percent);
        } else {
            task.add(new EventWatcher(task, percent));
        }
    }

    /** {@return what components may ask for by {@code TopologyContext.getResource}, by its name} */
    public Map<String, Object> resources() {
        return traces.resources();
    }

    /** {@return new instances of the hooks that every task is given, to be added to its context} */
    public List<ITaskHook> autoHooks() {
        return autoHooks.make();
    }
}
