/** Rows out of bytes: JSON and CSV, parsed and flattened. */
package io.updraft.timeseries.decode;
