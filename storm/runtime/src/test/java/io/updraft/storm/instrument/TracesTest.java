package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TracesTest {
    private final UpdraftCluster cluster = new UpdraftCluster();
    private final AtomicReference<TopologyContext> spout = new AtomicReference<>();
    private final Queue<String> reported = new ConcurrentLinkedQueue<>();
    private final Queue<Tuple> kept = new ConcurrentLinkedQueue<>();
    private final CountDownLatch stuck = new CountDownLatch(1);

    @BeforeEach
    void reset() {
        QueueTopology.reset((tuple, out) -> {
            switch (tuple.getValue(1).toString()) {
                case "keep" -> kept.add(tuple);
                case "stick" -> {
                    kept.add(tuple);
                    awaitRelease();
                    out.ack(tuple);
                }
                case "fail" -> out.fail(tuple);
                default -> QueueTopology.passOn(tuple, out);
            }
        });
        QueueTopology.onOpen((context, out) -> spout.set(context));
    }

    @AfterEach
    void close() {
        stuck.countDown();
        cluster.close();
    }

    private void awaitRelease() {
        try {
            stuck.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldTellTheBoltThatKeepsATupleAndNothingOfOtherTuples() throws Exception {
        start(Map.of());
        Values values = new Values(1, "keep");
        trace(values);
        QueueTopology.MESSAGES.add(new Values(2, "pass"));
        QueueTopology.MESSAGES.add(values);
        QueueTopology.MESSAGES.add(new Values(3, "keep"));
        Await.until("two are kept", () -> kept.size() == 2 && reported.size() == 2);
        int task = spout.get().getComponentTasks("middle").get(0);
        assertThat(reported)
                .containsExactly(
                        "bolt 'middle' (task " + task + "), which is executing it",
                        "bolt 'middle' (task " + task + "), which keeps it without ack or fail");
    }

    @Test
    void shouldFollowATupleToTheBoltsBehindUntilItsEnd() throws Exception {
        start(Map.of());
        Values values = new Values(1, "pass");
        trace(values);
        QueueTopology.MESSAGES.add(values);
        Await.until("it is acked", () -> QueueTopology.ACKED.contains(1));
        int end = spout.get().getComponentTasks("end").get(0);
        assertThat(reported)
                .contains(
                        "bolt 'end' (task " + end + "), which is executing it",
                        "bolt 'end' (task " + end + "), which has acked it");
    }

    @Test
    void shouldTellOfAFailAndOfNothingOnceItIsClosed() throws Exception {
        start(Map.of());
        Values first = new Values(1, "fail");
        Values second = new Values(2, "fail");
        AutoCloseable trace = trace(first);
        QueueTopology.MESSAGES.add(first);
        Await.until("it has failed", () -> QueueTopology.FAILED.contains(1));
        assertThat(reported).last().asString().endsWith("which has failed it");
        reported.clear();
        trace(second).close();
        trace.close();
        QueueTopology.MESSAGES.add(second);
        Await.until("the other has failed", () -> QueueTopology.FAILED.contains(2));
        assertThat(reported).isEmpty();
    }

    @Test
    void shouldTellTheBoltThatIsInOneCallAndWhatWaitsForIt() throws Exception {
        start(Map.of());
        Await.until("nothing is told", () -> holdups().isEmpty());
        QueueTopology.MESSAGES.add(new Values(1, "stick"));
        Await.until("it is stuck", () -> !kept.isEmpty());
        for (int i = 2; i <= 5_000; i++) {
            QueueTopology.MESSAGES.add(new Values(i, "pass"));
        }
        int task = spout.get().getComponentTasks("middle").get(0);
        Await.until("both are told", () -> holdups().size() == 2);
        assertThat(holdups().get(0))
                .matches("bolt 'middle' has been in one call for at least \\d+ s \\(on the thread of task " + task
                        + "\\)");
        assertThat(holdups().get(1))
                .matches("\\d+ tuples wait for bolt 'middle' \\(on the thread of task " + task + "\\)");
        stuck.countDown();
        Await.until("nothing is told", () -> holdups().isEmpty());
    }

    @Test
    void shouldGiveASpoutATurnWhileItIsNotAskedForTuples() throws Exception {
        start(Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 1));
        QueueTopology.MESSAGES.add(new Values(1, "keep"));
        QueueTopology.MESSAGES.add(new Values(2, "keep"));
        Await.until("one is pending", () -> !kept.isEmpty());
        AtomicReference<Thread> by = new AtomicReference<>();
        turns().accept(spout.get().getThisTaskId(), () -> by.set(Thread.currentThread()));
        Await.until("it has had its turn", () -> by.get() != null);
        assertThat(by.get()).isNotSameAs(Thread.currentThread());
        assertThat(QueueTopology.MESSAGES).hasSize(1);
    }

    @Test
    void shouldOfferNothingWhereTuplesAreWrittenAndReadOnTheirWay() throws Exception {
        start(Map.of("updraft.check.serialization", true));
        assertThat(spout.get().getResource("updraft.traces")).isNull();
        assertThat(spout.get().getResource("updraft.holdups")).isNull();
        assertThat(spout.get().getResource("updraft.turns")).isNull();
    }

    private void start(Map<String, Object> conf) throws Exception {
        QueueTopology.submit(cluster, "traced", conf);
        Await.until("the spout is open", () -> spout.get() != null);
    }

    @SuppressWarnings("unchecked") // as its documentation says
    private AutoCloseable trace(List<Object> values) {
        return ((BiFunction<List<Object>, Consumer<String>, AutoCloseable>)
                        spout.get().getResource("updraft.traces"))
                .apply(values, reported::add);
    }

    @SuppressWarnings("unchecked") // as its documentation says
    private BiConsumer<Integer, Runnable> turns() {
        return (BiConsumer<Integer, Runnable>) spout.get().getResource("updraft.turns");
    }

    @SuppressWarnings("unchecked") // as its documentation says
    private List<String> holdups() {
        return ((Function<String, List<String>>) spout.get().getResource("updraft.holdups")).apply("feed");
    }
}
