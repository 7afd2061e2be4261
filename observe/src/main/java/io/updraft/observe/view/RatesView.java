package io.updraft.observe.view;

/**
 * What a component or an executor does in a second of an interval. Null stands for what its source does not know.
 *
 * @param emittedPerSecond tuples emitted
 * @param executedPerSecond tuples executed
 * @param ackedPerSecond acks
 * @param failedPerSecond failures, including timeouts
 * @param busy the share of time in user code, from 0 to 1
 * @param busyWaiting the part of {@code busy} in which calls wait and use no core, from 0 to 1
 */
public record RatesView(
        Double emittedPerSecond,
        Double executedPerSecond,
        Double ackedPerSecond,
        Double failedPerSecond,
        Double busy,
        Double busyWaiting) {
    static RatesView of(TopologySample.ComponentRates rates) {
        return new RatesView(
                rates.emitted(), rates.executed(), rates.acked(), rates.failed(), rates.capacity(), rates.waits());
    }

    static RatesView of(TopologySample.ExecutorRates rates) {
        return new RatesView(
                rates.emitted(), rates.executed(), rates.acked(), rates.failed(), rates.busy(), rates.waits());
    }
}
