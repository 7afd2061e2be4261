package io.updraft.pipeline.factory;

import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.kafka.TransactionalKafkaSink;
import io.updraft.pipeline.sink.file.FileSinkOptions;
import io.updraft.pipeline.sink.postgres.PostgresSinkOptions;
import java.util.Comparator;
import java.util.List;

/** Creates sinks, including those that depend on the source. */
public final class SinkFactory {

    private SinkFactory() {}

    /**
     * Creates a sink; it connects when it is opened.
     *
     * @param coordinator the coordinator of a Kafka source; else null. A Kafka sink that stores positions commits with it
     * @throws IllegalArgumentException when the sink must store Kafka positions but the source is not Kafka
     */
    public static ResultSink create(SinkOptions options, ShareCoordinator coordinator) {
        return coordinator != null && keepsPositionsOfKafka(options)
                ? new TransactionalKafkaSink((KafkaSinkOptions) options, coordinator)
                : options.sink();
    }

    /** Returns whether a sink stores positions together with results. */
    public static boolean keepsPositions(SinkOptions options) {
        return options instanceof PostgresSinkOptions postgres && postgres.pipeline() != null
                || options instanceof FileSinkOptions file && file.appends()
                || keepsPositionsOfKafka(options);
    }

    private static boolean keepsPositionsOfKafka(SinkOptions options) {
        return options instanceof KafkaSinkOptions kafka && kafka.group() != null;
    }

    /**
     * Returns the sinks in the order in which they must be flushed. Sinks that store positions come last: by then all others
     * have the results. The sink that commits offsets of Kafka is the very last: these alone decide where reading continues.
     */
    public static List<SinkOptions> inOrder(List<SinkOptions> sinks) {
        return sinks.stream()
                .sorted(Comparator.comparing(SinkFactory::keepsPositions)
                        .thenComparing(SinkFactory::keepsPositionsOfKafka))
                .toList();
    }
}
