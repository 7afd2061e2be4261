package io.updraft.kafka.units;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class GroupCoordinatorTest {

    private static final List<String> TOPICS = List.of("first", "second");
    private static final int UNITS = 12;
    private static final String SESSION = "2000";
    private static KafkaServer kafka;
    private static int test;
    private String group;

    @BeforeAll
    static void startKafka() {
        kafka = KafkaServer.builder()
                .config("group.consumer.session.timeout.ms", SESSION)
                .config("group.consumer.heartbeat.interval.ms", "300")
                .start();
        TOPICS.forEach(topic -> kafka.createTopic(topic, UNITS, 1));
        kafka.createTopic(CopyWorker.SUMS, 1, 1);
    }

    @AfterAll
    static void stopKafka() {
        kafka.close();
    }

    @BeforeEach
    void nameTheGroup() {
        group = "group" + test++;
    }

    private Workers workers(String protocol) throws Exception {
        return new Workers(protocol, "once", kafka.bootstrap(), group, String.join(",", TOPICS), SESSION);
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
}
