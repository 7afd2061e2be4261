package io.updraft.pipeline.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Takes the events of a source, and checks that positions follow one another. */
public final class SourceReading implements AutoCloseable {

    private static final long LIMIT_NANOS = 120_000_000_000L;

    private final List<SourceEvent> events = new ArrayList<>();
    private final Map<String, ByteArrayOutputStream> texts = new LinkedHashMap<>();
    private final Map<String, Long> positions = new LinkedHashMap<>();
    private final RecordSource source;

    public SourceReading(RecordSource source) {
        this.source = source;
    }

    public RecordSource source() {
        return source;
    }

    /** Polls until something holds. */
    public SourceReading until(BooleanSupplier condition) throws SourceException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time; got " + this).isLessThan(deadline);
            source.poll().forEach(this::take);
            Thread.onSpinWait();
        }
        return this;
    }

    public SourceReading toEnd() throws SourceException {
        return until(source::ended);
    }

    private void take(SourceEvent event) {
        events.add(event);
        if (event instanceof Chunk chunk) {
            texts.computeIfAbsent(event.partition(), partition -> new ByteArrayOutputStream())
                    .write(chunk.bytes(), 0, chunk.length());
            positions.put(event.partition(), chunk.to());
        }
    }

    public List<SourceEvent> events() {
        return events;
    }

    public Map<String, ByteArrayOutputStream> texts() {
        return texts;
    }

    public Map<String, Long> positions() {
        return positions;
    }

    public String text(String partition) {
        ByteArrayOutputStream text = texts.get(partition);
        return text == null ? "" : text.toString(StandardCharsets.UTF_8);
    }

    public <T extends SourceEvent> List<T> of(Class<T> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    public boolean has(Class<? extends SourceEvent> type) {
        return events.stream().anyMatch(type::isInstance);
    }

    /** Closes the source. */
    @Override
    public void close() {
        source.close();
    }

    @Override
    public String toString() {
        return events.stream()
                        .map(event -> event.getClass().getSimpleName() + " " + event.partition())
                        .toList() + " " + positions;
    }
}
