/**
 * The topologies that are measured, as plain Storm components: the same classes run on both sides of a comparison.
 *
 * <p>Each task counts in cells of its own ({@link io.updraft.bench.topology.Probe}): one writer, a release store per
 * count, no lock, no shared cache line. The harness reads them in the same JVM or, where components are in worker processes,
 * asks for them ({@link io.updraft.bench.topology.RunReporter}).
 */
package io.updraft.bench.topology;
