/** Measured series, their statistics, verdicts and tables. */
package io.updraft.bench.report;
