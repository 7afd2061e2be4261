package io.updraft.bench.aggregate;

import picocli.CommandLine.Option;

/** The option for experiments that run with one parallelism. */
final class TaskOption {

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "2",
            description = "Threads or tasks of each system. Default: ${DEFAULT-VALUE}.")
    int parallelism;
}
