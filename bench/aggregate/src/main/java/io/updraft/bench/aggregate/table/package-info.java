/** Aggregation alone, as Ericsson measured it: a spout, a fields grouping, an aggregator. Nothing is parsed or sent. */
package io.updraft.bench.aggregate.table;
