package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.InputSnapshot;
import io.updraft.engine.snapshot.OutputSnapshot;
import io.updraft.storm.context.WorkerPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SpecificAggregateStats;
import org.apache.storm.generated.SpoutAggregateStats;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedNotAliveException;

/**
 * The pages of Storm's user interface for a topology, as Thrift structures, for the interface and for programs that read the
 * same data.
 *
 * <p>Capacity is the share of the last ten minutes that the busiest executor of a component has spent in user code, as in
 * Storm.
 */
final class TopologyPages {
    private static final String TEN_MINUTES = "600";
    private static final double DEFAULT_ON_HEAP_MB = 128;
    private static final double DEFAULT_CPU_PERCENT = 10;

    private final EmbeddedTopology topology;
    private final boolean withSystem;
    private final Plan plan;
    private final EngineSnapshot snapshot;
    private final Map<String, List<WindowCounts>> windows;
    private final Map<String, List<ErrorInfo>> errors;

    private TopologyPages(EmbeddedTopology topology, boolean withSystem) {
        this.topology = topology;
        this.withSystem = withSystem;
        this.plan = topology.engine().plan();
        this.snapshot = topology.engine().snapshot();
        this.windows = topology.history().windows(snapshot);
        this.errors = ClusterSummaries.errors(plan, snapshot, NumErrorsChoice.ALL);
    }

    /** Returns the page of a topology; a window that is not one of Storm's has no counts. */
    static TopologyPageInfo topology(EmbeddedTopology topology, String window, boolean withSystem) {
        return new TopologyPages(topology, withSystem).topologyPage(window);
    }

    /**
     * Returns the page of a component, with the counts of all windows, and by stream and executor for the given window.
     */
    static ComponentPageInfo component(EmbeddedTopology topology, String componentId, String window, boolean withSystem)
            throws NotAliveException {
        TopologyPages pages = new TopologyPages(topology, withSystem);
        for (ComponentPlan component : pages.plan.components()) {
            if (component.id().equals(componentId)) {
                return pages.componentPage(component, window);
            }
        }
        throw new WrappedNotAliveException("topology '" + topology.name() + "' has no component '" + componentId + "'");
    }

    /** Returns the page of the only supervisor, by its id or host; an empty page for any other. */
    static SupervisorPageInfo supervisor(
            ClusterSummary cluster, List<EmbeddedTopology> topologies, String id, String host) {
        SupervisorPageInfo page = new SupervisorPageInfo();
        page.set_supervisor_summaries(new ArrayList<>());
        page.set_worker_summaries(new ArrayList<>());
        if (ClusterSummaries.SUPERVISOR.equals(id) || ClusterSummaries.HOST.equals(host)) {
            page.set_supervisor_summaries(cluster.get_supervisors());
            topologies.forEach(
                    topology -> page.get_worker_summaries().addAll(new TopologyPages(topology, false).workers()));
        }
        return page;
    }

    private TopologyPageInfo topologyPage(String window) {
        TopologyPageInfo page = new TopologyPageInfo(topology.id());
        page.set_name(topology.name());
        page.set_uptime_secs(ClusterSummaries.secondsOf(snapshot));
        page.set_status(topology.status());
        page.set_num_tasks(ClusterSummaries.tasksOf(plan));
        page.set_num_workers(plan.workers());
        page.set_num_executors(plan.executors().size());
        page.set_owner(ClusterSummaries.ownerOf(topology));
        page.set_storm_version(topology.topology().get_storm_version());
        page.set_id_to_spout_agg_stats(components(true, window));
        page.set_id_to_bolt_agg_stats(components(false, window));
        page.set_topology_stats(totals());
        page.set_workers(workers());
        page.set_replication_count(ClusterSummaries.REPLICAS);
        page.set_debug_options(topology.debugOptions().get(topology.id()));
        return page;
    }

    private Map<String, ComponentAggregateStats> components(boolean spouts, String window) {
        Map<String, ComponentAggregateStats> stats = new HashMap<>();
        for (ComponentPlan component : plan.components()) {
            if (component.spout() == spouts && (withSystem || !Utils.isSystemId(component.id()))) {
                stats.put(component.id(), statsOf(component, window));
            }
        }
        return stats;
    }

    private ComponentAggregateStats statsOf(ComponentPlan component, String window) {
        ComponentAggregateStats stats =
                statsOf(component, countsOf(component, window), component.executors().length, capacityOf(component));
        stats.get_common_stats().set_num_tasks(component.taskIds().length);
        List<ErrorInfo> newestFirst = errors.get(component.id());
        if (!newestFirst.isEmpty()) {
            stats.set_last_error(newestFirst.get(0));
        }
        return stats;
    }

    private ComponentAggregateStats statsOf(
            ComponentPlan component, WindowCounts counts, int executors, double capacity) {
        CommonAggregateStats common = new CommonAggregateStats();
        common.set_num_executors(executors);
        common.set_num_tasks(component.taskIds().length);
        common.set_emitted(counts.output(withSystem).emitted());
        common.set_transferred(counts.output(withSystem).transferred());
        common.set_acked(counts.sum().acked());
        common.set_failed(counts.sum().failed());
        common.set_resources_map(resourcesOf(component));
        return statsOf(common, specific(component, counts, capacity));
    }

    private static ComponentAggregateStats statsOf(ComponentPlan component, OutputSnapshot output) {
        CommonAggregateStats common = new CommonAggregateStats();
        common.set_emitted(output.emitted());
        common.set_transferred(output.transferred());
        if (!component.spout()) {
            return statsOf(common, SpecificAggregateStats.bolt(new BoltAggregateStats()));
        }
        common.set_acked(output.acked());
        common.set_failed(output.failed());
        return statsOf(common, spout(output.complete().meanMillis()));
    }

    private static ComponentAggregateStats statsOf(WindowCounts counts, InputSnapshot input) {
        CommonAggregateStats common = new CommonAggregateStats();
        common.set_acked(input.acked());
        common.set_failed(input.failed());
        BoltAggregateStats bolt = bolt(
                input.executed(), counts.executeMillis(input), input.process().meanMillis());
        return statsOf(common, SpecificAggregateStats.bolt(bolt));
    }

    private static ComponentAggregateStats statsOf(CommonAggregateStats common, SpecificAggregateStats specific) {
        ComponentAggregateStats stats = new ComponentAggregateStats();
        stats.set_type(specific.is_set_spout() ? ComponentType.SPOUT : ComponentType.BOLT);
        stats.set_common_stats(common);
        stats.set_specific_stats(specific);
        return stats;
    }

    private static SpecificAggregateStats specific(ComponentPlan component, WindowCounts counts, double capacity) {
        if (component.spout()) {
            return spout(counts.completeMillis());
        }
        BoltAggregateStats bolt = bolt(counts.sum().executed(), counts.executeMillis(), counts.processMillis());
        bolt.set_capacity(capacity);
        return SpecificAggregateStats.bolt(bolt);
    }

    private static SpecificAggregateStats spout(double completeMillis) {
        SpoutAggregateStats spout = new SpoutAggregateStats();
        spout.set_complete_latency_ms(completeMillis);
        return SpecificAggregateStats.spout(spout);
    }

    private static BoltAggregateStats bolt(long executed, double executeMillis, double processMillis) {
        BoltAggregateStats bolt = new BoltAggregateStats();
        bolt.set_executed(executed);
        bolt.set_execute_latency_ms(executeMillis);
        bolt.set_process_latency_ms(processMillis);
        return bolt;
    }

    private double capacityOf(ComponentPlan component) {
        return Arrays.stream(component.executors())
                .mapToObj(plan.executors()::get)
                .mapToDouble(executor -> capacityOf(component, executor))
                .max()
                .orElse(0);
    }

    /**
     * Returns the capacity of an executor, at most 1. An executor that took over the tasks of several others within ten minutes
     * has the sum of their time.
     */
    private double capacityOf(ComponentPlan component, ExecutorPlan executor) {
        double seconds = CountHistory.secondsOf(TEN_MINUTES, snapshot);
        long busy = countsOf(component, TEN_MINUTES).ofExecutor(executor).sum().busyNanos();
        return seconds == 0 ? 0 : Math.min(1, busy / 1e9 / seconds);
    }

    /** Returns the resources that a component requests. Nothing here schedules by them. */
    private static Map<String, Double> resourcesOf(ComponentPlan component) {
        Map<String, Object> conf = component.conf();
        Map<String, Double> resources = new HashMap<>();
        resources.put(
                Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME,
                number(conf, Config.TOPOLOGY_COMPONENT_RESOURCES_ONHEAP_MEMORY_MB, DEFAULT_ON_HEAP_MB));
        resources.put(
                Constants.COMMON_OFFHEAP_MEMORY_RESOURCE_NAME,
                number(conf, Config.TOPOLOGY_COMPONENT_RESOURCES_OFFHEAP_MEMORY_MB, 0));
        resources.put(
                Constants.COMMON_CPU_RESOURCE_NAME,
                number(conf, Config.TOPOLOGY_COMPONENT_CPU_PCORE_PERCENT, DEFAULT_CPU_PERCENT));
        return resources;
    }

    private static double number(Map<String, Object> conf, String key, double otherwise) {
        return ObjectReader.getDouble(conf.get(key), otherwise);
    }

    /** Returns the emits of all components and the acks and fails of the spouts, by window, summed as in Storm. */
    private TopologyStats totals() {
        TopologyStats stats = new TopologyStats();
        stats.set_window_to_emitted(new HashMap<>());
        stats.set_window_to_transferred(new HashMap<>());
        stats.set_window_to_acked(new HashMap<>());
        stats.set_window_to_failed(new HashMap<>());
        stats.set_window_to_complete_latencies_ms(new HashMap<>());
        windows.keySet().forEach(window -> addTotals(stats, window));
        return stats;
    }

    private void addTotals(TopologyStats stats, String window) {
        for (ComponentPlan component : plan.components()) {
            if (!withSystem && Utils.isSystemId(component.id())) {
                continue;
            }
            WindowCounts counts = countsOf(component, window);
            OutputSnapshot output = counts.output(withSystem);
            stats.get_window_to_emitted().merge(window, output.emitted(), Long::sum);
            stats.get_window_to_transferred().merge(window, output.transferred(), Long::sum);
            stats.get_window_to_acked()
                    .merge(window, component.spout() ? counts.sum().acked() : 0, Long::sum);
            stats.get_window_to_failed()
                    .merge(window, component.spout() ? counts.sum().failed() : 0, Long::sum);
        }
        stats.get_window_to_complete_latencies_ms().put(window, completeMillis(window));
    }

    /** Returns the mean of the spouts' complete latencies, weighted by acked trees. */
    private double completeMillis(String window) {
        double sum = 0;
        long acked = 0;
        for (ComponentPlan component : plan.components()) {
            if (component.spout()) {
                WindowCounts counts = countsOf(component, window);
                long own = counts.sum().acked();
                sum += own * counts.completeMillis();
                acked += own;
            }
        }
        return acked == 0 ? 0 : sum / acked;
    }

    private ComponentPageInfo componentPage(ComponentPlan component, String window) {
        ComponentPageInfo page =
                new ComponentPageInfo(component.id(), component.spout() ? ComponentType.SPOUT : ComponentType.BOLT);
        page.set_topology_id(topology.id());
        page.set_topology_name(topology.name());
        page.set_topology_status(topology.status());
        page.set_num_executors(component.executors().length);
        page.set_num_tasks(component.taskIds().length);
        page.set_resources_map(resourcesOf(component));
        page.set_errors(errors.get(component.id()));
        Map<String, ComponentAggregateStats> byWindow = new HashMap<>();
        windows.keySet().forEach(each -> byWindow.put(each, statsOf(component, each)));
        page.set_window_to_stats(byWindow);
        WindowCounts counts = countsOf(component, window);
        page.set_sid_to_output_stats(new HashMap<>());
        counts.outputs(withSystem)
                .forEach(output -> page.get_sid_to_output_stats().put(output.stream(), statsOf(component, output)));
        page.set_gsid_to_input_stats(new HashMap<>());
        counts.inputs()
                .forEach(input ->
                        page.get_gsid_to_input_stats().put(ExecutorStatistics.idOf(input), statsOf(counts, input)));
        page.set_exec_stats(executorsOf(component, window));
        page.set_debug_options(topology.debugOptions().get(component.id()));
        plan.components().stream()
                .filter(each -> each.id().equals(StormCommon.EVENTLOGGER_COMPONENT_ID))
                .mapToInt(logger -> plan.executors().get(logger.executors()[0]).worker())
                .forEach(worker -> {
                    page.set_eventlog_host(ClusterSummaries.HOST);
                    page.set_eventlog_port(WorkerPlace.portOf(worker));
                });
        return page;
    }

    private List<ExecutorAggregateStats> executorsOf(ComponentPlan component, String window) {
        List<ExecutorAggregateStats> executors = new ArrayList<>();
        for (int index : component.executors()) {
            ExecutorPlan executor = plan.executors().get(index);
            WindowCounts counts = countsOf(component, window).ofExecutor(executor);
            ComponentAggregateStats stats = statsOf(component, counts, 1, capacityOf(component, executor));
            stats.get_common_stats().set_num_tasks(executor.taskIds().length);
            ExecutorAggregateStats summary = new ExecutorAggregateStats();
            summary.set_exec_summary(
                    ClusterSummaries.summaryOf(executor, component, ClusterSummaries.secondsOf(snapshot)));
            summary.set_stats(stats);
            executors.add(summary);
        }
        return executors;
    }

    private List<WorkerSummary> workers() {
        List<WorkerSummary> workers = new ArrayList<>();
        for (int worker = 0; worker < plan.workers(); worker++) {
            workers.add(worker(worker));
        }
        return workers;
    }

    private WorkerSummary worker(int number) {
        Map<String, Long> tasks = new HashMap<>();
        int executors = 0;
        for (ExecutorPlan executor : plan.executors()) {
            if (executor.worker() == number) {
                executors++;
                String component =
                        plan.components().get(executor.componentIndex()).id();
                tasks.merge(component, (long) executor.taskIds().length, Long::sum);
            }
        }
        WorkerSummary worker = new WorkerSummary();
        worker.set_supervisor_id(ClusterSummaries.SUPERVISOR);
        worker.set_host(ClusterSummaries.HOST);
        worker.set_port(WorkerPlace.portOf(number));
        worker.set_topology_id(topology.id());
        worker.set_topology_name(topology.name());
        worker.set_num_executors(executors);
        worker.set_component_to_num_tasks(tasks);
        worker.set_uptime_secs(ClusterSummaries.secondsOf(snapshot));
        worker.set_owner(ClusterSummaries.ownerOf(topology));
        return worker;
    }

    private WindowCounts countsOf(ComponentPlan component, String window) {
        List<WindowCounts> counts = windows.get(window);
        return counts == null ? WindowCounts.NONE : counts.get(component.index());
    }
}
