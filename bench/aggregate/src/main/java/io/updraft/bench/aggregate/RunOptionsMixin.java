package io.updraft.bench.aggregate;

import picocli.CommandLine.Option;

/** How runs are run: the same for every experiment. */
final class RunOptionsMixin {

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs of each, alternating; medians are reported. Default: ${DEFAULT-VALUE}.")
    int runs;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            defaultValue = "2g",
            description = "Heap of each JVM; the collector is the parallel one. Default: ${DEFAULT-VALUE}.")
    String heap;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads or tasks of each system. Default: ${DEFAULT-VALUE}.")
    int parallelism;

    RunOptions options() {
        return new RunOptions(runs, heap, parallelism);
    }
}
