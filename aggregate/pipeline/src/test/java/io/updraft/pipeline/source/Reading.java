package io.updraft.pipeline.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.Chunk;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Takes the events of a source, and checks that positions follow one another. */
final class Reading {

    private static final long LIMIT_NANOS = 120_000_000_000L;

    private final List<Source.Event> events = new ArrayList<>();
    private final Map<String, ByteArrayOutputStream> texts = new LinkedHashMap<>();
    private final Map<String, Long> positions = new LinkedHashMap<>();
    private final Source source;

    Reading(Source source) {
        this.source = source;
    }

    /** Polls until something holds. */
    Reading until(BooleanSupplier condition) throws SourceException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time; got " + this).isLessThan(deadline);
            source.poll().forEach(this::take);
            Thread.onSpinWait();
        }
        return this;
    }

    Reading toEnd() throws SourceException {
        return until(source::ended);
    }

    private void take(Source.Event event) {
        events.add(event);
        if (event instanceof Source.Event.Records records) {
            Chunk chunk = records.chunk();
            texts.computeIfAbsent(event.unit(), unit -> new ByteArrayOutputStream())
                    .write(chunk.bytes(), 0, chunk.length());
            positions.put(event.unit(), chunk.to());
        }
    }

    List<Source.Event> events() {
        return events;
    }

    Map<String, ByteArrayOutputStream> texts() {
        return texts;
    }

    Map<String, Long> positions() {
        return positions;
    }

    String text(String unit) {
        ByteArrayOutputStream text = texts.get(unit);
        return text == null ? "" : text.toString(StandardCharsets.UTF_8);
    }

    <T extends Source.Event> List<T> of(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    boolean has(Class<? extends Source.Event> type) {
        return events.stream().anyMatch(type::isInstance);
    }

    @Override
    public String toString() {
        return events.stream()
                        .map(event -> event.getClass().getSimpleName() + " " + event.unit())
                        .toList() + " " + positions;
    }
}
