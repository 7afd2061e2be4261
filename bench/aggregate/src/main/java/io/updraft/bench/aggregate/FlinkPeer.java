package io.updraft.bench.aggregate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Flink's DataStream API on its mini cluster, with state on the heap, incremental aggregation and object reuse. */
final class FlinkPeer implements MeasuredPeer {

    private static final long CHECKPOINT_MILLIS = 10_000;
    private static final int FETCH_BYTES = 4 << 20;
    private static final String SEGMENT = "128kb";

    @Override
    public String title() {
        return "Flink " + EnvironmentInformation.getVersion();
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("parallelism", String.valueOf(job.parallelism()));
        settings.put("objects", "reused");
        settings.put("state", "heap");
        settings.put("network segments", SEGMENT);
        job.optionsOf("flink.").forEach(settings::put);
        settings.put("checkpoints", CHECKPOINT_MILLIS + " ms, at least once, unaligned off");
        consumer(job).forEach((name, value) -> settings.put("consumer." + name, value.toString()));
        producer().forEach((name, value) -> settings.put("producer." + name, value.toString()));
        return settings;
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        configuration.setString("taskmanager.memory.segment-size", SEGMENT);
        job.optionsOf("flink.").forEach(configuration::setString);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(job.parallelism(), configuration);
        environment.enableCheckpointing(CHECKPOINT_MILLIS, CheckpointingMode.AT_LEAST_ONCE);
        environment
                .fromSource(source(job), watermarks(), "measurements")
                .keyBy(measurement -> measurement.f0)
                .window(TumblingEventTimeWindows.of(Duration.ofMillis(job.windowMillis())))
                .aggregate(new Sum(), new Write())
                .sinkTo(sink(job));
        JobClient client = environment.executeAsync("aggregate");
        client.getJobExecutionResult().whenComplete((result, e) -> {
            failed.accept(e == null ? new IllegalStateException("the job has ended") : e);
        });
    }

    private static Properties consumer(PeerJob job) {
        Properties properties = new Properties();
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "10000");
        properties.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, String.valueOf(1 << 16));
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100");
        properties.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, String.valueOf(FETCH_BYTES));
        properties.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, String.valueOf(FETCH_BYTES));
        properties.putAll(job.optionsOf("consumer."));
        return properties;
    }

    private static Properties producer() {
        Properties properties = new Properties();
        properties.put(ProducerConfig.LINGER_MS_CONFIG, "50");
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, String.valueOf(1 << 17));
        return properties;
    }

    private static KafkaSource<Tuple3<String, Long, Long>> source(PeerJob job) {
        return KafkaSource.<Tuple3<String, Long, Long>>builder()
                .setBootstrapServers(job.bootstrapServers())
                .setTopics(job.input())
                .setGroupId(job.output())
                .setStartingOffsets(OffsetsInitializer.earliest())
                .setDeserializer(new Read())
                .setProperties(consumer(job))
                .build();
    }

    /** Event time rises in each partition, and Flink uses the minimum of all partitions. */
    private static WatermarkStrategy<Tuple3<String, Long, Long>> watermarks() {
        return WatermarkStrategy.<Tuple3<String, Long, Long>>forMonotonousTimestamps()
                .withTimestampAssigner((measurement, timestamp) -> measurement.f1);
    }

    private static KafkaSink<byte[]> sink(PeerJob job) {
        return KafkaSink.<byte[]>builder()
                .setBootstrapServers(job.bootstrapServers())
                .setRecordSerializer(KafkaRecordSerializationSchema.<byte[]>builder()
                        .setTopic(job.output())
                        .setValueSerializationSchema(new AsIs())
                        .build())
                .setDeliveryGuarantee(DeliveryGuarantee.AT_LEAST_ONCE)
                .setKafkaProducerConfig(producer())
                .build();
    }

    /** Reads key, time and value, which Flink sends over the network to the task that owns the key. */
    private static final class Read implements KafkaRecordDeserializationSchema<Tuple3<String, Long, Long>> {

        private static final long serialVersionUID = 1;

        @Override
        public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<Tuple3<String, Long, Long>> out)
                throws IOException {
            Measurement measurement = Measurement.parse(record.value());
            String name = new String(record.key(), StandardCharsets.ISO_8859_1);
            out.collect(Tuple3.of(name, measurement.time(), measurement.value()));
        }

        @Override
        public TypeInformation<Tuple3<String, Long, Long>> getProducedType() {
            return Types.TUPLE(Types.STRING, Types.LONG, Types.LONG);
        }
    }

    private static final class AsIs implements SerializationSchema<byte[]> {

        private static final long serialVersionUID = 1;

        @Override
        public byte[] serialize(byte[] result) {
            return result;
        }
    }

    private static final class Sum implements AggregateFunction<Tuple3<String, Long, Long>, Totals, Totals> {

        private static final long serialVersionUID = 1;

        @Override
        public Totals createAccumulator() {
            return new Totals();
        }

        @Override
        public Totals add(Tuple3<String, Long, Long> measurement, Totals totals) {
            totals.add(measurement.f2);
            return totals;
        }

        @Override
        public Totals getResult(Totals totals) {
            return totals;
        }

        @Override
        public Totals merge(Totals left, Totals right) {
            left.add(right);
            return left;
        }
    }

    private static final class Write extends ProcessWindowFunction<Totals, byte[], String, TimeWindow> {

        private static final long serialVersionUID = 1;

        @Override
        public void process(String name, Context context, Iterable<Totals> totals, Collector<byte[]> out) {
            totals.forEach(one -> out.collect(ResultJson.write(context.window().getStart(), name, one)));
        }
    }
}
