package io.updraft.bench.aggregate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.kafka.bolt.KafkaBolt;
import org.apache.storm.kafka.bolt.mapper.FieldNameBasedTupleToKafkaMapper;
import org.apache.storm.kafka.bolt.selector.DefaultTopicSelector;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.kafka.spout.KafkaTuple;
import org.apache.storm.kafka.spout.RecordTranslator;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.VersionInfo;

/**
 * Storm on its LocalCluster: Storm's Kafka spout and Kafka bolt, and between them a bolt with hash maps. Users who need speed
 * aggregate this way, because Storm's windowed bolts keep every tuple of a window.
 */
final class StormPeer implements MeasuredPeer {

    private static final String SPOUT = "measurements";
    private static final String TOTALS = "totals";
    private static final int FETCH_BYTES = 4 << 20;

    @Override
    public String title() {
        return "Storm " + VersionInfo.getVersion();
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spouts, bolts", String.valueOf(job.parallelism()));
        settings.put("guarantee", guarantee(job).toString());
        conf(job).forEach((name, value) -> settings.put(name, String.valueOf(value)));
        consumer(job).forEach((name, value) -> settings.put("consumer." + name, value.toString()));
        producer(job).forEach((name, value) -> settings.put("producer." + name, value.toString()));
        return settings;
    }

    @Override
    @SuppressWarnings("resource") // ends with the JVM
    public void start(PeerJob job, Consumer<Throwable> failed) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new KafkaSpout<>(spout(job)), job.parallelism());
        builder.setBolt(TOTALS, new StormTotalsBolt(job.partitions(), job.windowMillis()), job.parallelism())
                .fieldsGrouping(SPOUT, new Fields(Read.NAME))
                .allGrouping(SPOUT, Read.CLOSING);
        builder.setBolt("results", results(job), 1).localOrShuffleGrouping(TOTALS);
        new LocalCluster().submitTopology("aggregate", conf(job), builder.createTopology());
    }

    private static Map<String, Object> conf(PeerJob job) {
        Map<String, Object> conf = new LinkedHashMap<>();
        boolean tracked = guarantee(job) == KafkaSpoutConfig.ProcessingGuarantee.AT_LEAST_ONCE;
        conf.put(Config.TOPOLOGY_WORKERS, 1);
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, tracked ? 1 : 0);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, Integer.parseInt(job.option("pending", "5000")));
        conf.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, Integer.parseInt(job.option("batch", "100")));
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        return conf;
    }

    private static KafkaSpoutConfig.ProcessingGuarantee guarantee(PeerJob job) {
        return KafkaSpoutConfig.ProcessingGuarantee.valueOf(job.option("guarantee", "AT_LEAST_ONCE"));
    }

    private static KafkaSpoutConfig<String, byte[]> spout(PeerJob job) {
        return new KafkaSpoutConfig.Builder<String, byte[]>(job.bootstrapServers(), job.input())
                .setProp(consumer(job))
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.EARLIEST)
                .setProcessingGuarantee(guarantee(job))
                .setOffsetCommitPeriodMs(10_000)
                .setMaxUncommittedOffsets(10_000_000)
                .setRecordTranslator(new Read())
                .build();
    }

    private static Properties consumer(PeerJob job) {
        Properties properties = new Properties();
        properties.put(ConsumerConfig.GROUP_ID_CONFIG, job.output());
        properties.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, StringDeserializer.class.getName());
        properties.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
        properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
        properties.put(ConsumerConfig.FETCH_MIN_BYTES_CONFIG, 1 << 16);
        properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        properties.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, FETCH_BYTES);
        return properties;
    }

    private static KafkaBolt<String, byte[]> results(PeerJob job) {
        return new KafkaBolt<String, byte[]>()
                .withProducerProperties(producer(job))
                .withTopicSelector(new DefaultTopicSelector(job.output()))
                .withTupleToKafkaMapper(
                        new FieldNameBasedTupleToKafkaMapper<>(StormTotalsBolt.NAME, StormTotalsBolt.RESULT));
    }

    private static Properties producer(PeerJob job) {
        Properties properties = new Properties();
        properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, job.bootstrapServers());
        properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName());
        properties.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        properties.put(ProducerConfig.LINGER_MS_CONFIG, 50);
        properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 1 << 17);
        return properties;
    }

    /** Translates records to tuples. Closing records go to a stream of their own, which every bolt receives. */
    static final class Read implements RecordTranslator<String, byte[]> {

        static final String NAME = "name";
        static final String CLOSING = "closing";

        private static final long serialVersionUID = 1;

        @Override
        public List<Object> apply(ConsumerRecord<String, byte[]> record) {
            try {
                Measurement measurement = Measurement.parse(record.value());
                KafkaTuple tuple =
                        new KafkaTuple(record.key(), record.partition(), measurement.time(), measurement.value());
                return tuple.routedTo(
                        record.key().startsWith(MeasurementSequence.CLOSING) ? CLOSING : Utils.DEFAULT_STREAM_ID);
            } catch (IOException e) {
                throw new UncheckedIOException(new String(record.value(), StandardCharsets.UTF_8), e);
            }
        }

        @Override
        public Fields getFieldsFor(String stream) {
            return new Fields(NAME, "partition", "time", "value");
        }

        @Override
        public List<String> streams() {
            return List.of(Utils.DEFAULT_STREAM_ID, CLOSING);
        }
    }
}
