/**
 * {@code updraft bench}: the speed-of-light test, and comparisons with Storm.
 *
 * <pre>
 *   BenchCommand ─► Request ─► Suite | Sweep | Contest ─► Runner ─► ChildJvm ═══► child JVM (io.updraft.bench.child)
 *                                 │                          StormTuning
 *                                 └─► Report, Plot
 * </pre>
 */
package io.updraft.bench;
