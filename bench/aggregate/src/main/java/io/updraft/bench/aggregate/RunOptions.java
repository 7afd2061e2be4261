package io.updraft.bench.aggregate;

/**
 * How runs are run.
 *
 * @param runs how many of each
 * @param heap of each JVM
 * @param parallelism threads or tasks of each system
 */
record RunOptions(int runs, String heap, int parallelism) {}
