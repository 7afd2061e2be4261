/** Expressions of filters and computed fields: parsed once, evaluated for each row. */
package io.updraft.timeseries.expression;
