package io.updraft.storm;

import com.codahale.metrics.Metric;
import com.codahale.metrics.SharedMetricRegistries;
import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.instrument.Instruments;
import io.updraft.storm.multilang.Shells;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.Constants;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.hooks.ITaskHook;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.utils.Utils;

/**
 * Makes the {@link TopologyContext} that the components of one topology are opened and prepared with: Storm's own class,
 * filled from the plan. One of these serves one topology from its start to its end.
 *
 * <p>What components may rely on:
 * <ul>
 *   <li>tasks, streams, fields, sources and targets are those of the topology as submitted, as in Storm;
 *   <li>{@code getFields} works for ticks and other system tuples;
 *   <li>{@code getThisWorkerTasks} names the tasks of this worker, which are all where there is only one;
 *   <li>directories exist once asked for, and go with the topology;
 *   <li>metrics can be registered, and go to consumers and reporters if the topology has some. A rebuilt instance registers its metrics anew under the
 *       same names, and those of the instance before it are dropped;
 *   <li>the worker hooks of the topology were started before the first component is prepared, by {@link #start}, or with the
 *       first context if nobody calls it.
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
     * Creates the factory for one topology, on the thread that submits it: its context class loader is the one that
     * finds the program's classes. Nothing is started or made on disk by this.
     */
    public TopologyContexts() {
        this(WorkerPlace.local(0));
    }

    /**
     * Creates the factory for one worker's part of a topology.
     *
     * @param place where the worker runs
     */
    public TopologyContexts(WorkerPlace place) {
        this.place = place;
    }

    /**
     * Starts what a worker has before it has components: reporters of metrics and worker hooks. Once.
     *
     * @param plan the plan that is to be run
     * @throws RuntimeException when one of them cannot be started; those that were started have ended then
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
        if (loader instanceof JarClassLoader) {
            ProgramLoaders.use(loader);
        }
        if (!tasksSeen.add(taskId)) {
            forgetMetrics(shared.metrics(), taskId);
        }
        EmbeddedContext context = new EmbeddedContext(shared, taskId, executorData);
        if (control != TaskControl.NONE) {
            context.setControl(control);
            attach(context, component, control);
        }
        return context;
    }

    /** Gives components their credentials, and puts a guard before those with subprocesses. */
    @Override
    public Object adopt(Object instance, TopologyContext context) {
        if (!(context instanceof EmbeddedContext embedded)) {
            return instance;
        }
        credentials.adopt(instance, context.getThisTaskId(), embedded.control());
        return Shells.guard(
                instance,
                embedded.control(),
                () -> Path.of(embedded.getPIDDir()),
                place.slot().map(WorkerPlace.Slot::pids));
    }

    /**
     * Replaces the credentials of the topology's components in this process. Those that listen are told on their own threads.
     *
     * @param all the credentials now
     */
    public void setCredentials(Map<String, String> all) {
        credentials.set(all);
    }

    /** {@return the credentials of the topology's components in this process} */
    ComponentCredentials credentials() {
        return credentials;
    }

    private void attach(EmbeddedContext context, ComponentPlan component, TaskControl control) {
        Instruments all = instruments;
        context.setInstruments(all, all.attach(component, context, control, context.registered()));
        if (!Utils.isSystemId(component.id())) {
            all.autoHooks().forEach(hook -> add(hook, context));
        }
    }

    /** In Storm one that cannot be prepared ends the worker; here it is the component that cannot be opened. */
    private static void add(ITaskHook hook, EmbeddedContext context) {
        try {
            context.addTaskHook(hook);
        } catch (RuntimeException e) {
            throw new IllegalStateException(
                    "task hook " + hook.getClass().getName() + " could not be prepared: " + e, e);
        }
    }

    /**
     * Switches what components send to the event logger, as Nimbus' {@code debug} does.
     *
     * @param plan the plan that is run
     * @param component the component; null or empty for all of which nothing else was said
     * @param enable whether it sends anything
     * @param samplingPercentage how much of what it emits, percent
     * @return completes when all tasks that run now have heard of it; never, if one of them is rebuilt in that moment
     */
    public CompletableFuture<Void> debug(Plan plan, String component, boolean enable, double samplingPercentage) {
        factsOf(plan);
        return instruments.debug(component, enable, samplingPercentage);
    }

    /**
     * The same, for all that was said of a topology.
     *
     * @param plan the plan that is run
     * @param options what was said, by component, or by the topology's id
     * @return completes when all tasks that run now have heard of it; never, if one of them is rebuilt in that moment
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

    /** What {@link #debug} was told, by component, or by the topology's id. */
    Map<String, DebugOptions> debugOptions() {
        Instruments all = instruments;
        return all == null ? Map.of() : all.debugOptions();
    }

    /**
     * Makes what tuples show as their context that come from other workers. Starts no worker hook.
     *
     * @param plan the plan that is run
     * @return a new context
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
     * Ends the worker hooks, the shared thread pool and the temporary directories. Call it when the last component is
     * closed. Idempotent.
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

    /** The facts, once the hooks were started. */
    private synchronized TopologyFacts prepared(Plan plan) {
        TopologyFacts shared = factsOf(plan);
        if (hooks == null) {
            try {
                // Where Storm's worker has it, before the hooks can make one of their own.
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

    /** What Storm itself counts of a task outlives its instances. */
    private static void forgetMetrics(StormMetricRegistry metrics, int taskId) {
        Set<Metric> stale = new HashSet<>();
        addUsers(stale, metrics.getTaskGauges(taskId));
        addUsers(stale, metrics.getTaskCounters(taskId));
        addUsers(stale, metrics.getTaskMeters(taskId));
        addUsers(stale, metrics.getTaskTimers(taskId));
        addUsers(stale, metrics.getTaskHistograms(taskId));
        metrics.deregister(stale);
    }

    private static void addUsers(Set<Metric> stale, Map<String, ? extends Metric> byName) {
        byName.forEach((name, metric) -> {
            if (!Instruments.isBuiltIn(name)) {
                stale.add(metric);
            }
        });
    }
}
