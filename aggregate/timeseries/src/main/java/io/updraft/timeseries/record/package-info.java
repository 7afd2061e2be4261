/** The records that decoders pass to aggregators. */
package io.updraft.timeseries.record;
