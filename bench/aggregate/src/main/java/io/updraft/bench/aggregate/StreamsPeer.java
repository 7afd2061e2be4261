package io.updraft.bench.aggregate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.EmitStrategy;
import org.apache.kafka.streams.kstream.Grouped;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.TimeWindows;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.state.BuiltInDslStoreSuppliers;
import org.apache.kafka.streams.state.DslStoreSuppliers;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Kafka Streams' DSL. The Kafka key is the group, so no repartitioning is needed. State is in memory without a changelog, which
 * saves work that most users need.
 */
final class StreamsPeer implements MeasuredPeer {

    private static final int RETAINED_WINDOWS = 5;
    private static final int FETCH_BYTES = 4 << 20;

    @Override
    public String title() {
        return "Kafka Streams " + JarVersions.of(KafkaStreams.class);
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        tuning(job).forEach((name, value) -> settings.put(name, value.toString()));
        settings.put("store", "in memory, no changelog, no cache, emitted on window close");
        return settings;
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) throws IOException {
        Properties properties = new Properties();
        properties.putAll(tuning(job));
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, job.output());
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, job.bootstrapServers());
        properties.put(
                StreamsConfig.STATE_DIR_CONFIG,
                Files.createTempDirectory("streams-").toString());
        // Emits the last window with its closing record. By default Kafka Streams would emit it one second later,
        // with a next record, and there is none.
        properties.put(StreamsConfig.InternalConfig.EMIT_INTERVAL_MS_KSTREAMS_WINDOWED_AGGREGATION, 0L);
        @SuppressWarnings("resource")
        KafkaStreams streams = new KafkaStreams(topology(job), properties);
        streams.setUncaughtExceptionHandler(e -> {
            failed.accept(e);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        streams.start();
    }

    private static Map<String, Object> tuning(PeerJob job) {
        Map<String, Object> tuning = new LinkedHashMap<>();
        tuning.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, job.parallelism());
        tuning.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, 10_000);
        tuning.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
        tuning.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 10_000);
        tuning.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MIN_BYTES_CONFIG), 1 << 16);
        tuning.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG), 100);
        tuning.put(StreamsConfig.consumerPrefix(ConsumerConfig.RECEIVE_BUFFER_CONFIG), FETCH_BYTES);
        tuning.put(StreamsConfig.BUFFERED_RECORDS_PER_PARTITION_CONFIG, 5_000);
        tuning.put(StreamsConfig.producerPrefix(ProducerConfig.LINGER_MS_CONFIG), 50);
        tuning.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), 1 << 17);
        tuning.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 0L);
        tuning.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.OPTIMIZE);
        return tuning;
    }

    private static Topology topology(PeerJob job) {
        DslStoreSuppliers inMemory = new BuiltInDslStoreSuppliers.InMemoryDslStoreSuppliers();
        Serde<String> names = Serdes.String();
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(job.input(), Consumed.with(names, measurements()).withTimestampExtractor(new EventTime()))
                .groupByKey(Grouped.with(names, measurements()))
                .windowedBy(TimeWindows.ofSizeWithNoGrace(Duration.ofMillis(job.windowMillis())))
                .emitStrategy(EmitStrategy.onWindowClose())
                .aggregate(
                        Totals::new,
                        (name, measurement, totals) -> {
                            totals.add(measurement.value());
                            return totals;
                        },
                        Materialized.<String, Totals, WindowStore<Bytes, byte[]>>as("totals")
                                .withStoreType(inMemory)
                                .withKeySerde(names)
                                .withValueSerde(totals())
                                // With a shorter retention, the in-memory store drops windows before they are
                                // emitted.
                                .withRetention(Duration.ofMillis(RETAINED_WINDOWS * job.windowMillis()))
                                .withCachingDisabled()
                                .withLoggingDisabled())
                .toStream((window, totals) -> window)
                .map((window, totals) -> KeyValue.pair(
                        window.key(), ResultJson.write(window.window().start(), window.key(), totals)))
                .to(job.output(), Produced.with(names, Serdes.ByteArray()));
        Properties optimize = new Properties();
        optimize.put(StreamsConfig.TOPOLOGY_OPTIMIZATION_CONFIG, StreamsConfig.OPTIMIZE);
        return builder.build(optimize);
    }

    private static Serde<Measurement> measurements() {
        return Serdes.serdeFrom(
                (topic, measurement) -> {
                    throw new UnsupportedOperationException("measurements are only read");
                },
                (topic, bytes) -> {
                    try {
                        return Measurement.parse(bytes);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    private static Serde<Totals> totals() {
        return Serdes.serdeFrom(
                (topic, totals) -> ByteBuffer.allocate(4 * Long.BYTES)
                        .putLong(totals.sum)
                        .putLong(totals.min)
                        .putLong(totals.max)
                        .putLong(totals.count)
                        .array(),
                (topic, bytes) -> {
                    ByteBuffer buffer = ByteBuffer.wrap(bytes);
                    Totals totals = new Totals();
                    totals.sum = buffer.getLong();
                    totals.min = buffer.getLong();
                    totals.max = buffer.getLong();
                    totals.count = buffer.getLong();
                    return totals;
                });
    }

    private static final class EventTime implements TimestampExtractor {
        @Override
        public long extract(ConsumerRecord<Object, Object> record, long partitionTime) {
            return ((Measurement) record.value()).time();
        }
    }
}
