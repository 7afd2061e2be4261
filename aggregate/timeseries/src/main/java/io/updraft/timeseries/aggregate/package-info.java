/** Aggregates by key and window. */
package io.updraft.timeseries.aggregate;
