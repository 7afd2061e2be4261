package io.updraft.storm.cluster;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.context.WorkerPlace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.TopologyInfo;

/** The state of a running topology as Storm's Thrift structures. */
final class TopologyInfos {
    private TopologyInfos() {}

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
        info.set_owner(ClusterSummaries.ownerOf(topology));
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
                ClusterSummaries.HOST,
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
        info.set_host(ClusterSummaries.HOST);
        info.set_port(WorkerPlace.portOf(workerOf(plan, report.taskId())));
        return info;
    }

    /** {@return the worker of a task; 0 for the engine's own errors, which have no task} */
    private static int workerOf(Plan plan, int task) {
        boolean known = task > 0 && task < plan.taskToExecutor().length;
        return known ? plan.executors().get(plan.taskToExecutor()[task]).worker() : 0;
    }

    static int secondsOf(EngineSnapshot snapshot) {
        return (int) TimeUnit.NANOSECONDS.toSeconds(snapshot.uptimeNanos());
    }
}
