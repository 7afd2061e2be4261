package io.updraft.bench.spec;

/**
 * One progress row of a run, with the values of Yahoo's storm-perf-test.
 *
 * @param status {@code WAITING} for the first message, {@code WARMUP}, {@code RUNNING} or {@code DRAINING}
 * @param tasks the number of spout and bolt tasks that have started
 * @param timeMillis milliseconds since the topology was submitted
 * @param diffMillis milliseconds since the previous row
 * @param counts the counts since the previous row
 * @param inFlight messages in flight now
 */
public record ProgressRow(
        String status, int tasks, long timeMillis, long diffMillis, RunCounts counts, long inFlight) {}
