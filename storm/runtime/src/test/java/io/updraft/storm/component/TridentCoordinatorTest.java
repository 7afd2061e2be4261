package io.updraft.storm.component;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.storm.component.TridentBolt.TridentCoordinator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.TreeMap;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.trident.spout.ITridentSpout.BatchCoordinator;
import org.apache.storm.trident.topology.MasterBatchCoordinator;
import org.apache.storm.trident.topology.TransactionAttempt;
import org.apache.storm.utils.WindowedTimeThrottler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Storm's coordinator while the interval between two batches ends in the middle of a call. */
class TridentCoordinatorTest {
    private final List<Long> begun = new ArrayList<>();
    private final MasterBatchCoordinator coordinator =
            new MasterBatchCoordinator(List.of("spout"), Collections.singletonList(null));

    /** What {@code open} does, but for ZooKeeper. */
    @BeforeEach
    void open() throws ReflectiveOperationException {
        set("activeTx", new TreeMap<>());
        set("attemptIds", new TreeMap<>());
        set("currTransaction", 1L);
        set("maxTransactionActive", 4);
        set("coordinators", List.of(new Ready()));
        set("collector", new SpoutOutputCollector(new Noting()));
    }

    private void set(String name, Object value) throws ReflectiveOperationException {
        Steps.field(MasterBatchCoordinator.class, name).set(coordinator, value);
    }

    @Test
    void shouldBeginNoTransactionBeforeTheOneThatItHasToFollow() throws Exception {
        // The interval is over from the second question on.
        set("throttler", new Answers(true, false, false, false, false, true));
        TridentCoordinator steady = new TridentCoordinator(coordinator);
        steady.replaceThrottler();
        steady.nextTuple();
        assertThat(begun).isEmpty();
        for (int call = 0; call < 3; call++) {
            steady.nextTuple();
        }
        assertThat(begun).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldBeNeededWithTheStormThatIsThere() throws Exception {
        set("throttler", new Answers(true, false, true, true));
        coordinator.nextTuple();
        assertThat(begun).containsExactly(2L);
    }

    @Test
    void shouldStandBeforeTheCoordinatorOfATopology() {
        assertThat(TridentBolt.aroundIfTrident(coordinator))
                .isInstanceOf(TridentCoordinator.class)
                .isInstanceOf(ISpout.class);
    }

    private static final class Answers extends WindowedTimeThrottler {
        private final Iterator<Boolean> answers;

        private Answers(Boolean... answers) {
            super(0, 1);
            this.answers = Arrays.asList(answers).iterator();
        }

        @Override
        public boolean isThrottled() {
            return answers.next();
        }

        @Override
        public void markEvent() {}
    }

    private static final class Ready implements BatchCoordinator<Object> {
        @Override
        public Object initializeTransaction(long txid, Object before, Object current) {
            return null;
        }

        @Override
        public void success(long txid) {}

        @Override
        public boolean isReady(long txid) {
            return true;
        }

        @Override
        public void close() {}
    }

    private final class Noting implements ISpoutOutputCollector {
        @Override
        public List<Integer> emit(String stream, List<Object> tuple, Object messageId) {
            begun.add(((TransactionAttempt) tuple.get(0)).getTransactionId());
            return List.of();
        }

        @Override
        public void emitDirect(int task, String stream, List<Object> tuple, Object messageId) {}

        @Override
        public long getPendingCount() {
            return 0;
        }

        @Override
        public void flush() {}

        @Override
        public void reportError(Throwable error) {}
    }
}
