package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.data.MeasurementSequence;
import picocli.CommandLine.Option;

/** The options about records, common to the experiments with Kafka. */
final class MeasurementOptions {

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "10m",
            description = "Number of records. Default: ${DEFAULT-VALUE}.")
    CountOption records;

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "10k",
            description = "Number of keys: pairs of metric and source. Default: ${DEFAULT-VALUE}.")
    CountOption keys;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "64",
            description = "Number of partitions of the input topic. Default: ${DEFAULT-VALUE}.")
    int partitions;

    @Option(
            names = "--per-window",
            paramLabel = "N",
            defaultValue = "600k",
            description = "Records per window of one minute; 600k is one record per second for each of 10,000 keys. "
                    + "Default: ${DEFAULT-VALUE}.")
    CountOption perWindow;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Seed of the generated records. Default: ${DEFAULT-VALUE}.")
    long seed;

    private static final long MINUTE = 60_000;

    MeasurementSequence firehose() {
        return new MeasurementSequence(records.value(), keys.intValue(), partitions, perWindow.value(), MINUTE, seed);
    }
}
