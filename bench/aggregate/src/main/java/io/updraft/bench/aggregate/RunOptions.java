package io.updraft.bench.aggregate;

/**
 * The options of runs.
 *
 * @param runs the number of runs of each system or shape
 * @param heap the heap of each JVM, such as {@code 2g}
 * @param parallelism the number of threads or tasks of each system
 */
record RunOptions(int runs, String heap, int parallelism) {}
