package io.updraft.pipeline.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.base.record.SourceEvent;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Where reading begins at an offset that is no longer in the log. */
@Tag("slow")
final class CommittedOffsetsTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final KafkaServer kafka = KafkaServer.shared();

    @Test
    void shouldReadWhatRetentionHasLeftAlsoWhereTheFirstRunStartedAtTheLatest() throws Exception {
        TopicPartition partition = new TopicPartition("expired", 0);
        kafka.createTopic("expired", 1, 1);
        send("expired", 10);
        kafka.admin()
                .alterConsumerGroupOffsets("expired", Map.of(partition, new OffsetAndMetadata(2)))
                .all()
                .get();
        kafka.admin()
                .deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(6)))
                .all()
                .get();
        assertThat(read("expired", SourceSpec.Kafka.Start.LATEST)).isEqualTo(4);
    }

    private void send(String topic, int records) {
        try (KafkaProducer<byte[], byte[]> producer = kafka.producer()) {
            for (int i = 0; i < records; i++) {
                producer.send(new ProducerRecord<>(topic, 0, null, ("record " + i).getBytes(UTF_8)));
            }
        }
    }

    /** Returns how many records a run to the end reads. */
    private int read(String topic, SourceSpec.Kafka.Start start) throws Exception {
        SourceSpec.Kafka spec = new SourceSpec.Kafka(
                List.of(Map.of("bootstrap.servers", kafka.bootstrap())),
                List.of(topic),
                topic,
                start,
                true,
                null,
                null);
        KafkaReadOptions how = new KafkaReadOptions(true, true, Duration.ofMinutes(1), null, false, List.of());
        RecordSource source = new KafkaSource(
                spec,
                KafkaCoordinators.coordinator(spec, TestProcess.of(topic), true, false),
                how,
                System::currentTimeMillis);
        int count = 0;
        try {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            boolean opened = false;
            while (!opened || !source.ended()) {
                assertThat(System.nanoTime()).as("deadline").isLessThan(deadline);
                for (SourceEvent event : source.poll()) {
                    opened |= event instanceof RecordSource.Event.Opened;
                    if (event instanceof Chunk chunk) {
                        count += chunk.ends().length;
                    } else if (event instanceof RecordSource.Event.Ended ended) {
                        assertThat(ended.partition()).isEqualTo(topic + "-0");
                    }
                }
            }
        } finally {
            source.close();
        }
        return count;
    }
}
