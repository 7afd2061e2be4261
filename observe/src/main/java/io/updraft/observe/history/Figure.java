package io.updraft.observe.history;

/**
 * One number that each sample of a series has.
 *
 * @param key the name in answers, such as {@code emittedPerSecond}; unique within the series
 * @param merge how samples become longer steps
 */
record Figure(String key, Merge merge) {}
