package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.instrument.ConfiguredClass.AutoTaskHooks;
import io.updraft.storm.instrument.EventSampling.EventWatcher;
import io.updraft.storm.instrument.MutationCheck.EmittedValuesRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
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
 * Attaches watchers to the instances of one topology, or of one worker's part of it. The configuration and switches at run time
 * select the watchers. Safe to use from any thread.
 */
public final class Instruments implements AutoCloseable {
    /**
     * Setting: whether each tuple is serialized and deserialized in this JVM, as on the way to another worker; default false.
     */
    public static final String CHECK_SERIALIZATION = "updraft.check.serialization";

    /** Setting: whether to detect values that change after their emit; default false. */
    public static final String CHECK_MUTATION = "updraft.check.mutation";

    /**
     * The resource by which a spout's task has the engine keep a message that the spout gives up, with types of the JDK: a {@code
     * BiConsumer<Integer, Map<String, Object>>} of the task and of {@code stream}, {@code messageId}, {@code values} (a list) and
     * {@code failures} (an Integer). See {@link TaskControl#addDeadLetter}.
     */
    private static final String LETTERS = "updraft.letters";

    private static final Logger LOG = LoggerFactory.getLogger(Instruments.class);

    private final Map<String, Object> conf;
    private final AutoTaskHooks autoHooks;
    private final MessageTraces traces;
    private final EventSampling events;
    private final TopologyMetrics metrics;
    private final boolean checkSerialization;
    private final EmittedValuesRegistry seals;

    /** The newest instance of each task. */
    private final Map<Integer, TaskInstruments> tasks = new ConcurrentHashMap<>();

    /**
     * Reads the configuration of a topology.
     *
     * @param plan the topology
     * @param loader the class loader of the submitting program
     * @param registry the registry for metrics of components
     * @param port the port that identifies the worker
     * @throws IllegalArgumentException when a setting names a class that does not exist or is of another type
     */
    public Instruments(Plan plan, ClassLoader loader, StormMetricRegistry registry, int port) {
        this.conf = plan.conf();
        this.autoHooks = new AutoTaskHooks(conf, loader);
        this.events = new EventSampling(plan.id(), conf);
        this.metrics = new TopologyMetrics(plan, registry, port);
        this.checkSerialization = isOn(conf, CHECK_SERIALIZATION);
        this.traces = new MessageTraces(plan, checkSerialization);
        this.seals = isOn(conf, CHECK_MUTATION) ? new EmittedValuesRegistry() : null;
    }

    private static boolean isOn(Map<String, Object> conf, String key) {
        Object value = conf.get(key);
        if (value != null && !(value instanceof Boolean)) {
            throw new IllegalArgumentException(key + " is '" + value + "': it must be true or false");
        }
        return Boolean.TRUE.equals(value);
    }

    /**
     * Checks the settings of instruments without starting anything.
     *
     * @param conf the whole configuration
     * @param loader the class loader of the submitting program
     * @throws IllegalArgumentException when a setting names a class that does not exist or is of another type
     */
    public static void check(Map<String, Object> conf, ClassLoader loader) {
        new AutoTaskHooks(conf, loader);
        EventSampling.check(conf, loader);
        TopologyMetrics.check(conf, loader);
        isOn(conf, CHECK_SERIALIZATION);
        isOn(conf, CHECK_MUTATION);
    }

    /**
     * Attaches the watchers that the topology is configured with to an instance. Called on the thread that is about to open the
     * instance.
     *
     * @param component the instance's component
     * @param context the instance's context
     * @param control controls the instance, and wraps it
     * @param registered the metrics of the older kind in the context: by interval in seconds, task and name
     * @return to be called when the context has got a hook
     */
    public Runnable attach(
            ComponentPlan component,
            TopologyContext context,
            TaskControl control,
            Map<Integer, Map<Integer, Map<String, IMetric>>> registered) {
        TaskInstruments task = new TaskInstruments(context, conf, control, new RegisteredMetrics(registered));
        if (control != TaskControl.NONE && !Utils.isSystemId(component.id())) {
            addWatchers(task, component);
            tasks.put(context.getThisTaskId(), task);
            traces.attach(component, task);
            watchEvents(task);
            metrics.attach(task);
        }
        return task::hooked;
    }

    /**
     * Starts the reporters of the topology, before any component registers a metric. Also starts the metrics of the JVM, if the
     * topology has reporters or consumers.
     *
     * @param context the context of the system's own task
     * @param registered the metrics of the older kind in that context
     * @throws IllegalStateException when a reporter cannot be started
     */
    public void start(TopologyContext context, Map<Integer, Map<Integer, Map<String, IMetric>>> registered) {
        metrics.start();
        if (metrics.areWanted()) {
            Map<String, Object> local = new HashMap<>(conf);
            // Otherwise Storm assumes that the JVM runs only one topology.
            local.put(Config.STORM_CLUSTER_MODE, "local");
            new SystemBolt().prepare(local, context, null);
            metrics.setSystem(new RegisteredMetrics(registered));
        }
    }

    /**
     * Notes that a component has registered a metric of the older kind.
     *
     * @param intervalSecs the length of the metric's interval, in seconds
     */
    public void registered(int intervalSecs) {
        metrics.registered(intervalSecs);
    }

    /**
     * Removes the metrics of a task's previous instance. Metrics that Storm itself counts for a task stay.
     *
     * @param taskId the task
     */
    public void forgetMetrics(int taskId) {
        metrics.forget(taskId);
    }

    /** Ends reporters and timers. */
    @Override
    public void close() {
        metrics.close();
    }

    private void addWatchers(TaskInstruments task, ComponentPlan component) {
        if (Boolean.TRUE.equals(component.conf().get(Config.TOPOLOGY_DEBUG))) {
            task.add(new DebugLogWatcher(task.context()));
        }
        // The guard must see the tuple that the check returns.
        if (checkSerialization) {
            task.add(new SerializationCheck(task.context(), conf));
        }
        if (seals != null) {
            task.add(new MutationCheck(task.context(), conf, seals, task::report));
        }
    }

    /**
     * Switches which tuples components send to the event logger, as Nimbus' {@code debug} does.
     *
     * @param component the component; null or empty for all components without an option of their own
     * @param enable whether the component sends any tuple
     * @param samplingPercentage the share of emitted tuples to send, in percent; a value out of bounds is clamped to 0 or 100
     * @return completes when all running tasks have switched; never completes if a task restarts at that moment
     */
    public CompletableFuture<Void> debug(String component, boolean enable, double samplingPercentage) {
        if (enable && !events.areWanted()) {
            LOG.warn(
                    "debug is on, but nothing will be logged: the topology has no event logger; set {}",
                    Config.TOPOLOGY_EVENTLOGGER_EXECUTORS);
        }
        events.set(component, enable, samplingPercentage);
        return CompletableFuture.allOf(
                tasks.values().stream().map(this::switchEvents).toArray(CompletableFuture<?>[]::new));
    }

    /**
     * {@return debug options as Storm's structure}
     *
     * @param enable whether to send any tuple
     * @param samplingPercentage the share of emitted tuples to send, in percent; a value out of bounds is clamped to 0 or 100
     */
    public static DebugOptions debugOptionsOf(boolean enable, double samplingPercentage) {
        return EventSampling.optionsOf(enable, samplingPercentage);
    }

    private CompletableFuture<Void> switchEvents(TaskInstruments task) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        task.control().run(() -> {
            watchEvents(task);
            done.complete(null);
        });
        return done;
    }

    /** {@return the options set by {@link #debug}, by component, or by the topology's id for all components} */
    public Map<String, DebugOptions> debugOptions() {
        return events.options();
    }

    /** Adds, changes or removes the event watcher. Called on the thread that runs the instance. */
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

    /** {@return the resources that components get by {@code TopologyContext.getResource}, by name} */
    public Map<String, Object> resources() {
        Map<String, Object> resources = new HashMap<>(traces.resources());
        BiConsumer<Integer, Map<String, Object>> letters = this::addDeadLetter;
        resources.put(LETTERS, letters);
        return resources;
    }

    @SuppressWarnings("unchecked") // see LETTERS
    private void addDeadLetter(int taskId, Map<String, Object> letter) {
        TaskInstruments task = tasks.get(taskId);
        if (task != null) {
            task.control()
                    .addDeadLetter(
                            (String) letter.get("stream"),
                            letter.get("messageId"),
                            (List<Object>) letter.get("values"),
                            (Integer) letter.get("failures"));
        }
    }

    /** {@return new instances of the hooks of every task, to be added to the task's context} */
    public List<ITaskHook> autoHooks() {
        return autoHooks.make();
    }
}
