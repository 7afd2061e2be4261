/**
 * The measured topologies, built of plain Storm components. The same classes run on both sides of a comparison.
 *
 * <p>Each task has its own counters ({@link io.updraft.bench.topology.BenchTaskCounters}): one writer, one release store per count, no
 * lock, no shared cache line. The harness reads the counters in the same JVM or, when components run in worker processes,
 * requests them ({@link io.updraft.bench.topology.RunReporter}).
 */
package io.updraft.bench.topology;
