package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.data.MeasurementSequence;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads committed results as they arrive, and compares them with the model. One thread only. */
final class ResultTail implements AutoCloseable {

    private static final Duration POLL = Duration.ofMillis(20);

    private final BenchTopics topics;
    private final String topic;
    private final MeasurementSequence firehose;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final ResultCheck check;
    private final ResultGaps silences;

    ResultTail(BenchTopics topics, String topic, MeasurementSequence firehose, ExpectedResults model) {
        this.topics = topics;
        this.topic = topic;
        this.firehose = firehose;
        consumer = topics.consumer();
        List<TopicPartition> partitions = BenchTopics.partitions(topic, PeerRun.OUTPUT_PARTITIONS);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        check = new ResultCheck(model);
        silences = new ResultGaps(firehose.partitions(), System.nanoTime());
    }

    /** Reads and checks the next results. {@return the number of results read} */
    int poll() {
        int count = 0;
        for (ConsumerRecord<byte[], byte[]> result : consumer.poll(POLL)) {
            count++;
            check.result(result.value())
                    .ifPresent(key -> silences.resultArrived(firehose.partition(key), System.nanoTime()));
        }
        return count;
    }

    /** {@return whether all results have been read and no transaction is open} */
    boolean isAtEnd() throws InterruptedException {
        for (Map.Entry<TopicPartition, Long> end :
                topics.ends(topic, PeerRun.OUTPUT_PARTITIONS).entrySet()) {
            if (consumer.position(end.getKey()) < end.getValue()) {
                return false;
            }
        }
        return true;
    }

    ResultCheck check() {
        return check;
    }

    ResultGaps silences() {
        return silences;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
