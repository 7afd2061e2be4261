package io.updraft.observe.view;

import io.updraft.base.json.Inlined;
import io.updraft.engine.snapshot.ExecutorSnapshot;

/**
 * An executor over an interval.
 *
 * @param firstTask its first task
 * @param worker the worker that runs it: a number, or host and port in a Storm cluster; null in one process
 * @param cluster what a Storm cluster knows of it; null for an executor of a run
 * @param rates what it does
 * @param counts what it has done
 */
public record ExecutorView(
        int firstTask,
        Object worker,
        @Inlined OfCluster cluster,
        @Inlined RatesView rates,
        @Inlined CountsView counts) {
    /**
     * What a Storm cluster knows of an executor.
     *
     * @param uptimeSeconds the time since its start
     */
    public record OfCluster(int uptimeSeconds) {}

    static ExecutorView of(TopologySample.ExecutorRates rates, Integer worker) {
        ExecutorSnapshot now = rates.now();
        return new ExecutorView(
                now.firstTask(),
                worker,
                null,
                RatesView.of(rates),
                new CountsView(now.emitted(), now.executed(), now.acked(), now.failed()));
    }
}
