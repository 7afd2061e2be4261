/**
 * {@code updraft bench aggregate}: measures aggregation by key and time on Updraft and on other systems. The command line does
 * not ship this module; it starts {@link io.updraft.bench.aggregate.AggregateBench} by name, in a JVM with the class path of
 * this module's build.
 */
package io.updraft.bench.aggregate;
