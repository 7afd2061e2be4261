package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.context.WorkerPlace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.VersionInfo;

/**
 * Summaries of a cluster and the states of its topologies as Storm's Thrift structures: one host, one supervisor, and one leader.
 */
final class ClusterSummaries {

    public static final String HOST = "localhost";
    static final String SUPERVISOR = "updraft";

    /** A topology is kept on one host. */
    static final int REPLICAS = 1;

    private ClusterSummaries() {}

    static TopologySummary of(EmbeddedTopology topology) {
        Plan plan = topology.engine().plan();
        TopologySummary summary = new TopologySummary(
                topology.id(),
                topology.name(),
                tasksOf(plan),
                plan.executors().size(),
                plan.workers(),
                secondsOf(topology.engine().snapshot()),
                topology.status());
        summary.set_storm_version(topology.topology().get_storm_version());
        summary.set_owner(ownerOf(topology));
        summary.set_replication_count(REPLICAS);
        return summary;
    }

    static List<TopologySummary> of(List<EmbeddedTopology> topologies) {
        List<TopologySummary> summaries = new ArrayList<>();
        topologies.forEach(topology -> summaries.add(of(topology)));
        return summaries;
    }

    static ClusterSummary ofCluster(
            List<EmbeddedTopology> topologies, NimbusAddress nimbus, int uptimeSecs, Map<String, Object> conf) {
        int workers = topologies.stream()
                .mapToInt(topology -> topology.engine().plan().workers())
                .sum();
        SupervisorSummary supervisor = new SupervisorSummary(HOST, uptimeSecs, workers, workers, SUPERVISOR);
        supervisor.set_version(VersionInfo.getVersion());
        supervisor.set_total_resources(resourcesOf(conf));
        return new ClusterSummary(
                new ArrayList<>(List.of(supervisor)),
                of(topologies),
                new ArrayList<>(List.of(leader(nimbus, uptimeSecs))));
    }

    /** Returns the configured resources of the supervisor. Nothing here schedules by them. */
    private static Map<String, Double> resourcesOf(Map<String, Object> conf) {
        Map<String, Double> resources = new HashMap<>();
        resources.put(
                Constants.COMMON_TOTAL_MEMORY_RESOURCE_NAME,
                ObjectReader.getDouble(conf.get(Config.SUPERVISOR_MEMORY_CAPACITY_MB), 0.0));
        resources.put(
                Constants.COMMON_CPU_RESOURCE_NAME,
                ObjectReader.getDouble(conf.get(Config.SUPERVISOR_CPU_CAPACITY), 0.0));
        return resources;
    }

    /** Returns the leader, which Storm's clients request and then connect to. */
    static NimbusSummary leader(NimbusAddress nimbus, int uptimeSecs) {
        NimbusSummary leader =
                new NimbusSummary(nimbus.host(), nimbus.port(), uptimeSecs, true, VersionInfo.getVersion());
        leader.set_tlsPort(nimbus.tlsPort());
        return leader;
    }

    /** Returns the resources in use by owner of topologies: of one owner, or of all if {@code owner} is null or empty. */
    static List<OwnerResourceSummary> ofOwners(List<EmbeddedTopology> topologies, String owner) {
        Map<String, OwnerResourceSummary> owners = new TreeMap<>();
        for (EmbeddedTopology topology : topologies) {
            String name = ownerOf(topology);
            if (owner == null || owner.isEmpty() || owner.equals(name)) {
                add(
                        owners.computeIfAbsent(name, OwnerResourceSummary::new),
                        topology.engine().plan());
            }
        }
        return new ArrayList<>(owners.values());
    }

    private static void add(OwnerResourceSummary owner, Plan plan) {
        owner.set_total_topologies(owner.get_total_topologies() + 1);
        owner.set_total_workers(owner.get_total_workers() + plan.workers());
        owner.set_total_executors(owner.get_total_executors() + plan.executors().size());
        owner.set_total_tasks(owner.get_total_tasks() + tasksOf(plan));
    }

    static String ownerOf(EmbeddedTopology topology) {
        return (String) topology.conf().get(Config.TOPOLOGY_SUBMITTER_USER);
    }

    static int tasksOf(Plan plan) {
        return plan.components().stream()
                .mapToInt(component -> component.taskIds().length)
                .sum();
    }

    static TopologyInfo of(EmbeddedTopology topology, NumErrorsChoice choice) {
        Plan plan = topology.engine().plan();
        EngineSnapshot snapshot = topology.engine().snapshot();
        TopologyInfo info = new TopologyInfo(
                topology.id(),
                topology.name(),
                secondsOf(snapshot),
                executors(plan, snapshot, topology.history().windows(snapshot)),
                topology.status(),
                errors(plan, snapshot, choice));
        info.set_storm_version(topology.topology().get_storm_version());
        info.set_component_debug(topology.debugOptions());
        info.set_owner(ownerOf(topology));
        return info;
    }

    private static List<ExecutorSummary> executors(
            Plan plan, EngineSnapshot snapshot, Map<String, List<WindowCounts>> windows) {
        List<ExecutorSummary> summaries = new ArrayList<>();
        for (ComponentPlan component : plan.components()) {
            for (int index : component.executors()) {
                ExecutorPlan executor = plan.executors().get(index);
                ExecutorSummary summary = summaryOf(executor, component, secondsOf(snapshot));
                summary.set_stats(ExecutorStatistics.of(
                        component.spout(), ExecutorStatistics.byWindow(component, executor, windows)));
                summaries.add(summary);
            }
        }
        return summaries;
    }

    static ExecutorSummary summaryOf(ExecutorPlan executor, ComponentPlan component, int uptimeSecs) {
        int[] tasks = executor.taskIds();
        return new ExecutorSummary(
                new ExecutorInfo(tasks[0], tasks[tasks.length - 1]),
                component.id(),
                HOST,
                WorkerPlace.portOf(executor.worker()),
                uptimeSecs);
    }

    static Map<String, List<ErrorInfo>> errors(Plan plan, EngineSnapshot snapshot, NumErrorsChoice choice) {
        Map<String, List<ErrorInfo>> errors = new HashMap<>();
        plan.components().forEach(component -> errors.put(component.id(), new ArrayList<>()));
        if (choice == NumErrorsChoice.NONE) {
            return errors;
        }
        List<ErrorReport> oldestFirst = snapshot.recentErrors();
        for (int i = oldestFirst.size() - 1; i >= 0; i--) {
            ErrorReport report = oldestFirst.get(i);
            List<ErrorInfo> newestFirst = errors.computeIfAbsent(report.componentId(), id -> new ArrayList<>());
            if (choice != NumErrorsChoice.ONE || newestFirst.isEmpty()) {
                newestFirst.add(infoOf(plan, report));
            }
        }
        return errors;
    }

    private static ErrorInfo infoOf(Plan plan, ErrorReport report) {
        StringWriter trace = new StringWriter();
        report.error().printStackTrace(new PrintWriter(trace, true));
        int seconds = (int) TimeUnit.MILLISECONDS.toSeconds(report.timeMillis());
        ErrorInfo info = new ErrorInfo(trace.toString(), seconds);
        info.set_host(HOST);
        info.set_port(WorkerPlace.portOf(workerOf(plan, report.taskId())));
        return info;
    }

    /** {@return the worker of a task; 0 for the engine's own errors, which have no task} */
    private static int workerOf(Plan plan, int task) {
        boolean exists = task > 0 && task < plan.taskToExecutor().length;
        return exists ? plan.executors().get(plan.taskToExecutor()[task]).worker() : 0;
    }

    static int secondsOf(EngineSnapshot snapshot) {
        return (int) TimeUnit.NANOSECONDS.toSeconds(snapshot.uptimeNanos());
    }
}
