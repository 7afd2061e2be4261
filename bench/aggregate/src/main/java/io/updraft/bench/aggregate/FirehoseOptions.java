package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.Firehose;
import picocli.CommandLine.Option;

/** Which records: the same for every experiment with Kafka. */
final class FirehoseOptions {

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "10m",
            description = "Records. Default: ${DEFAULT-VALUE}.")
    Amount records;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10k",
            description = "Pairs of metric and source. Default: ${DEFAULT-VALUE}.")
    Amount keys;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "64",
            description = "Partitions of the topic. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Option(
            names = "--per-window",
            paramLabel = "N",
            defaultValue = "600k",
            description = "Records in a window of a minute: 600k are one for each of 10,000 keys each second. Default: "
                    + "${DEFAULT-VALUE}.")
    Amount perWindow;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which records. Default: ${DEFAULT-VALUE}.")
    long seed;

    private static final long MINUTE = 60_000;

    Firehose firehose() {
        return new Firehose(records.value(), keys.intValue(), partitions, perWindow.value(), MINUTE, seed);
    }
}
