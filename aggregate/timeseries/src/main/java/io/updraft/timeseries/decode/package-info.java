/** Decodes bytes to rows: JSON and CSV, parsed and flattened. */
package io.updraft.timeseries.decode;
