/**
 * The same aggregation, written for each system as its users would write it. It reads measurements from a topic and writes
 * {sum, avg, min, max, count} per metric, source and event-time window to another topic. Each run has its own JVM.
 */
package io.updraft.bench.aggregate.peer;
