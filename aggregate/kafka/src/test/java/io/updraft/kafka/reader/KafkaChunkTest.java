package io.updraft.kafka.reader;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.ByteColumn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Chunks of records as Kafka's consumer returns them. */
final class KafkaChunkTest {

    private static final TopicPartition ID = new TopicPartition("t", 4);

    private final List<ConsumerRecord<ByteBuffer, ByteBuffer>> records = new ArrayList<>();

    private void add(String key, String value, RecordHeaders headers) {
        ByteBuffer keyBytes = key == null ? null : ByteBuffer.wrap(key.getBytes(UTF_8));
        ByteBuffer valueBytes = ByteBuffer.wrap(value.getBytes(UTF_8));
        records.add(new ConsumerRecord<>(
                ID.topic(),
                ID.partition(),
                10 + records.size(),
                1_000,
                TimestampType.CREATE_TIME,
                keyBytes == null ? -1 : keyBytes.remaining(),
                valueBytes.remaining(),
                keyBytes,
                valueBytes,
                headers,
                Optional.empty()));
    }

    private KafkaChunk chunk(ReaderConfig config) {
        return BrokerReader.chunk(
                config, new AssignedPartition(ID, "t-4", 10), records, new OffsetAndMetadata(10 + records.size()));
    }

    private static RecordHeaders headers(String... namesAndValues) {
        RecordHeaders headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String value = namesAndValues[i + 1];
            headers.add(namesAndValues[i], value == null ? null : value.getBytes(UTF_8));
        }
        return headers;
    }

    private void addRecords() {
        add("k", "v", headers("a", "first", "b", "no", "a", "last"));
        add(null, "w", headers());
        add("", "x", headers("a", null));
        add("key", "y", headers("a", ""));
    }

    @Test
    void shouldKeepTheKeysAndTheLastHeadersThatAreAskedFor() {
        addRecords();

        KafkaChunk chunk = chunk(ReaderConfig.of("h:1").withKeys().withHeaders(List.of("a", "c")));

        assertThat(texts(chunk.headers("a"))).containsExactly("last", null, null, "");
        assertThat(texts(chunk.headers("c"))).containsExactly(null, null, null, null);
        assertThat(chunk.headers("b")).isNull();
        assertThat(texts(chunk.keys())).containsExactly("k", null, "", "key");
        assertThat(chunk.topic()).isEqualTo("t");
        assertThat(chunk.partitionIndex()).isEqualTo(4);
        assertThat(chunk.positions()).containsExactly(10, 11, 12, 13);
        assertThat(chunk.size()).isEqualTo(chunk(ReaderConfig.of("h:1")).size() + 4 + 4 * 4 + 4 + 4 * 4 + 4 * 4);

        chunk.release();

        assertThat(chunk.keys()).isNull();
        assertThat(chunk.headers("a")).isNull();
    }

    @Test
    void shouldKeepNeitherUnlessAsked() {
        addRecords();

        KafkaChunk chunk = chunk(ReaderConfig.of("h:1"));

        assertThat(chunk.keys()).isNull();
        assertThat(chunk.headers("a")).isNull();
        assertThat(new String(chunk.bytes(), UTF_8)).isEqualTo("vwxy");
        assertThat(chunk.text(3)).isEqualTo("y");
    }

    private static List<String> texts(ByteColumn column) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < column.ends().length; i++) {
            texts.add(column.value(i) == null ? null : new String(column.value(i), UTF_8));
        }
        return texts;
    }
}
