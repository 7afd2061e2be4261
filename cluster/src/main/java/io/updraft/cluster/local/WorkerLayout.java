package io.updraft.cluster.local;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.storm.TopologyChange;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;

/**
 * The distribution of a topology over workers, checked as far as possible before any worker is started.
 *
 * @param conf the whole configuration, without values derived from the number of workers
 * @param requested the configured number of workers; the plan has fewer if there are fewer executors
 * @param commands the command of each worker, in the order of their numbers
 */
record WorkerLayout(Map<String, Object> conf, int requested, Plan plan, List<WorkerCommand> commands) {
    /**
     * Plans a topology for the number of workers in its configuration. User classes are loaded with the calling thread's context
     * class loader.
     */
    static WorkerLayout of(
            StormTopology topology, Map<String, Object> conf, EngineOptions options, WorkerSettings settings) {
        WorkerConf.check(conf);
        int requested = WorkerConf.workers(conf);
        int workers = Math.min(requested, executors(topology, conf, options));
        Map<String, Object> whole = withWorkers(conf, workers);
        Plan plan = Planner.plan(
                options.name(), options.id(), topology, whole, EngineSettings.of(whole), Assignment.even(workers));
        try {
            return new WorkerLayout(conf, requested, plan, WorkerCommand.all(settings, whole, plan.id(), workers));
        } catch (IllegalArgumentException e) {
            throw new InvalidTopology("topology '" + plan.name() + "': " + e.getMessage(), e);
        }
    }

    private static int executors(StormTopology topology, Map<String, Object> conf, EngineOptions options) {
        return Planner.plan(options.name(), options.id(), topology, conf, EngineSettings.of(conf))
                .executors()
                .size();
    }

    /** Divides the cores among the workers, unless the configuration sets the number of loops. */
    private static Map<String, Object> withWorkers(Map<String, Object> conf, int workers) {
        Map<String, Object> whole = new HashMap<>(conf);
        whole.put(Config.TOPOLOGY_WORKERS, workers);
        int cores = Runtime.getRuntime().availableProcessors();
        whole.putIfAbsent(EngineSettings.LOOPS, Math.max(1, cores / workers));
        return whole;
    }

    /** Plans the same topology with other numbers of workers and executors. Its tasks keep their numbers. */
    WorkerLayout with(TopologyChange change, EngineOptions options, WorkerSettings settings) {
        Map<String, Object> changed = new HashMap<>(conf);
        changed.putAll(change.conf());
        changed.put(Config.TOPOLOGY_WORKERS, change.workers().orElse(requested));
        StormTopology topology = plan.topology().deepCopy();
        change.executors().forEach((component, count) -> setExecutors(topology, plan.component(component), count));
        return of(topology, changed, options, settings);
    }

    /**
     * Sets the executors as Nimbus does at a submission: the tasks go into the component's configuration, the executors into
     * its hint.
     */
    private static void setExecutors(StormTopology topology, ComponentPlan component, int count) {
        if (count < 1) {
            throw new InvalidTopology(
                    "component '" + component.id() + "' cannot have " + count + " executors: give it at least 1");
        }
        int tasks = component.taskIds().length;
        ComponentCommon common = component.spout()
                ? topology.get_spouts().get(component.id()).get_common()
                : topology.get_bolts().get(component.id()).get_common();
        common.set_parallelism_hint(Math.min(count, tasks));
        String json = common.get_json_conf();
        Map<String, Object> configured = json == null || json.isEmpty() ? new HashMap<>() : Utils.parseJson(json);
        configured.put(Config.TOPOLOGY_TASKS, tasks);
        common.set_json_conf(JSONValue.toJSONString(configured));
    }

    int workers() {
        return plan.workers();
    }

    boolean isSameAs(WorkerLayout other) {
        return workers() == other.workers()
                && Arrays.equals(plan.taskToExecutor(), other.plan.taskToExecutor())
                && withoutWorkers().equals(other.withoutWorkers());
    }

    private Map<String, Object> withoutWorkers() {
        Map<String, Object> rest = new HashMap<>(conf);
        rest.remove(Config.TOPOLOGY_WORKERS);
        return rest;
    }
}
