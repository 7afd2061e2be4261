package io.updraft.storm.context;

import io.updraft.engine.plan.UserObjects;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.hooks.IWorkerHook;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.utils.Utils;

/** The worker hooks of one topology ({@code TopologyBuilder.addWorkerHook}), started in the order in which they were added. */
final class WorkerHooks {
    private final List<IWorkerHook> started = new ArrayList<>();

    private WorkerHooks() {}

    /** Starts the hooks of a topology. If a hook throws, the hooks started before it are shut down. */
    static WorkerHooks start(TopologyFacts facts, ClassLoader loader) {
        WorkerHooks hooks = new WorkerHooks();
        StormTopology topology = facts.topology();
        if (!topology.is_set_worker_hooks() || topology.get_worker_hooks().isEmpty()) {
            return hooks;
        }
        WorkerUserContext context = contextOf(facts);
        for (ByteBuffer serialized : topology.get_worker_hooks()) {
            byte[] bytes = Utils.toByteArray(serialized.duplicate());
            hooks.start((IWorkerHook) UserObjects.read(bytes, loader, "a worker hook"), context);
        }
        return hooks;
    }

    /** Shuts down all hooks, even if one throws. Throws the first failure at the end. */
    void shutdown() {
        RuntimeException first = null;
        for (IWorkerHook hook : started) {
            try {
                hook.shutdown();
            } catch (RuntimeException | Error e) {
                IllegalStateException failure = new IllegalStateException(
                        "worker hook " + hook.getClass().getName() + " failed at shutdown: " + e, e);
                first = first == null ? failure : first;
            }
        }
        started.clear();
        if (first != null) {
            throw first;
        }
    }

    private void start(IWorkerHook hook, WorkerUserContext context) {
        try {
            hook.start(context.getConf(), context);
        } catch (RuntimeException | Error e) {
            IllegalStateException failure = new IllegalStateException(
                    "worker hook " + hook.getClass().getName() + " cannot be started: " + e, e);
            try {
                shutdown();
            } catch (RuntimeException another) {
                failure.addSuppressed(another);
            }
            throw failure;
        }
        started.add(hook);
    }

    private static WorkerUserContext contextOf(TopologyFacts facts) {
        Optional<WorkerPlace.Slot> slot = facts.place().slot();
        return new WorkerUserContext(
                facts.topology(),
                facts.plan().conf(),
                facts.taskToComponent(),
                facts.componentToTasks(),
                facts.componentToStreamToFields(),
                facts.plan().id(),
                facts.resources().directories().code(),
                facts.resources().directories().pids(),
                facts.place().port(),
                facts.workerTasks(),
                facts.resources().defaults(),
                facts.resources().users(),
                slot.map(WorkerPlace.Slot::taskToNodePort).orElse(null),
                slot.map(WorkerPlace.Slot::node).orElse(null),
                slot.map(WorkerPlace.Slot::nodeToHost).orElse(null));
    }
}
