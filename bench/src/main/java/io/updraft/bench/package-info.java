/**
 * {@code updraft bench}: the speed-of-light test, and comparisons with Storm and Flink.
 *
 * <pre>
 *   BenchCommand ─► Request ─► Suite | Sweep | Contest ─► Runner ─► ChildJvm ═══► child JVM (io.updraft.bench.child)
 *                                 │                          PeerTuning
 *                                 └─► Report, Plot
 * </pre>
 */
package io.updraft.bench;
