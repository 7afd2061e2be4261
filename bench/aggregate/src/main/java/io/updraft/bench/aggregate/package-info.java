/**
 * {@code updraft bench aggregate}: aggregation by key and time on Updraft, and on others beside it. Not shipped: the command line
 * starts {@link io.updraft.bench.aggregate.AggregateBench} by its name, in a JVM with the class path of this module's build.
 */
package io.updraft.bench.aggregate;
