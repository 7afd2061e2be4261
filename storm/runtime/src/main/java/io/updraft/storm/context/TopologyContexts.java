package io.updraft.storm.context;

import com.codahale.metrics.SharedMetricRegistries;
import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.component.ReplacedComponents;
import io.updraft.storm.instrument.Instruments;
import io.updraft.storm.program.DeserializationLoader;
import io.updraft.storm.program.JarClassLoader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Constants;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;

/**
 * Creates the {@link TopologyContext} with which the components of one topology are opened and prepared. The context is Storm's
 * own class, filled from the plan. One instance serves one topology from its start to its end.
 *
 * <p>Guarantees to components:
 * <ul>
 *   <li>tasks, streams, fields, sources and targets are those of the submitted topology, as in Storm;
 *   <li>{@code getFields} works for ticks and other system tuples;
 *   <li>{@code getThisWorkerTasks} returns the tasks of this worker, which are all tasks if there is only one worker;
 *   <li>directories exist once a component requests them, and are removed with the topology;
 *   <li>metrics can be registered, and are sent to the topology's consumers and reporters. After a restart, an instance
 *   registers its metrics anew under the same names, and those of the previous instance are dropped;
 *   <li>the worker hooks of the topology start before the first component is prepared: by {@link #start}, or with the first
 *   context if {@link #start} was not called.
 * </ul>
 *
 * <p>Safe to use from any thread.
 */
public final class TopologyContexts implements ContextFactory, AutoCloseable {
    private final WorkerPlace place;
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final Set<Integer> tasksSeen = ConcurrentHashMap.newKeySet();
    private final ComponentCredentials credentials = new ComponentCredentials();
    private TopologyFacts facts;
    private WorkerHooks hooks;
    private volatile Instruments instruments;

    /**
     * Creates the factory for one topology, on the thread that submits it. That thread's context class loader must find the
     * program's classes. The constructor starts nothing and creates no files.
     */
    public TopologyContexts() {
        this(WorkerPlace.local(0));
    }

    /**
     * Creates the factory for one worker's part of a topology.
     *
     * @param place the place where the worker runs
     */
    public TopologyContexts(WorkerPlace place) {
        this.place = place;
    }

    /**
     * Starts the reporters of metrics and the worker hooks, which a worker starts before its components. Later calls do
     * nothing.
     *
     * @param plan the plan to run
     * @throws RuntimeException when one of them cannot be started; those already started have then ended
     */
    public void start(Plan plan) {
        prepared(plan);
    }

    @Override
    public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData) {
        return create(plan, component, taskId, executorData, TaskControl.NONE);
    }

    @Override
    public TopologyContext create(
            Plan plan, ComponentPlan component, int taskId, Map<String, Object> executorData, TaskControl control) {
        TopologyFacts shared = prepared(plan);
        JarClassLoader program = JarClassLoader.among(loader);
        if (program != null) {
            DeserializationLoader.use(program);
        }
        if (!tasksSeen.add(taskId)) {
            instruments.forgetMetrics(taskId);
        }
        EmbeddedContext context = new EmbeddedContext(shared, taskId, executorData);
        if (control != TaskControl.NONE) {
            context.setControl(control);
            attach(context, component, control);
        }
        return context;
    }

    /**
     * Replaces the slow parts of Storm's own components, registers an instance for credentials, and wraps components with
     * subprocesses in a guard.
     */
    @Override
    public Object adopt(Plan plan, ComponentPlan component, int taskId, Object instance, TopologyContext context) {
        if (!(context instanceof EmbeddedContext embedded)) {
            return instance;
        }
        Object replaced = ReplacedComponents.withoutStormsLimits(instance, component.conf());
        credentials.adopt(replaced, taskId, embedded.control());
        return ReplacedComponents.guard(
                replaced,
                embedded.control(),
                () -> Path.of(embedded.getPIDDir()),
                place.slot().map(WorkerPlace.Slot::pids));
    }

    /**
     * Replaces the credentials of the topology's components in this process. Components that listen receive them on their own
     * threads.
     *
     * @param all the new credentials
     */
    public void setCredentials(Map<String, String> all) {
        credentials.set(all);
    }

    private void attach(EmbeddedContext context, ComponentPlan component, TaskControl control) {
        Instruments all = instruments;
        context.setInstruments(all, all.attach(component, context, control, context.registered()));
        if (!Utils.isSystemId(component.id())) {
            all.autoHooks().forEach(hook -> add(hook, context));
        }
    }

    /** Adds a task hook. If the hook cannot be prepared, the component cannot be opened; in Storm, the worker ends. */
    private static void add(ITaskHook hook, EmbeddedContext context) {
        try {
            context.addTaskHook(hook);
        } catch (RuntimeException e) {
            throw new IllegalStateException("task hook " + hook.getClass().getName() + " cannot be prepared: " + e, e);
        }
    }

    /**
     * Switches which tuples components send to the event logger, as Nimbus' {@code debug} does.
     *
     * @param plan the running plan
     * @param component the component; null or empty for all components without an option of their own
     * @param enable whether the component sends any tuple
     * @param samplingPercentage the share of emitted tuples to send, in percent
     * @return completes when all running tasks have switched; never completes if a task restarts at that moment
     */
    public CompletableFuture<Void> debug(Plan plan, String component, boolean enable, double samplingPercentage) {
        factsOf(plan);
        return instruments.debug(component, enable, samplingPercentage);
    }

    /**
     * Applies all debug options of a topology.
     *
     * @param plan the running plan
     * @param options the options by component, or by the topology's id for all components
     * @return completes when all running tasks have switched; never completes if a task restarts at that moment
     */
    public CompletableFuture<Void> debug(Plan plan, Map<String, DebugOptions> options) {
        return CompletableFuture.allOf(options.entrySet().stream()
                .map(each -> debug(
                        plan,
                        each.getKey(),
                        each.getValue().is_enable(),
                        each.getValue().get_samplingpct()))
                .toArray(CompletableFuture<?>[]::new));
    }

    /** {@return the options set by {@link #debug}, by component, or by the topology's id for all components} */
    public Map<String, DebugOptions> debugOptions() {
        Instruments all = instruments;
        return all == null ? Map.of() : all.debugOptions();
    }

    /**
     * {@return a new context of tuples that come from other workers; starts no worker hook}
     *
     * @param plan the running plan
     */
    public GeneralTopologyContext tupleContext(Plan plan) {
        TopologyFacts shared = factsOf(plan);
        return new GeneralTopologyContext(
                shared.topology(),
                plan.conf(),
                shared.taskToComponent(),
                shared.componentToTasks(),
                shared.componentToStreamToFields(),
                plan.id());
    }

    /**
     * Ends the worker hooks and the shared thread pool, and removes the temporary directories. Call this after the last
     * component is closed. Idempotent.
     */
    @Override
    public synchronized void close() {
        if (facts != null) {
            try {
                if (hooks != null) {
                    hooks.shutdown();
                }
            } finally {
                instruments.close();
                facts.resources().close();
                facts = null;
                hooks = null;
            }
        }
    }

    private synchronized TopologyFacts factsOf(Plan plan) {
        if (facts == null) {
            facts = TopologyFacts.of(plan, place, loader);
            instruments =
                    new Instruments(plan, loader, facts.metrics(), facts.place().port());
            facts.resources().users().putAll(instruments.resources());
        }
        return facts;
    }

    private synchronized TopologyFacts prepared(Plan plan) {
        TopologyFacts shared = factsOf(plan);
        if (hooks == null) {
            try {
                // As in Storm's worker, before the hooks can create a registry of that name.
                place.slot()
                        .ifPresent(slot -> SharedMetricRegistries.add(
                                Constants.WORKER_METRICS_REGISTRY,
                                shared.metrics().getRegistry()));
                startMetrics(shared);
                hooks = WorkerHooks.start(shared, loader);
            } catch (RuntimeException e) {
                instruments.close();
                shared.resources().close();
                facts = null;
                throw e;
            }
        }
        return shared;
    }

    private void startMetrics(TopologyFacts shared) {
        EmbeddedContext system = new EmbeddedContext(shared, (int) Constants.SYSTEM_TASK_ID, new HashMap<>());
        system.setInstruments(instruments, null);
        instruments.start(system, system.registered());
    }

    /**
     * The credentials of a topology. As in Storm, each component that implements {@link ICredentialsListener} receives them before
     * it is opened or prepared, and again after each upload. Without credentials it receives an empty map. The calls run on the
     * thread of the component.
     *
     * <p>Safe to use from any thread.
     */
    private static final class ComponentCredentials {
        private final Map<Integer, Listener> listeners = new ConcurrentHashMap<>();
        private volatile Map<String, String> current = Map.of();

        private record Listener(ICredentialsListener instance, TaskControl control) {
            void receive(Map<String, String> credentials) {
                instance.setCredentials(new HashMap<>(credentials));
            }
        }

        void set(Map<String, String> credentials) {
            Map<String, String> all = Collections.unmodifiableMap(new HashMap<>(Objects.requireNonNull(credentials)));
            current = all;
            listeners.values().forEach(each -> each.control().run(() -> each.receive(all)));
        }

        /** Registers a new instance of a task in place of the previous one, before the instance is opened. */
        void adopt(Object instance, int task, TaskControl control) {
            if (instance instanceof ICredentialsListener listening) {
                Listener listener = new Listener(listening, control);
                listeners.put(task, listener);
                listener.receive(current);
            }
        }
    }
}
