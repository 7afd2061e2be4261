package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** Pipelines in this process that read topics of the shared broker, and the records of these topics. */
final class ShortRuns implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final int MOST_BYTES = 64 << 20;

    final KafkaServer kafka = KafkaServer.shared();
    private final KafkaProducer<byte[], byte[]> producer =
            kafka.producer("max.request.size", MOST_BYTES, "buffer.memory", 2 * MOST_BYTES, "metadata.max.age.ms", 500);

    /** Sends records in this order; a value may be null. */
    void send(String topic, int partition, String... values) throws Exception {
        Future<RecordMetadata> last = null;
        for (String value : values) {
            byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
            last = producer.send(new ProducerRecord<>(topic, partition, new byte[] {1}, bytes));
        }
        last.get();
    }

    static PipelineSpec spec(String name, String yaml) throws Exception {
        return new SpecReader(Map.of()).read("test.yaml", yaml, name);
    }

    static RunningPipeline start(String name, String yaml) throws Exception {
        return Pipelines.start(spec(name, yaml));
    }

    /** Runs until the end of the input. */
    static PipelineProgress toEnd(String name, String yaml) throws Exception {
        return toEnd(start(name, yaml), LIMIT);
    }

    /** Waits for the end of the input, and closes the run. */
    static PipelineProgress toEnd(RunningPipeline started, Duration limit) throws Exception {
        try (RunningPipeline running = started) {
            assertThat(running.awaitEnd(limit)).as("ended").isTrue();
            assertThat(running.failure()).isNull();
            return running.progress();
        }
    }

    /** Waits for a run that goes on. */
    static void await(RunningPipeline running, Predicate<PipelineProgress> condition) throws Exception {
        await(running, LIMIT, condition);
    }

    /** Waits for a run that goes on, no longer than a limit. */
    static void await(RunningPipeline running, Duration limit, Predicate<PipelineProgress> condition) throws Exception {
        Await.until(
                "the run is so far",
                limit,
                () -> condition.test(running.progress()) || isEnded(running),
                running::progress);
    }

    /** Fails if a run has ended. */
    static boolean isEnded(RunningPipeline running) throws Exception {
        assertThat(running.awaitEnd(Duration.ofMillis(20))).as(running::failure).isFalse();
        return false;
    }

    /** What a group has committed; null for nothing. */
    Long committed(String group, String topic, int partition) throws Exception {
        OffsetAndMetadata offset = kafka.admin()
                .listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get()
                .get(new TopicPartition(topic, partition));
        return offset == null ? null : offset.offset();
    }

    /** Indexes of the partitions of which members of a group have one. */
    List<Integer> assigned(String group) throws Exception {
        return kafka
                .admin()
                .describeConsumerGroups(List.of(group))
                .describedGroups()
                .get(group)
                .get()
                .members()
                .stream()
                .flatMap(member -> member.assignment().topicPartitions().stream())
                .map(TopicPartition::partition)
                .sorted()
                .toList();
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
