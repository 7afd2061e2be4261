/** Records between decoding and aggregation. */
package io.updraft.timeseries.record;
