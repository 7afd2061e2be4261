package io.updraft.pipeline.sink;

import io.updraft.kafka.units.Coordinator;

/** Makes sinks that need to know of the source. */
public final class Sinks {

    private Sinks() {}

    /**
     * A sink; it connects when it is opened.
     *
     * @param options what it is told
     * @param coordinator of the source, if that is Kafka; else null. A Kafka sink that is to keep positions commits by it
     */
    public static Sink create(SinkOptions options, Coordinator coordinator) {
        boolean byUnits = coordinator != null && options instanceof KafkaSinkOptions kafka && kafka.group() != null;
        return byUnits ? new KafkaUnitsSink((KafkaSinkOptions) options, coordinator) : options.sink();
    }

    /** Whether a sink may keep positions together with results. */
    public static boolean keepsPositions(SinkOptions options) {
        return options instanceof PostgresSinkOptions
                || options instanceof KafkaSinkOptions kafka && kafka.group() != null;
    }
}
