package io.updraft.storm;

import io.updraft.engine.metrics.EngineSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;

/**
 * The statistics of the executors of one worker in Storm's words, for all of Storm's windows. Safe to use from any thread; call
 * {@link #remember} every {@value #STEP_SECS} seconds.
 */
public final class WorkerStatistics {

    /** The step of the shortest window, seconds. */
    public static final int STEP_SECS = CountHistory.STEP_SECS;

    private final CountHistory history = new CountHistory();
    private final Plan plan;
    private final int worker;

    /**
     * Creates statistics without a past.
     *
     * @param plan the plan that is run
     * @param worker the worker's number in it
     */
    public WorkerStatistics(Plan plan, int worker) {
        this.plan = plan;
        this.worker = worker;
    }

    /**
     * Takes note of a snapshot.
     *
     * @param snapshot the worker's state now
     */
    public void remember(EngineSnapshot snapshot) {
        history.remember(snapshot);
    }

    /**
     * Makes the statistics of all executors of the worker.
     *
     * @param snapshot the worker's state now
     * @param others executors of Storm's own components that are assigned to this worker; nothing is counted of them
     * @return statistics by the first and the last task of the executor
     */
    public Map<ExecutorInfo, ExecutorStats> of(EngineSnapshot snapshot, Set<ExecutorInfo> others) {
        Map<String, List<Counts>> windows = history.windows(snapshot);
        Map<ExecutorInfo, ExecutorStats> statistics = new HashMap<>();
        others.forEach(executor -> statistics.put(executor, nothing(windows.keySet())));
        for (ExecutorPlan executor : plan.executors()) {
            if (executor.worker() == worker) {
                ComponentPlan component = plan.components().get(executor.componentIndex());
                int[] tasks = executor.taskIds();
                statistics.put(
                        new ExecutorInfo(tasks[0], tasks[tasks.length - 1]),
                        ExecutorCounts.of(component, ExecutorCounts.byWindow(component, executor, windows)));
            }
        }
        return statistics;
    }

    /** {@return statistics of a bolt that has done nothing} */
    private static ExecutorStats nothing(Set<String> windows) {
        return new ExecutorStats(
                noneOf(windows),
                noneOf(windows),
                ExecutorSpecificStats.bolt(new BoltStats(
                        noneOf(windows), noneOf(windows), noneOf(windows), noneOf(windows), noneOf(windows))),
                1.0);
    }

    private static <S, V> Map<String, Map<S, V>> noneOf(Set<String> windows) {
        return windows.stream().collect(Collectors.toMap(window -> window, window -> new HashMap<>()));
    }
}
