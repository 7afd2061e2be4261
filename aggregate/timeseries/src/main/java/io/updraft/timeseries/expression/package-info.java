/** Expressions of SQL over the columns of a row. */
package io.updraft.timeseries.expression;
