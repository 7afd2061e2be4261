package io.updraft.pipeline.run;

import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import java.util.Comparator;
import java.util.List;

/** Creates sinks, including those that depend on the source. */
final class SinkFactory {

    private SinkFactory() {}

    /**
     * Creates a sink; it connects when it is opened.
     *
     * @param coordinator the coordinator of a Kafka source; else null. A Kafka sink that stores positions commits with it
     * @throws IllegalArgumentException when the sink must store Kafka positions but the source is not Kafka
     */
    static ResultSink create(SinkOptions options, ShareCoordinator coordinator) {
        return coordinator != null && options instanceof KafkaSinkOptions kafka && kafka.keepsPositions()
                ? kafka.sink(coordinator)
                : options.sink();
    }

    /**
     * Returns the sinks in the order in which they must be flushed. Sinks that store positions come last: by then all others
     * have the results. The sink that commits offsets of Kafka is the very last: these alone decide where reading continues.
     */
    static List<SinkOptions> inOrder(List<SinkOptions> sinks) {
        return sinks.stream()
                .sorted(Comparator.comparing(SinkOptions::keepsPositions)
                        .thenComparing(options -> options instanceof KafkaSinkOptions && options.keepsPositions()))
                .toList();
    }
}
