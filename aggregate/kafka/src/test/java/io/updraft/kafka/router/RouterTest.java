package io.updraft.kafka.router;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RouterTest {

    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    private static final long LIMIT_SECONDS = 60;

    /** Of the router: it waits three times as long when it is closed with records that no target takes. */
    private static final Duration SHORT_FAILOVER = Duration.ofMillis(100);

    private final Map<String, FakeLane> lanes = new HashMap<>();
    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private Router router;

    @AfterEach
    void close() {
        lanes.values().forEach(lane -> lane.answer = Answer.OK);
        router.close();
    }

    private enum Answer {
        OK,
        FAIL,
        TOO_LARGE,
        LATER
    }

    private static final class FakeLane implements RecordSender {
        volatile Answer answer = Answer.OK;
        final List<Integer> partitions = new ArrayList<>();
        final Deque<Callback> later = new ArrayDeque<>();

        @Override
        public synchronized void send(int partition, byte[] key, byte[] value, Callback callback) {
            partitions.add(partition);
            switch (answer) {
                case OK -> callback.done(partitions.size() - 1, null);
                case FAIL -> callback.done(-1, new TimeoutException("down"));
                case TOO_LARGE -> callback.done(-1, new RecordTooLargeException("too large"));
                default -> later.add(callback);
            }
        }

        synchronized int sent() {
            return partitions.size();
        }

        @Override
        public synchronized void close() {
            later.forEach(callback -> callback.done(-1, new TimeoutException("closed")));
            later.clear();
        }
    }

    private void start(int capacity, Duration probe) {
        start(capacity, SHORT_FAILOVER, probe);
    }

    private void start(int capacity, Duration failover, Duration probe) {
        for (String name : List.of("a", "b")) {
            lanes.put(name, new FakeLane());
        }
        List<RouterSettings.Target> targets =
                List.of(new RouterSettings.Target("a", Map.of(), "t"), new RouterSettings.Target("b", Map.of(), "t"));
        router = new Router(
                RouterSettings.of(targets, 8).withLimits(capacity, 1_000).withTimes(failover, probe),
                target -> lanes.get(target.name()));
    }

    private boolean send(byte[] key) {
        return router.send(key, new byte[1], new Router.Listener() {
            @Override
            public void onDelivered(String target, int partition, long offset) {
                reports.add(target + partition);
            }

            @Override
            public void onFailed(Exception cause) {
                reports.add(cause.getMessage());
            }
        });
    }

    private String report() throws InterruptedException {
        return reports.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void shouldSendToTheFirstTargetThatWorksWithTheSameIndex() throws Exception {
        start(10, Duration.ofHours(1));
        int index = Router.partition(KEY, 8);
        send(KEY);
        assertThat(report()).isEqualTo("a" + index);
        lanes.get("a").answer = Answer.FAIL;
        send(KEY);
        assertThat(report()).isEqualTo("b" + index);
        send(KEY);
        assertThat(report()).isEqualTo("b" + index);
        assertThat(lanes.get("a").sent()).isEqualTo(2);
        assertThat(router.counts().rerouted()).isEqualTo(1);
        assertThat(router.counts().delivered()).isEqualTo(Map.of("a", 1L, "b", 2L));
    }

    @Test
    void shouldGoBackToATargetThatWorksAgain() throws Exception {
        start(10, Duration.ofMillis(20));
        lanes.get("a").answer = Answer.FAIL;
        send(KEY);
        assertThat(report()).startsWith("b");
        lanes.get("a").answer = Answer.OK;
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        String last = "";
        while (!last.startsWith("a") && System.nanoTime() < deadline) {
            send(KEY);
            last = report();
        }
        assertThat(last).startsWith("a");
    }

    @Test
    void shouldKeepOtherIndexesWhereTheyWork() throws Exception {
        // A target that takes half of the failover time to fail counts as failing in all indexes.
        start(10, Duration.ofHours(1), Duration.ofHours(1));
        lanes.get("a").answer = Answer.FAIL;
        send(KEY);
        assertThat(report()).startsWith("b");
        lanes.get("a").answer = Answer.OK;
        byte[] other = "another".getBytes(StandardCharsets.UTF_8);
        assertThat(Router.partition(other, 8)).isNotEqualTo(Router.partition(KEY, 8));
        send(other);
        assertThat(report()).startsWith("a");
    }

    @Test
    void shouldSayWhenItIsFull() throws Exception {
        start(2, Duration.ofHours(1));
        lanes.get("a").answer = Answer.LATER;
        assertThat(send(KEY)).isTrue();
        assertThat(send(KEY)).isTrue();
        assertThat(send(KEY)).isFalse();
        assertThat(router.counts().refused()).isEqualTo(1);
        assertThat(router.counts().waiting()).isEqualTo(2);
    }

    @Test
    void shouldHoldRecordsWhileNothingWorksAndDeliverThemLater() throws Exception {
        start(10, Duration.ofMillis(20));
        lanes.values().forEach(lane -> lane.answer = Answer.FAIL);
        for (int i = 0; i < 5; i++) {
            assertThat(send(KEY)).isTrue();
        }
        assertThat(router.flush(Duration.ofMillis(100))).isFalse();
        lanes.values().forEach(lane -> lane.answer = Answer.OK);
        for (int i = 0; i < 5; i++) {
            assertThat(report()).matches("[ab]\\d");
        }
        assertThat(router.flush(Duration.ofSeconds(LIMIT_SECONDS))).isTrue();
    }

    @Test
    void shouldReportARecordThatNoTargetCanTake() throws Exception {
        start(10, Duration.ofHours(1));
        lanes.get("a").answer = Answer.TOO_LARGE;
        send(KEY);
        assertThat(report()).isEqualTo("too large");
        assertThat(lanes.get("b").sent()).isZero();
        assertThat(router.counts().failed()).isEqualTo(1);
    }

    @Test
    void shouldFailWhatIsLeftWhenClosed() throws Exception {
        start(10, Duration.ofHours(1));
        lanes.values().forEach(lane -> lane.answer = Answer.FAIL);
        send(KEY);
        router.close();
        assertThat(report()).contains("closed");
        assertThat(router.counts().waiting()).isZero();
    }
}
