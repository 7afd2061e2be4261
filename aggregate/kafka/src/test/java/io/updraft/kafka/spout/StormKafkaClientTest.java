package io.updraft.kafka.spout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.servers.KafkaServer;
import io.updraft.storm.UpdraftCluster;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.kafka.bolt.KafkaBolt;
import org.apache.storm.kafka.spout.FirstPollOffsetStrategy;
import org.apache.storm.kafka.spout.KafkaSpout;
import org.apache.storm.kafka.spout.KafkaSpoutConfig;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Storm's own Kafka spout and bolt run on the engine, with this project's Kafka client. Compares the speed of both spouts. */
@Tag("long")
@SuppressWarnings("serial")
final class StormKafkaClientTest {

    private static final Duration LIMIT = Duration.ofMinutes(8);
    private static final int PARTITIONS = 2;
    private static final LongAdder COUNTED = new LongAdder();
    private static KafkaServer server;

    @BeforeAll
    static void start() {
        server = KafkaServer.shared();
    }

    @Test
    void shouldCopyATopicByStormsSpoutAndBolt() throws Exception {
        server.createTopic("from", PARTITIONS, 1);
        server.createTopic("to", 1, 1);
        fill("from", 2_000, 20);
        Properties producer = new Properties();
        producer.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, server.bootstrap());
        producer.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName());
        producer.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, StringSerializer.class.getName());
        TopologyBuilder builder = new TopologyBuilder();
        KafkaSpoutConfig<String, String> config = KafkaSpoutConfig.builder(server.bootstrap(), "from")
                .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                .setRecordTranslator(
                        consumed -> new Values(
                                Long.toString(consumed.offset()), consumed.partition() + "-" + consumed.offset()),
                        new Fields("key", "message"))
                .setProp(ConsumerConfig.GROUP_ID_CONFIG, "storm")
                .build();
        builder.setSpout("kafka", new KafkaSpout<>(config));
        builder.setBolt(
                        "copy",
                        new KafkaBolt<String, String>().withTopicSelector("to").withProducerProperties(producer))
                .shuffleGrouping("kafka");
        try (UpdraftCluster cluster = new UpdraftCluster();
                KafkaReader reader = new KafkaReader(ReaderConfig.of(server.bootstrap()))) {
            cluster.submitTopology("copy", conf(), builder.createTopology());
            reader.assign(new TopicPartition("to", 0), 0);
            Set<String> read = new HashSet<>();
            Await.until("all records are read", LIMIT, () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    for (int i = 0; i < chunk.count(); i++) {
                        read.add(chunk.text(i));
                    }
                }
                return read.size() == 2_000;
            });
            assertThat(read).contains("0-0", "1-999");
        }
    }

    /** One topic, one engine, one run; the ratio is printed. Acked, one spout task, one bolt that counts. */
    @Test
    void shouldReadFasterThanStormsSpout() throws Exception {
        int records = Integer.getInteger("updraft.kafka.records", 200_000);
        server.createTopic("race", PARTITIONS, 1);
        fill("race", records, 100);
        double[] storm = null;
        double[] ours = null;
        // The first round warms up.
        for (int round = 0; round < 2; round++) {
            KafkaSpoutConfig<byte[], byte[]> config = new KafkaSpoutConfig.Builder<byte[], byte[]>(
                            server.bootstrap(), "race")
                    .setProp(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)
                    .setProp(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class)
                    .setProp(ConsumerConfig.GROUP_ID_CONFIG, "storm-race-" + round)
                    .setFirstPollOffsetStrategy(FirstPollOffsetStrategy.UNCOMMITTED_EARLIEST)
                    .build();
            storm = measure(new KafkaSpout<>(config), records);
            ours = measure(
                    new PartitionSpout(PartitionSpoutConfig.builder(server.bootstrap(), "ours-race-" + round, "race")
                            .build()),
                    records);
        }
        System.out.printf(
                "KafkaSpout %,.0f records/s, %.2f us CPU each; PartitionSpout %,.0f records/s, %.2f us CPU each;"
                        + " ratio %.1f in time, %.1f in CPU%n",
                storm[0], storm[1], ours[0], ours[1], ours[0] / storm[0], storm[1] / ours[1]);
        // The time depends on who else is there; the CPU time does not.
        assertThat(ours[1]).isLessThan(storm[1]);
    }

    /** Records/s, and microseconds of CPU of this process for each, from the start of the topology to the last record. */
    private static double[] measure(IRichSpout spout, int records) throws Exception {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        COUNTED.reset();
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            long began = System.nanoTime();
            long cpu = system.getProcessCpuTime();
            cluster.submitTopology("race", conf(), counting(spout));
            Await.until("all records are counted", LIMIT, () -> COUNTED.sum() >= records);
            double seconds = (System.nanoTime() - began) / 1e9;
            double cpuMicros = (system.getProcessCpuTime() - cpu) / 1e3;
            assertThat(COUNTED.sum()).isEqualTo(records);
            return new double[] {records / seconds, cpuMicros / records};
        }
    }

    private static StormTopology counting(IRichSpout spout) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("kafka", spout);
        builder.setBolt("count", new Counting()).shuffleGrouping("kafka");
        return builder.createTopology();
    }

    /** Counts and acks. */
    private static final class Counting extends TestBolt {

        @Override
        public void execute(Tuple tuple) {
            COUNTED.increment();
            out.ack(tuple);
        }
    }

    private static Map<String, Object> conf() {
        return Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 5_000, Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300);
    }

    private static void fill(String topic, int records, int bytes) {
        try (KafkaProducer<byte[], byte[]> producer = server.producer()) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, i % PARTITIONS, null, new byte[bytes]));
            }
        }
    }
}
