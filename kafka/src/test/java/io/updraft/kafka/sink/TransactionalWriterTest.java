package io.updraft.kafka.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.kafka.units.Coordinator;
import io.updraft.kafka.units.FencedException;
import io.updraft.kafka.units.Ownership;
import io.updraft.kafka.units.Progress;
import io.updraft.kafka.units.UnitCommit;
import io.updraft.kafka.units.UnitPartition;
import io.updraft.kafka.units.UnitsListener;
import io.updraft.kafka.units.WorkUnit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

class TransactionalWriterTest {

    private static final Ownership OWNED = new Ownership(new WorkUnit(0), 1);
    private static final List<UnitCommit> UNITS =
            List.of(new UnitCommit(OWNED, new Progress(Map.of(new UnitPartition("c", "t", 0), 5L), "m")));

    /** As a consumer has it that is no member. */
    private static final ConsumerGroupMetadata GROUP = new MockConsumer<byte[], byte[]>("earliest").groupMetadata();

    private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final List<Object> openedAs = new ArrayList<>();
    private final OneUnit coordinator = new OneUnit();

    /** How many of the next commits nobody answers. */
    private int unanswered;

    private final TransactionalWriter writer =
            new TransactionalWriter(WriterSettings.of(Map.of()), coordinator, this::open);

    private MockProducer<byte[], byte[]> open(Map<String, Object> properties) {
        openedAs.add(properties.get("transactional.id"));
        MockProducer<byte[], byte[]> producer =
                new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                    @Override
                    public void commitTransaction() {
                        if (unanswered > 0) {
                            unanswered--;
                            throw new TimeoutException("no answer");
                        }
                        super.commitTransaction();
                    }
                };
        producers.add(producer);
        return producer;
    }

    private void write(String text) {
        writer.write("results", 0, null, text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> committed() {
        return producers.stream()
                .flatMap(producer -> producer.history().stream())
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }

    @Test
    void shouldCommitResultsAndPositionsTogether() {
        write("a");
        write("b");
        assertThat(committed()).isEmpty();
        writer.commit(UNITS);
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producers.get(0).consumerGroupOffsetsHistory().get(0)).containsOnlyKeys(GROUP.groupId());
        assertThat(producers.get(0).commitCount()).isEqualTo(1);
    }

    @Test
    void shouldWriteAllAgainWhenTheGroupIsRebalanced() {
        coordinator.refusals = 2;
        write("a");
        writer.commit(UNITS);
        assertThat(committed()).containsExactly("a");
        assertThat(coordinator.refusals).isZero();
    }

    @Test
    void shouldWaitLongerFromRefusalToRefusalAsAllIsSentAgainEachTime() {
        assertThat(IntStream.rangeClosed(1, 7).mapToLong(Pauses::millis))
                .containsExactly(20L, 40L, 80L, 160L, 320L, 320L, 320L);
        assertThat(Pauses.millis(Integer.MAX_VALUE)).isEqualTo(320);
    }

    @Test
    void shouldReplaceAProducerThatWasFencedIfTheUnitsAreStillOwned() {
        write("a");
        producers.get(0).fenceProducer();
        writer.commit(UNITS);
        assertThat(producers).hasSize(2);
        assertThat(committed()).containsExactly("a");
    }

    @Test
    void shouldWriteNothingOfAUnitThatIsOwnedNoMore() {
        write("a");
        coordinator.owned = false;
        FencedException fenced = catchThrowableOfType(FencedException.class, () -> writer.commit(UNITS));
        assertThat(fenced.fenced()).containsExactly(OWNED);
        assertThat(producers.get(0).transactionAborted()).isTrue();
        coordinator.owned = true;
        write("b");
        writer.commit(UNITS);
        assertThat(committed()).containsExactly("b");
    }

    /** Who takes over from the new life fences the new life's id: a producer with the old one would never be refused. */
    @Test
    void shouldCommitNothingAsAnEarlierLifeOfTheProcess() {
        write("a");
        coordinator.life = "second life";
        writer.commit(UNITS);
        assertThat(openedAs).containsExactly("first life", "second life");
        assertThat(producers.get(0).transactionAborted()).isTrue();
        assertThat(producers.get(0).consumerGroupOffsetsHistory()).isEmpty();
        assertThat(producers.get(0).closed()).isTrue();
        assertThat(producers.get(1).commitCount()).isEqualTo(1);
        assertThat(committed()).containsExactly("a");
    }

    @Test
    void shouldRepeatACommitOfWhichItIsNotKnownWhetherItHappened() {
        write("a");
        unanswered = 3;
        writer.commit(UNITS);
        assertThat(unanswered).isZero();
        assertThat(committed()).containsExactly("a");
        assertThat(producers).hasSize(1);
    }

    /** However long a broker is away: the same transaction is asked for again, and nothing is written twice. */
    @Test
    void shouldAskAgainForACommitThatWasNotAnswered() {
        TransactionalWriter hasty =
                new TransactionalWriter(new WriterSettings(Map.of(), Duration.ofMillis(5)), coordinator, this::open);
        hasty.write("results", 0, null, new byte[] {'a'});
        producers.get(0).commitTransactionException = new TimeoutException("no answer");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> hasty.commit(UNITS))
                    .isInstanceOfSatisfying(
                            WriteException.class, e -> assertThat(e.remedy()).isEqualTo(Remedy.ASK_AGAIN));
        }
        producers.get(0).commitTransactionException = null;
        hasty.commit(UNITS);
        hasty.write("results", 0, null, new byte[] {'b'});
        hasty.commit(UNITS);
        assertThat(committed()).containsExactly("a", "b");
        assertThat(producers).hasSize(1);
        assertThat(producers.get(0).commitCount()).isEqualTo(2);
    }

    @Test
    void shouldNotWriteAgainWhatMayHaveBeenCommitted() {
        TransactionalWriter hasty =
                new TransactionalWriter(new WriterSettings(Map.of(), Duration.ofMillis(5)), coordinator, this::open);
        hasty.write("results", 0, null, new byte[] {'a'});
        producers.get(0).commitTransactionException = new TimeoutException("no answer");
        assertThatThrownBy(() -> hasty.commit(UNITS)).isInstanceOf(WriteException.class);
        producers.get(0).commitTransactionException = new ProducerFencedException("fenced meanwhile");
        assertThatThrownBy(() -> hasty.commit(UNITS))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.remedy()).isEqualTo(Remedy.REJOIN));
        hasty.write("results", 0, null, new byte[] {'b'});
        hasty.commit(UNITS);
        assertThat(committed()).containsExactly("b");
    }

    @Test
    void shouldGiveUpWhatKafkaWillNeverTake() {
        write("a");
        producers.get(0).commitTransactionException = new RecordTooLargeException("too large");
        WriteException refused = catchThrowableOfType(WriteException.class, () -> writer.commit(UNITS));
        assertThat(refused.remedy()).isEqualTo(Remedy.REPLAY);
        producers.get(0).commitTransactionException = null;
        writer.commit(UNITS);
        assertThat(committed()).isEmpty();
    }

    @Test
    void shouldKeepWhatWasWrittenWhenItsPatienceIsOver() {
        TransactionalWriter hasty =
                new TransactionalWriter(new WriterSettings(Map.of(), Duration.ofMillis(60)), coordinator, this::open);
        hasty.write("results", 0, null, new byte[] {'a'});
        coordinator.refusals = Integer.MAX_VALUE;
        assertThatThrownBy(() -> hasty.commit(UNITS))
                .isInstanceOfSatisfying(
                        WriteException.class, e -> assertThat(e.remedy()).isEqualTo(Remedy.TRY_AGAIN));
        coordinator.refusals = 0;
        hasty.commit(UNITS);
        assertThat(committed()).containsExactly("a");
    }

    /** Owns unit 0, or not; may be between two generations for some questions. */
    private static final class OneUnit implements Coordinator {

        boolean owned = true;
        int refusals;
        String life = "first life";

        @Override
        public TransactionOffsets transactionOffsets(List<UnitCommit> commits) {
            if (refusals > 0) {
                refusals--;
                throw new CommitFailedException("rebalancing");
            }
            if (!owned) {
                throw new FencedException(List.of(OWNED), "Too late.");
            }
            return new TransactionOffsets(Map.of(new TopicPartition("t", 0), new OffsetAndMetadata(5)), GROUP, life);
        }

        @Override
        public CompletableFuture<Map<UnitPartition, Long>> positions() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String transactionalId() {
            return life;
        }

        @Override
        public void join(UnitsListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<Void> commit(List<UnitCommit> commits) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void leave() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            throw new UnsupportedOperationException();
        }
    }
}
