package io.updraft.storm.instrument;

import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Config;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who watches the instances of one topology, or of one worker's part of it, by its configuration and by what is
 * switched while it runs. Safe to use from any thread.
 */
public final class Instruments {
    /** Whether all tuples are serialized and read again in this JVM, as on the way to another worker; default false. */
    public static final String CHECK_SERIALIZATION = "updraft.check.serialization";

    /** Whether values are looked for that change after they were emitted; default false. */
    public static final String CHECK_MUTATION = "updraft.check.mutation";

    private static final Logger LOG = LoggerFactory.getLogger(Instruments.class);

    private final Map<String, Object> conf;
    private final AutoHooks autoHooks;
    private final Events events;
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
     * @throws IllegalArgumentException when a setting names a class that is not there or is of another kind
     */
    public Instruments(Plan plan, ClassLoader loader) {
        this.conf = plan.conf();
        this.autoHooks = new AutoHooks(conf, loader);
        this.events = new Events(plan.id(), conf);
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
        isOn(conf, CHECK_SERIALIZATION);
        isOn(conf, CHECK_MUTATION);
    }

    /**
     * Has an instance watched as the topology wants it. On the thread that is about to open it.
     *
     * @param component its component
     * @param context its context
     * @param control wraps it
     * @return what its context is to tell of hooks that it is given
     */
    public TaskInstruments attach(ComponentPlan component, TopologyContext context, TaskControl control) {
        TaskInstruments task = new TaskInstruments(context, conf, control);
        if (control != TaskControl.NONE && !Utils.isSystemId(component.id())) {
            addWatchers(task, component);
            tasks.put(context.getThisTaskId(), task);
            watchEvents(task);
        }
        return task;
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

    /** {@return new instances of the hooks that every task is given, to be added to its context} */
    public List<ITaskHook> autoHooks() {
        return autoHooks.make();
    }
}
