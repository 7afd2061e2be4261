package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A process dies in a transaction before it has added offsets. No other member of the group waits for that transaction. */
@Tag("slow")
final class OrphanedTransactionsTest {

    private static final String GROUP = "group";
    private static final TopicPartition RESULTS = new TopicPartition("results", 0);

    @Test
    void shouldEndTheTransactionOfADeadProcessSoThatReadersOfResultsGoOn() throws Exception {
        TransactionalIds ids = new TransactionalIds(GROUP);
        try (KafkaServer kafka = KafkaServer.start()) {
            kafka.createTopic("records", 2, 1);
            for (String topic : List.of(RESULTS.topic(), "mine", "others")) {
                kafka.createTopic(topic, 1, 1);
            }
            GroupSettings settings = GroupSettings.of(
                    new ClusterTopics("a", Map.of("bootstrap.servers", kafka.bootstrap()), List.of("records")), GROUP);
            try (KafkaProducer<byte[], byte[]> dead = writing(kafka, ids.of("dead"), RESULTS.topic());
                    KafkaProducer<byte[], byte[]> other = writing(kafka, "updraft:5:other:dead", "others");
                    KafkaProducer<byte[], byte[]> mine = writing(kafka, ids.of(settings.member()), "mine")) {
                assertThat(committedEnd(kafka)).isZero();
                try (GroupCoordinator coordinator = new GroupCoordinator(settings)) {
                    coordinator.join(new Indifferent());
                    Await.until("the transaction has ended", () -> committedEnd(kafka) > 0);
                    // Readers may go on as soon as the marker is in the topic. What the broker notes of the transaction
                    // follows: that it is being aborted, that it is, and that its id has no transaction any more.
                    assertThat(state(kafka, ids.of("dead")))
                            .isIn(
                                    TransactionState.PREPARE_ABORT,
                                    TransactionState.COMPLETE_ABORT,
                                    TransactionState.EMPTY);
                    assertThat(committed(kafka)).isZero();
                }
                mine.commitTransaction();
                other.commitTransaction();
                dead.close(Duration.ZERO);
            }
        }
    }

    /** A transaction with a record in it, which the broker would leave open for ten minutes. */
    private static KafkaProducer<byte[], byte[]> writing(KafkaServer kafka, String id, String topic) throws Exception {
        KafkaProducer<byte[], byte[]> producer =
                kafka.producer("transactional.id", id, "transaction.timeout.ms", 600_000);
        producer.initTransactions();
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, new byte[1])).get();
        return producer;
    }

    /** What those can read to who read only what is committed. */
    private static long committedEnd(KafkaServer kafka) throws Exception {
        return kafka.admin()
                .listOffsets(
                        Map.of(RESULTS, OffsetSpec.latest()), new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
                .partitionResult(RESULTS)
                .get()
                .offset();
    }

    /** The records that those find who read what is there now, and of that only what is committed. */
    private static int committed(KafkaServer kafka) throws Exception {
        return kafka.records(RESULTS.topic()).size();
    }

    private static TransactionState state(KafkaServer kafka, String id) throws Exception {
        return kafka.admin()
                .describeTransactions(List.of(id))
                .description(id)
                .get()
                .state();
    }

    private static final class Indifferent implements ShareCoordinator.Listener {

        @Override
        public void onAssigned(List<Share.Assigned> shares) {}

        @Override
        public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void onLost(List<Share.Ownership> shares, String reason) {}

        @Override
        public void onFailed(Throwable cause) {}
    }
}
