package io.updraft.storm;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorStats;

/**
 * The statistics of the executors of one worker as Storm's Thrift structures, for all of Storm's windows. Safe to use from any
 * thread. Call {@link #record} every {@value #STEP_SECS} seconds.
 */
public final class WorkerStatistics {
    /** The time between two records, in seconds. */
    public static final int STEP_SECS = CountHistory.STEP_SECS;

    private final CountHistory history = new CountHistory();
    private final Plan plan;
    private final int worker;

    /**
     * Creates the statistics of a worker.
     *
     * @param plan the topology
     * @param worker the worker's index in the plan
     */
    public WorkerStatistics(Plan plan, int worker) {
        this.plan = plan;
        this.worker = worker;
    }

    /**
     * Adds the counts of the present.
     *
     * @param snapshot the engine's counts
     */
    public void record(EngineSnapshot snapshot) {
        history.record(snapshot);
    }

    /**
     * {@return the statistics of all executors of the worker}
     *
     * @param snapshot the engine's counts
     * @param systemExecutors the executors of Storm's own components, whose statistics are empty
     */
    public Map<ExecutorInfo, ExecutorStats> of(EngineSnapshot snapshot, Set<ExecutorInfo> systemExecutors) {
        Map<String, List<WindowCounts>> windows = history.windows(snapshot);
        Map<ExecutorInfo, ExecutorStats> statistics = new HashMap<>();
        systemExecutors.forEach(executor -> statistics.put(executor, ExecutorStatistics.none(windows.keySet())));
        for (ExecutorPlan executor : plan.executors()) {
            if (executor.worker() == worker) {
                ComponentPlan component = plan.components().get(executor.componentIndex());
                int[] tasks = executor.taskIds();
                statistics.put(
                        new ExecutorInfo(tasks[0], tasks[tasks.length - 1]),
                        ExecutorStatistics.of(
                                component.spout(), ExecutorStatistics.byWindow(component, executor, windows)));
            }
        }
        return statistics;
    }
}
