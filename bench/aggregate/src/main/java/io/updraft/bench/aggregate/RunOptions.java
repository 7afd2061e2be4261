package io.updraft.bench.aggregate;

import picocli.CommandLine.Option;

/** The options of runs, common to several experiments. */
final class RunOptions {

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs of each system, alternating; the report shows medians. Default: ${DEFAULT-VALUE}.")
    int number;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "2g",
            description = "Heap of each JVM, which uses the parallel collector. Default: ${DEFAULT-VALUE}.")
    String heap;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads or tasks of each system. Default: ${DEFAULT-VALUE}.")
    int parallelism;
}
