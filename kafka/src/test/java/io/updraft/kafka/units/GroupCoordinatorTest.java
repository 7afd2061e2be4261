package io.updraft.kafka.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class GroupCoordinatorTest {

    private static final int UNITS = 12;
    private static final String SESSION = "4000";
    private static KafkaServer kafka;
    private static int test;
    private String group;
    private String sums;
    private List<String> topics;

    @BeforeAll
    static void startKafka() {
        kafka = KafkaServer.builder()
                .config("group.consumer.session.timeout.ms", SESSION)
                .config("group.consumer.heartbeat.interval.ms", "300")
                .start();
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void makeTopics() {
        group = "group" + test++;
        sums = "sums-" + group;
        topics = List.of("first-" + group, "second-" + group);
        topics.forEach(topic -> kafka.createTopic(topic, UNITS, 1));
        kafka.createTopic(sums, 1, 1);
    }

    private Workers workers(String protocol) throws Exception {
        return new Workers(protocol, "once", kafka.bootstrap(), group, String.join(",", topics), SESSION, sums);
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "group848"})
    void shouldMoveOnlyUnitsThatMustMove(String protocol) throws Exception {
        try (Workers workers = workers(protocol)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            Set<Integer> before = a.units();
            Set<Integer> beforeB = b.units();
            Workers.Worker c = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b, c));
            assertThat(before).containsAll(a.units());
            assertThat(beforeB).containsAll(b.units());
            before = a.units();
            Set<Integer> ofC = c.units();
            b.leave();
            workers.awaitBalance(UNITS, List.of(a, c));
            assertThat(a.units()).containsAll(before);
            assertThat(c.units()).containsAll(ofC);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"group", "group848"})
    void shouldTakeOverTheUnitsOfAKilledProcess(String protocol) throws Exception {
        try (Workers workers = workers(protocol)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            Workers.Worker c = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b, c));
            Set<Integer> ofA = a.units();
            Set<Integer> ofC = c.units();
            b.kill();
            long killed = System.nanoTime();
            workers.awaitBalance(UNITS, List.of(a, c));
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(30));
            assertThat(a.units()).containsAll(ofA);
            assertThat(c.units()).containsAll(ofC);
        }
    }

    @Test
    void shouldRefuseWhatAProcessWritesThatWasPausedForLongerThanItsSession() throws Exception {
        try (Workers workers = workers("group");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, 1)) {
            Workers.Worker a = workers.start();
            Workers.Worker b = workers.start();
            workers.awaitBalance(UNITS, List.of(a, b));
            for (int round = 0; round < 3; round++) {
                feed(numbers, 3_000);
                a.signal("STOP");
                feed(numbers, 3_000);
                workers.awaitBalance(UNITS, List.of(b));
                feed(numbers, 3_000);
                a.signal("CONT");
                workers.awaitBalance(UNITS, List.of(a, b));
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldCountEachNumberOnceWhateverIsKilled(long seed) throws Exception {
        Random random = new Random(seed);
        try (Workers workers = workers("group");
                Numbers numbers = new Numbers(kafka.bootstrap(), sums, seed)) {
            List<Workers.Worker> alive = new ArrayList<>();
            for (int step = 0; step < 12; step++) {
                if (alive.size() < 2 || alive.size() < 4 && random.nextBoolean()) {
                    alive.add(workers.start());
                } else {
                    Workers.Worker leaver = alive.remove(random.nextInt(alive.size()));
                    if (random.nextInt(4) == 0) {
                        leaver.leave();
                    } else {
                        leaver.kill();
                    }
                }
                int sums = numbers.sums.size();
                for (int i = 0; i < 20; i++) {
                    feed(numbers, 500);
                }
                workers.await("a result", () -> numbers.poll() || numbers.sums.size() > sums + 20);
            }
            workers.await("all sums", numbers::poll);
            numbers.checkExactlyOnce();
        }
    }

    private void feed(Numbers numbers, int count) {
        numbers.send(topics, UNITS, count);
        numbers.poll();
    }
}
