/**
 * The same aggregation, written as each system's users write it: measurements of a topic, {sum, avg, min, max, count} of each
 * metric and source in each window of event time, to another topic. Each runs in a JVM of its own.
 */
package io.updraft.bench.aggregate.peer;
