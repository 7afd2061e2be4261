package io.updraft.pipeline.kafka;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.FIVE;
import static io.updraft.pipeline.connector.FlightResults.HOUR;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.sink.RejectedRecordSink;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.servers.KafkaServer;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class KafkaSinkTest {

    private static KafkaServer kafka;

    @BeforeAll
    @Timeout(300)
    static void startKafka() {
        kafka = KafkaServer.shared();
    }

    @AfterAll
    static void stopKafka() {}

    @Test
    void shouldWriteDimensionsAsKeysAndResultsAsValues() throws Exception {
        kafka.createTopic("csv", 1, 1);
        try (ResultSink sink = options("csv", ResultFormat.CSV, null).sink()) {
            sink.open(COLUMNS, DIMENSIONS);
            sink.write(hour(1, count("U,A", 1, 2)), null);
            assertThat(sink.flush(List.of(new PartitionPosition("a", 1, 1)))).isFalse();
        }
        ConsumerRecord<byte[], byte[]> record = read("csv", 1).get(0);
        assertThat(text(record.key())).isEqualTo("\"U,A\",1");
        assertThat(text(record.value()))
                .isEqualTo("2013-01-01T06:00:00Z,2013-01-01T07:00:00Z,\"U,A\",1,2,1.5,false,2013-01-01T05:00:00Z,N1");
        assertThat(record.timestamp()).isEqualTo(FIVE + HOUR);
    }

    /** Without a key Kafka's producer takes any partition: who reads several could not tell which result of a window is the last. */
    @Test
    void shouldKeepResultsOfAWindowInOrderWhereThereAreNoDimensions() throws Exception {
        kafka.createTopic("all", 8, 1);
        Schema counts = new Schema(List.of(new Schema.Field("n", FieldType.LONG)));
        for (int i = 0; i < 8; i++) {
            try (ResultSink sink = options("all", ResultFormat.CSV, null).sink()) {
                sink.open(counts, 0);
                sink.write(new Total(counts, i), null);
                sink.flush(List.of());
            }
        }
        assertThat(read("all", 8).stream().map(record -> text(record.value())))
                .allSatisfy(line -> assertThat(line).startsWith("2013-01-01T05:00:00Z,2013-01-01T06:00:00Z,"))
                .extracting(line -> line.substring(line.lastIndexOf(',') + 1))
                .containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
    }

    /** An early result of one row. */
    private record Total(Schema schema, long n) implements WindowResult {
        @Override
        public TimeWindow window() {
            return new TimeWindow(FIVE, FIVE + HOUR);
        }

        @Override
        public Emission emission() {
            return Emission.EARLY;
        }

        @Override
        public int dimensions() {
            return 0;
        }

        @Override
        public long size() {
            return 1;
        }

        @Override
        public void forEach(Consumer<RecordRow> rows) {
            RecordRow row = new RecordRow(schema);
            row.setLong(0, n);
            rows.accept(row);
        }
    }

    @Test
    void shouldShowAllThatWasWrittenBetweenFlushesAtOnceInATransaction() throws Exception {
        kafka.createTopic("json", 1, 1);
        ResultSink lost = options("json", ResultFormat.JSON, "flights-1").sink();
        lost.open(COLUMNS, DIMENSIONS);
        lost.write(hour(0, count("AA", 1, 1)), null);
        lost.flush(List.of());
        lost.write(hour(1, count("lost", 1, 1)), null);
        try (ResultSink sink = options("json", ResultFormat.JSON, "flights-1").sink()) {
            sink.open(COLUMNS, DIMENSIONS);
            lost.write(hour(2, count("lost too", 1, 1)), null);
            assertThatThrownBy(() -> lost.flush(List.of()))
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isFalse())
                    .hasMessageContaining("topic json");
            sink.write(hour(1, count("UA", 1, 2), count(null, 2, 3)), null);
            sink.flush(List.of());
        } finally {
            lost.close();
        }
        assertThat(read("json", 3).stream().map(record -> text(record.key())).toList())
                .containsExactly(
                        "{\"carrier\":\"AA\",\"flight\":1}",
                        "{\"carrier\":\"UA\",\"flight\":1}",
                        "{\"carrier\":null,\"flight\":2}");
    }

    /**
     * The producer's limit is 3,000 bytes, that of the topic 2,000. With a batch for each record, some are not sent yet when one
     * is refused.
     */
    @ParameterizedTest
    @ValueSource(strings = {"262144", "1"})
    void shouldNameTheResultsThatAreTooLargeAndWriteTheOthers(String batchBytes) throws Exception {
        for (String transactionalId : new String[] {null, "large"}) {
            String topic = "limited-" + transactionalId + "-" + batchBytes;
            kafka.createTopic(new NewTopic(topic, 1, (short) 1).configs(Map.of("max.message.bytes", "2000")));
            try (ResultSink sink = options(topic, ResultFormat.CSV, transactionalId, "60000", "3000", batchBytes)
                    .sink()) {
                sink.open(COLUMNS, DIMENSIONS);
                List<Object[]> rows = new ArrayList<>();
                for (int size : new int[] {1, 2_500, 10, 5_000, 1}) {
                    rows.add(count("x".repeat(size / 2), (long) rows.size(), size));
                }
                sink.write(hour(0, count("UA", 1, 1)), null);
                Set<Long> refused = new TreeSet<>();
                while (!write(sink, rows, refused)) {
                    sink.write(hour(0, count("UA", 1, 1)), null);
                }
                assertThat(refused).containsExactly(1L, 3L);
            }
            if (transactionalId != null) {
                assertThat(read(topic, 4))
                        .extracting(record -> text(record.value()).split(",")[4])
                        .containsExactly("1", "1", "10", "1");
            }
        }
    }

    /** Writes the rows but those that were refused before. Returns false if others are refused. */
    private static boolean write(ResultSink sink, List<Object[]> rows, Set<Long> refused) throws SinkException {
        List<Object[]> others = new ArrayList<>();
        for (long i = 0; i < rows.size(); i++) {
            if (!refused.contains(i)) {
                others.add(rows.get((int) i));
            }
        }
        sink.write(hour(1, others.toArray(Object[][]::new)), null);
        try {
            sink.flush(List.of());
            return true;
        } catch (SinkException e) {
            assertThat(e.refusedRows())
                    .as(e.getMessage())
                    .isNotEmpty()
                    .allSatisfy(row -> assertThat(row.result()).isEqualTo(1));
            e.refusedRows().forEach(row -> refused.add((Long) others.get((int) row.row())[1]));
            return false;
        }
    }

    @Test
    void shouldSayThatATopicIsMissing() {
        KafkaSinkOptions options = options("nowhere", ResultFormat.CSV, null, "1000");
        assertThatThrownBy(() -> options.sink().open(COLUMNS, DIMENSIONS))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("topic nowhere")
                .hasMessageContaining(kafka.bootstrap());
    }

    /** Without that, the first window would wait for the topic, and nobody would know. */
    @Test
    void shouldSayAtTheStartThatATopicForResultsWithPositionsIsMissing() {
        ResultSink sink = new TransactionalKafkaSink(options("nowhere", ResultFormat.CSV, null, "60000"), null);
        assertThatThrownBy(() -> sink.open(COLUMNS, DIMENSIONS))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isTrue())
                .hasMessageContaining("topic nowhere")
                .hasMessageContaining(kafka.bootstrap());
    }

    @Test
    void shouldPutRecordsAsideAsTheyAre() throws Exception {
        kafka.createTopic("aside", 1, 1);
        try (RejectedRecordSink sink =
                new RejectedRecordSinkOptions.Topic("aside", Map.of("bootstrap.servers", kafka.bootstrap())).sink()) {
            sink.accept("in.csv", 17, "is no number", "<<a,x>>".getBytes(StandardCharsets.UTF_8), 2, 3);
            sink.flush();
            assertThat(sink.dropped()).isZero();
        }
        ConsumerRecord<byte[], byte[]> record = read("aside", 1).get(0);
        assertThat(text(record.value())).isEqualTo("a,x");
        List<String> headers = new ArrayList<>();
        for (Header header : record.headers()) {
            headers.add(header.key() + "=" + text(header.value()));
        }
        assertThat(headers).containsExactly("unit=in.csv", "position=17", "reason=is no number");
    }

    @Test
    void shouldKeepWhatIsPutAsideUntilItsTopicIsThere() throws Exception {
        Map<String, String> client = Map.of("bootstrap.servers", kafka.bootstrap(), "max.block.ms", "1000");
        try (RejectedRecordSink sink = new RejectedRecordSinkOptions.Topic("aside-later", client).sink()) {
            byte[] large = new byte[2_000_000];
            sink.accept("in.csv", 1, "bad", new byte[] {'a'}, 0, 1);
            sink.accept("in.csv", 2, "large", large, 0, large.length);
            sink.accept("in.csv", 3, "bad", new byte[] {'b'}, 0, 1);
            assertThatThrownBy(sink::flush)
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("cannot write to topic aside-later at");
            assertThat(sink.dropped()).isZero();
            kafka.createTopic("aside-later", 1, 1);
            flush(sink);
            assertThat(sink.waiting()).isZero();
            assertThat(sink.dropped()).as("too large for the broker").isEqualTo(1);
        }
        assertThat(read("aside-later", 2))
                .extracting(record -> text(record.value()))
                .containsExactly("a", "b");
    }

    /** As a pipeline does it: what is not there in a second, on a busy machine, is asked for again. */
    private static void flush(RejectedRecordSink sink) {
        while (true) {
            try {
                sink.flush();
                return;
            } catch (SinkException e) {
                assertThat(e.isTransient()).as(e.getMessage()).isTrue();
            }
        }
    }

    private static KafkaSinkOptions options(String topic, ResultFormat format, String transactionalId) {
        return options(topic, format, transactionalId, "60000");
    }

    private static KafkaSinkOptions options(
            String topic, ResultFormat format, String transactionalId, String maxBlockMillis) {
        return options(topic, format, transactionalId, maxBlockMillis, "1048576", "262144");
    }

    private static KafkaSinkOptions options(
            String topic,
            ResultFormat format,
            String transactionalId,
            String maxBlockMillis,
            String maxRequest,
            String batchBytes) {
        return new KafkaSinkOptions(
                topic,
                format,
                transactionalId,
                null,
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrap(),
                        "max.block.ms",
                        maxBlockMillis,
                        "max.request.size",
                        maxRequest,
                        "batch.size",
                        batchBytes,
                        "max.in.flight.requests.per.connection",
                        "1"));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Reads what is committed until there are so many records. */
    private static List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer =
                kafka.consumer("auto.offset.reset", "earliest", "isolation.level", "read_committed")) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            consumer.seekToBeginning(consumer.assignment());
            long deadline = System.nanoTime() + Duration.ofSeconds(40).toNanos();
            while (records.size() < count && System.nanoTime() < deadline) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
        }
        assertThat(records).hasSize(count);
        return records;
    }
}
