package io.updraft.pipeline.sink;

import io.updraft.kafka.units.Coordinator;
import java.util.Comparator;
import java.util.List;

/** Makes sinks that need to know of the source. */
public final class Sinks {

    private Sinks() {}

    /**
     * A sink; it connects when it is opened.
     *
     * @param options what it is told
     * @param coordinator of the source, if that is Kafka; else null. A Kafka sink that is to keep positions commits by it
     * @throws IllegalArgumentException when it is to keep positions of Kafka, and the source is none
     */
    public static Sink create(SinkOptions options, Coordinator coordinator) {
        boolean byUnits = coordinator != null && options instanceof KafkaSinkOptions kafka && kafka.group() != null;
        return byUnits ? new KafkaUnitsSink((KafkaSinkOptions) options, coordinator) : options.sink();
    }

    /** Whether a sink keeps positions together with results. */
    public static boolean keepsPositions(SinkOptions options) {
        return options instanceof PostgresSinkOptions postgres && postgres.pipeline() != null
                || options instanceof FileSinkOptions file && file.goesOn()
                || keepsPositionsOfKafka(options);
    }

    private static boolean keepsPositionsOfKafka(SinkOptions options) {
        return options instanceof KafkaSinkOptions kafka && kafka.group() != null;
    }

    /**
     * In the order in which they are to be flushed. What keeps positions comes last: by then the results are with all others. The very
     * last is what commits the offsets of Kafka, since those alone decide where its records are read from.
     */
    public static List<SinkOptions> inOrder(List<SinkOptions> sinks) {
        return sinks.stream()
                .sorted(Comparator.comparing(Sinks::keepsPositions).thenComparing(Sinks::keepsPositionsOfKafka))
                .toList();
    }
}
