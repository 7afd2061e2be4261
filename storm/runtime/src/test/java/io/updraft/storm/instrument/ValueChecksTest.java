package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.storm.UpdraftCluster;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The modes that make a test fail if a topology emits values that cannot be sent between workers, or changes emitted values. */
class ValueChecksTest {
    private static final Map<String, Object> SERIALIZATION = Map.of("updraft.check.serialization", true);
    private static final Map<String, Object> MUTATION = Map.of("updraft.check.mutation", true);

    private final Queue<ErrorReport> errors = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster.Builder()
            .withErrorListener((topology, error) -> errors.add(error))
            .build();

    /** Not registered. */
    record Point(int x, int y) implements Serializable {}

    /** Forgets y. */
    public static final class Forgetful extends Serializer<Point> {
        @Override
        public void write(Kryo kryo, Output output, Point point) {
            output.writeInt(point.x);
        }

        @Override
        public Point read(Kryo kryo, Input input, Class<? extends Point> type) {
            return new Point(input.readInt(), 0);
        }
    }

    private void run(Map<String, Object> conf, Object value) throws Exception {
        QueueTopology.MESSAGES.add(new Values(1, value));
        QueueTopology.submit(cluster, "checked", conf);
        Await.until(
                "it went well or not",
                () -> !errors.isEmpty() || QueueTopology.ACKED.size() + QueueTopology.FAILED.size() > 0);
    }

    private static Map<String, Object> with(Map<String, Object> conf, String key, Object value) {
        Map<String, Object> whole = new HashMap<>(conf);
        whole.put(key, value);
        return whole;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(50, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldNameAValueThatCannotBeSerialized() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        run(SERIALIZATION, new Point(3, 4));

        assertThat(errors.peek().componentId()).isEqualTo("feed");
        assertThat(errors.peek().error())
                .isInstanceOf(UnserializableValueException.class)
                .hasMessageContaining("component 'feed' on stream 'default'")
                .hasMessageContaining("field 1 'value' of class " + Point.class.getName())
                .hasMessageContaining("topology.kryo.register")
                .hasMessageContaining("topology.fall.back.on.java.serialization");
        assertThat(QueueTopology.SEEN).isEmpty();
    }

    @Test
    void shouldHandOnACopyOfWhatCanBeSerialized() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        ArrayList<Object> list = new ArrayList<>(List.of("a", 2, 3L, new byte[] {4}));
        run(SERIALIZATION, list);
        Await.until("it has passed", () -> QueueTopology.ACKED.size() == 1);

        Object seen = QueueTopology.SEEN.peek().get(1);
        assertThat(errors).isEmpty();
        assertThat(seen).isInstanceOf(ArrayList.class).isNotSameAs(list);
        assertThat(((List<?>) seen).get(2)).isEqualTo(3L);
    }

    @Test
    void shouldHonourTheTopologysSerialization() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        run(with(SERIALIZATION, Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true), new Point(3, 4));
        Await.until("it has passed", () -> QueueTopology.ACKED.size() == 1);

        assertThat(errors).isEmpty();
        assertThat(QueueTopology.SEEN.peek()).containsExactly(1, new Point(3, 4));
    }

    @Test
    void shouldNameAValueThatComesBackDifferent() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        run(
                with(
                        SERIALIZATION,
                        Config.TOPOLOGY_KRYO_REGISTER,
                        List.of(Map.of(Point.class.getName(), Forgetful.class.getName()))),
                new Point(3, 4));

        assertThat(errors.peek().error())
                .isInstanceOf(UnserializableValueException.class)
                .hasMessageContaining("field 1 'value'")
                .hasMessageContaining("Point[x=3, y=0]")
                .hasMessageContaining("Point[x=3, y=4]");
    }

    @Test
    void shouldFindAValueThatItsEmitterChanges() throws Exception {
        CountDownLatch changed = new CountDownLatch(1);
        QueueTopology.reset((Tuple tuple, OutputCollector out) -> {
            ArrayList<Object> mine = new ArrayList<>(List.of("first"));
            out.emit(tuple, new Values(tuple.getValue(0), mine));
            mine.add("changed");
            changed.countDown();
            out.ack(tuple);
        });
        QueueTopology.onEnd(() -> await(changed));
        run(MUTATION, "text");
        Await.until("it is reported", () -> !errors.isEmpty());

        assertThat(errors.peek().error())
                .isInstanceOf(MutatedValueException.class)
                .hasMessageContaining(
                        "component 'middle' on stream 'default': field 1 'value' of class java.util.ArrayList")
                .hasMessageContaining("component 'end'");
        Await.until("it goes on", () -> QueueTopology.ACKED.size() == 1);
    }

    @Test
    void shouldFindAValueThatItsReceiverChangesAndReportItOnce() throws Exception {
        QueueTopology.reset((Tuple tuple, OutputCollector out) -> {
            @SuppressWarnings("unchecked")
            List<Object> theirs = (List<Object>) tuple.getValue(1);
            theirs.add("changed");
            out.ack(tuple);
        });
        for (int i = 2; i < 20; i++) {
            QueueTopology.MESSAGES.add(new Values(i, new ArrayList<>(List.of("first"))));
        }
        run(MUTATION, new ArrayList<>(List.of("first")));
        Await.until("all are acked", () -> QueueTopology.ACKED.size() == 19);

        assertThat(errors).hasSize(1);
        assertThat(errors.peek().error())
                .isInstanceOf(MutatedValueException.class)
                .hasMessageContaining("component 'feed' on stream 'default': field 1 'value'")
                .hasMessageContaining("before component 'middle' acked or failed it");
    }

    @Test
    void shouldFindAListThatIsFilledAndEmittedAgain() throws Exception {
        Values reused = new Values(0, new ArrayList<>());
        QueueTopology.reset((Tuple tuple, OutputCollector out) -> {
            reused.set(0, tuple.getValue(0));
            out.emit(tuple, reused);
            out.ack(tuple);
        });
        QueueTopology.MESSAGES.add(new Values(0, "text"));
        run(MUTATION, "text");
        Await.until("it is reported", () -> !errors.isEmpty());

        assertThat(errors.peek().error())
                .isInstanceOf(MutatedValueException.class)
                .hasMessageContaining("component 'middle' on stream 'default': field 0 was replaced");
    }

    @Test
    void shouldFindNothingWhereNothingChanges() throws Exception {
        QueueTopology.reset(QueueTopology::passOn);
        for (int i = 0; i < 500; i++) {
            QueueTopology.MESSAGES.add(new Values(
                    i, new ArrayList<>(List.of(i, new HashMap<>(Map.of("a", i, "b", 2))))));
        }
        QueueTopology.submit(cluster, "both", with(SERIALIZATION, "updraft.check.mutation", true));
        Await.until("all are acked", () -> QueueTopology.ACKED.size() == 500);

        assertThat(errors).isEmpty();
        assertThat(QueueTopology.SEEN).hasSize(500);
    }

    @Test
    void shouldRefuseASettingThatIsNeitherTrueNorFalse() {
        assertThatThrownBy(() -> QueueTopology.submit(cluster, "wrong", Map.of("updraft.check.mutation", "yes")))
                .isInstanceOf(InvalidTopologyException.class)
                .hasStackTraceContaining("updraft.check.mutation is 'yes': it must be true or false");
    }
}
