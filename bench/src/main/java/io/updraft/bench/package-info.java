/**
 * {@code updraft bench}: the speed-of-light test, and comparisons with Storm and Flink.
 *
 * <pre>
 *   BenchCommand ─► RequestReader ─► Bench ─► AlternatingRuns ─► ShapeRunner ─► HarnessJvm ═══► child JVM (io.updraft.bench.child)
 *                                      │             │
 *                                 PromiseSuite   PeerTuning
 *                                      └─► report, SeriesCharts
 * </pre>
 */
package io.updraft.bench;
