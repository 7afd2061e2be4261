/** Decodes bytes to rows: JSON and CSV, parsed and flattened, with the expressions of filters and computed fields. */
package io.updraft.timeseries.decode;
