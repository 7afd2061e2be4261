/** What is to be aggregated: windows, dimensions and measures. */
package io.updraft.timeseries.query;
