package io.updraft.observe.history;

import java.util.Map;

/**
 * The figures of one step.
 *
 * @param startMillis the start of the step, milliseconds since 1970
 * @param seconds the time that was sampled in the step
 * @param values the values of each series, in the order of its figures; NaN where nothing was sampled
 */
record HistoryStep(long startMillis, double seconds, Map<HistorySeries, double[]> values) {}
