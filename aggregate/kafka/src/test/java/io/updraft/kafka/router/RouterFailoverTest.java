package io.updraft.kafka.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.servers.KafkaServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class RouterFailoverTest {

    private static final int PARTITIONS = 6;
    private static final int ENOUGH = 1_000;

    /** The router gives up on a target after 5 s; its producer would do so after 120 s. */
    private static final Duration FAILOVER = Duration.ofSeconds(90);

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final String TOPIC = "measurements";

    /** What was delivered: the record's text, and the partition index that the router reported. */
    private final Map<String, Integer> acked = new ConcurrentHashMap<>();

    /** Which target has taken the latest record, by partition index. */
    private final Map<Integer, String> lastTarget = new ConcurrentHashMap<>();

    private final Set<Exception> failures = ConcurrentHashMap.newKeySet();
    private int sent;

    @Test
    void shouldLoseNothingAndKeepTheIndexWhenAClusterIsKilled() throws Exception {
        try (KafkaServer first = KafkaServer.start();
                KafkaServer second = KafkaServer.start()) {
            first.createTopic(TOPIC, PARTITIONS, 1);
            second.createTopic(TOPIC, PARTITIONS, 1);
            List<RouterSettings.Target> both = List.of(target("first", first), target("second", second));
            RouterSettings settings = RouterSettings.of(both, PARTITIONS)
                    .withLimits(2_000, 1 << 20)
                    .withTimes(Duration.ofSeconds(5), Duration.ofSeconds(1));
            try (Router router = new Router(settings)) {
                sendUntil(router, () -> acked.size() > ENOUGH && allGoTo("first"));
                first.broker(1).kill();
                long killed = System.nanoTime();
                sendUntil(router, () -> allGoTo("second"));
                assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(FAILOVER);
                int before = acked.size();
                sendUntil(router, () -> acked.size() > before + ENOUGH);
                first.broker(1).start();
                first.awaitBrokers(1);
                sendUntil(router, () -> allGoTo("first"));
                assertThat(router.flush(LIMIT)).isTrue();
                Router.Counts counts = router.counts();
                assertThat(counts.delivered().values().stream()
                                .mapToLong(n -> n)
                                .sum())
                        .isEqualTo(sent);
                assertThat(counts.failed()).isZero();
            }
            assertThat(failures).isEmpty();
            assertThat(acked).hasSize(sent);
            Set<String> stored = new HashSet<>();
            read(first, stored);
            read(second, stored);
            assertThat(stored).containsAll(acked.keySet());
        }
    }

    private boolean allGoTo(String target) {
        return lastTarget.size() == PARTITIONS
                && Set.copyOf(lastTarget.values()).equals(Set.of(target));
    }

    private static RouterSettings.Target target(String name, KafkaServer server) {
        return new RouterSettings.Target(name, Map.of("bootstrap.servers", server.bootstrap()), TOPIC);
    }

    private void sendUntil(Router router, BooleanSupplier enough) {
        Await.until("enough is sent", LIMIT, () -> {
            if (enough.getAsBoolean()) {
                return true;
            }
            if (send(router, "key-" + sent % 100 + ":" + sent)) {
                sent++;
            }
            return false;
        });
    }

    private boolean send(Router router, String text) {
        byte[] key = text.substring(0, text.indexOf(':')).getBytes(StandardCharsets.UTF_8);
        return router.send(key, text.getBytes(StandardCharsets.UTF_8), new Router.Listener() {
            @Override
            public void onDelivered(String target, int partition, long offset) {
                lastTarget.put(partition, target);
                acked.put(text, partition);
            }

            @Override
            public void onFailed(Exception cause) {
                failures.add(cause);
            }
        });
    }

    /** All that is stored, after a check that each key is where its hash says. */
    private static void read(KafkaServer server, Set<String> stored) {
        for (ConsumerRecord<byte[], byte[]> record : server.records(TOPIC)) {
            assertThat(record.partition()).isEqualTo(Router.partition(record.key(), PARTITIONS));
            stored.add(new String(record.value(), StandardCharsets.UTF_8));
        }
    }
}
