/** Aggregation alone, as Ericsson measured it: a spout, a fields grouping, an aggregator, without parsing or a network. */
package io.updraft.bench.aggregate.table;
