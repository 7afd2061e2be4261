package io.updraft.observe.advice;

/**
 * A change of a setup.
 *
 * @param change the change in words, such as {@code parse 2 -> 4 executors}
 * @param factor the throughput with this change and those before, as a multiple of the present one
 * @param next the resource that limits then
 */
record Step(Setup setup, String change, double factor, Limit next) {}
