package io.updraft.kafka.sink;

import static io.updraft.kafka.sink.OneShareCoordinator.GROUP;
import static io.updraft.kafka.sink.OneShareCoordinator.OWNED;
import static io.updraft.kafka.sink.OneShareCoordinator.SHARES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.kafka.share.FencedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTxnTimeoutException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {

    /** As a consumer has it that is no member. */
    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();

    private final List<Object> openedAs = new ArrayList<>();
    private final OneShareCoordinator coordinator = new OneShareCoordinator();

    /** How many of the next commits nobody answers. */
    private int unanswered;

    private final TransactionalWriter writer =
            new TransactionalWriter(WriterSettings.of(Map.of()), coordinator, this::open);

    /** How many of the next transactions run out of time although their records are acknowledged. */
    private int slow;

    /** No record is acknowledged. */
    private boolean silent;

    /** The longest transaction that the brokers allow, in milliseconds. */
    private int longest = Integer.MAX_VALUE;

    private final List<Integer> times = new ArrayList<>();

    private MockProducer<byte[], byte[]> open(Map<String, Object> properties) {
        openedAs.add(properties.get("transactional.id"));
        int time = (int) properties.get("transaction.timeout.ms");
        times.add(time);
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(!silent, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void commitTransaction() {
                        if (unanswered > 0) {
                            unanswered--;
                            throw new TimeoutException("no answer");
                        }
                        super.commitTransaction();
                    }

                    @Override
                    public void sendOffsetsToTransaction(
                            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
                        if (slow > 0) {
                            slow--;
                            throw new KafkaException("in an error state", new TimeoutException("Expiring 1 record"));
                        }
                        super.sendOffsetsToTransaction(offsets, group);
                    }
                };
        if (time > longest) {
            producer.initTransactionException = new InvalidTxnTimeoutException("too long");
        }
        producers.add(producer);
        return producer;
    }

    private List<String> committed() {
        return producers.stream()
                .flatMap(producer -> producer.history().stream())
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    /** How often results were asked for. */
    private int sent;

    private TransactionalWriter.Results results(String... texts) {
        return to -> {
            sent++;
            for (String text : texts) {
                to.accept(new ProducerRecord<>("results", 0, null, text.getBytes(StandardCharsets.UTF_8)));
            }
        };
    }

    private TransactionalWriter hasty(int patienceMillis) {
        return new TransactionalWriter(
                new WriterSettings(Map.of(), Duration.ofMillis(patienceMillis)), coordinator, this::open);
    }

    @Test
    void shouldCommitResultsAndPositionsTogether() {
        writer.commit(results("a", "b"), SHARES);
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producers.get(0).consumerGroupOffsetsHistory().get(0)).containsOnlyKeys(GROUP.groupId());
        assertThat(producers.get(0).commitCount()).isEqualTo(1);
    }

    @Test
    void shouldWriteAllAgainWhenTheGroupIsRebalanced() {
        coordinator.refusals = 2;
        writer.commit(results("a"), SHARES);
        assertThat(committed()).containsExactly("a");
        assertThat(coordinator.refusals).isZero();
        assertThat(sent).isEqualTo(3);
    }

    @Test
    void shouldWaitLongerFromRefusalToRefusalAsAllIsSentAgainEachTime() {
        assertThat(IntStream.rangeClosed(1, 7).mapToLong(TransactionalWriter::pauseMillis))
                .containsExactly(20L, 40L, 80L, 160L, 320L, 320L, 320L);
        assertThat(TransactionalWriter.pauseMillis(Integer.MAX_VALUE)).isEqualTo(320);
    }

    @Test
    void shouldReplaceAProducerThatWasFencedIfTheSharesAreStillOwned() {
        writer.commit(results(), SHARES);
        producers.get(0).fenceProducer();
        writer.commit(results("a"), SHARES);
        assertThat(producers).hasSize(2);
        assertThat(committed()).containsExactly("a");
    }

    @Test
    void shouldWriteNothingOfAShareThatIsOwnedNoMore() {
        coordinator.owned = false;
        FencedException fenced = catchThrowableOfType(FencedException.class, () -> writer.commit(results("a"), SHARES));
        assertThat(fenced.fenced()).containsExactly(OWNED);
        assertThat(producers.get(0).transactionAborted()).isTrue();
        coordinator.owned = true;
        writer.commit(results("b"), SHARES);
        assertThat(committed()).containsExactly("b");
    }

    /** Who takes over from the new life fences the new life's id: a producer with the old one would never be refused. */
    @Test
    void shouldCommitNothingAsAnEarlierLifeOfTheProcess() {
        writer.commit(results("a"), SHARES);
        coordinator.life = "second life";
        writer.commit(results("b"), SHARES);
        assertThat(openedAs).containsExactly("first life", "second life");
        assertThat(producers.get(0).transactionAborted()).isTrue();
        assertThat(producers.get(0).consumerGroupOffsetsHistory()).hasSize(1);
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(producers.get(1).commitCount()).isEqualTo(1);
        assertThat(committed()).containsExactly("a", "b");
    }

    @Test
    void shouldRepeatACommitOfWhichItIsNotKnownWhetherItHappened() {
        unanswered = 3;
        writer.commit(results("a"), SHARES);
        assertThat(unanswered).isZero();
        assertThat(sent).isEqualTo(1);
        assertThat(committed()).containsExactly("a");
        assertThat(producers).hasSize(1);
    }

    /** However long a broker is away: the same transaction is asked for again, and nothing is written twice. */
    @Test
    void shouldAskAgainForACommitThatWasNotAnswered() {
        TransactionalWriter hasty = hasty(5);
        unanswered = Integer.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> hasty.commit(results("a"), SHARES))
                    .isInstanceOfSatisfying(
                            WriteException.class,
                            e -> assertThat(e.remedy()).isEqualTo(WriteException.Remedy.ASK_AGAIN));
        }
        unanswered = 0;
        hasty.commit(results("a"), SHARES);
        assertThat(sent).isEqualTo(1);
        hasty.commit(results("b"), SHARES);
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producers).hasSize(1);
        assertThat(producers.get(0).commitCount()).isEqualTo(2);
    }

    @Test
    void shouldNotWriteAgainWhatMayHaveBeenCommitted() {
        TransactionalWriter hasty = hasty(5);
        unanswered = Integer.MAX_VALUE;
        assertThatThrownBy(() -> hasty.commit(results("a"), SHARES)).isInstanceOf(WriteException.class);
        unanswered = 0;
        producers.get(0).commitTransactionException = new ProducerFencedException("fenced meanwhile");
        assertThatThrownBy(() -> hasty.commit(results("a"), SHARES))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.remedy()).isEqualTo(WriteException.Remedy.REJOIN));
        hasty.commit(results("b"), SHARES);
        assertThat(committed()).containsExactly("b");
    }

    @Test
    void shouldNameTheResultsThatKafkaWillNeverTake() {
        writer.commit(results(), SHARES);
        producers.get(0).sendException = new RecordTooLargeException("too large");
        WriteException refused =
                catchThrowableOfType(WriteException.class, () -> writer.commit(results("first"), SHARES));
        assertThat(refused.remedy()).isEqualTo(WriteException.Remedy.LEAVE_OUT);
        assertThat(refused).hasMessageContaining("too large");
        assertThat(refused.refusals().reason(0, 5)).isEqualTo("too large");
        assertThat(refused.refusals().reason(1, 15)).isNull();
        assertThat(refused.refusals().reason(2, 100))
                .as("larger than the refused one")
                .contains("too large");
        producers.get(0).sendException = null;
        writer.commit(results("b"), SHARES);
        assertThat(committed()).containsExactly("b");
    }

    @Test
    void shouldNotCompareSizesOfCompressedResults() {
        RecordRefusals refusals = new RecordRefusals(Map.of("compression.type", "gzip"), true);
        refusals.add(0, 5, new RecordTooLargeException("too large"));
        assertThat(refusals.reason(0, 5)).isEqualTo("too large");
        assertThat(refusals.reason(1, 100)).isNull();
    }

    @Test
    void shouldNotRefuseResultsThatFailedWithTheTransaction() {
        RecordRefusals tooLarge = new RecordRefusals(Map.of(), true);
        RecordTooLargeException size = new RecordTooLargeException("too large");
        for (int i = 0; i < 3; i++) {
            tooLarge.add(i, 100 - 40 * i, size);
        }
        assertThat(tooLarge.reason(0, 100)).isEqualTo("too large");
        assertThat(tooLarge.reason(1, 60)).isNull();
        assertThat(tooLarge.reason(2, 20)).isNull();

        RecordRefusals invalid = new RecordRefusals(Map.of(), true);
        invalid.add(0, 5, new InvalidRecordException("no key"));
        assertThat(invalid.reason(0, 5)).isEqualTo("no key");
        invalid.add(1, 5, new InvalidRecordException("no key"));
        InvalidRecordException transaction = new InvalidRecordException("2 errors");
        invalid.add(2, 5, transaction);
        invalid.add(3, 5, transaction);
        assertThat(invalid.reason(1, 5)).isEqualTo("no key");
        assertThat(invalid.reason(2, 5)).isNull();
        assertThat(invalid.reason(3, 5)).isNull();
    }

    @Test
    void shouldLeaveItToTheCallerWhenItsPatienceIsOver() {
        TransactionalWriter hasty = hasty(60);
        coordinator.refusals = Integer.MAX_VALUE;
        assertThatThrownBy(() -> hasty.commit(results("a"), SHARES))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.remedy()).isEqualTo(WriteException.Remedy.TRY_AGAIN));
        coordinator.refusals = 0;
        hasty.commit(results("a"), SHARES);
        assertThat(committed()).containsExactly("a");
    }

    /** The producer's own time-out says the same of a broker that is slow and of one that is away. */
    @Test
    void shouldGiveMoreTimeToResultsThatTakeLongerThanATransactionMay() {
        slow = 2;
        writer.commit(results("a"), SHARES);
        assertThat(times).containsExactly(30_000, 120_000, 480_000);
        assertThat(committed()).containsExactly("a");
        writer.commit(results("b"), SHARES);
        assertThat(times).hasSize(3);
    }

    @Test
    void shouldSayThatResultsTakeLongerThanAnyTransactionMay() {
        slow = Integer.MAX_VALUE;
        WriteException never = catchThrowableOfType(WriteException.class, () -> writer.commit(results("a"), SHARES));
        assertThat(never.remedy()).isEqualTo(WriteException.Remedy.GIVE_UP);
        assertThat(never).hasMessageContaining("longer than 900 s").hasMessageContaining("transaction.max.timeout.ms");
        assertThat(times).containsExactly(30_000, 120_000, 480_000, 900_000);
    }

    @Test
    void shouldTakeNoMoreTimeThanTheBrokersAllow() {
        longest = 100_000;
        slow = 1;
        writer.commit(results("a"), SHARES);
        assertThat(times).containsExactly(30_000, 120_000, 60_000);
        assertThat(committed()).containsExactly("a");
        slow = 1;
        assertThatThrownBy(() -> writer.commit(results("b"), SHARES))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.remedy()).isEqualTo(WriteException.Remedy.GIVE_UP));
    }

    /** A broker that is away is waited for with the time that there was: nothing says that it would be slow. */
    @Test
    void shouldTakeNoMoreTimeWhileNoBrokerAnswers() {
        silent = true;
        TransactionalWriter hasty = hasty(20);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> hasty.commit(results("a"), SHARES))
                    .isInstanceOfSatisfying(
                            WriteException.class,
                            e -> assertThat(e.remedy()).isEqualTo(WriteException.Remedy.TRY_AGAIN))
                    .hasMessageContaining("0 of 1 records");
        }
        assertThat(times).allMatch(time -> time == 20);
    }
}
