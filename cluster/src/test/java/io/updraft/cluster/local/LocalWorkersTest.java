package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.cluster.link.CountedProvider;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ExecutorSnapshot;
import io.updraft.engine.snapshot.Move;
import io.updraft.transport.TransportNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topologies in real worker processes. */
class LocalWorkersTest {
    @TempDir
    Path directory;

    @AfterEach
    void shouldLeaveNoProcessBehind() {
        assertThat(TestWorkers.processes()).isEmpty();
    }

    @Test
    void shouldProcessEveryNumberInTwoWorkers() throws Exception {
        shouldProcessEveryNumber(2);
    }

    @Test
    @Tag("long")
    void shouldProcessEveryNumberInOneWorkerAndInThree() throws Exception {
        shouldProcessEveryNumber(1);
        for (Path file : List.of(directory.resolve("seen-5"), directory.resolve("seen-6"), directory.resolve("done"))) {
            Files.delete(file);
        }
        shouldProcessEveryNumber(3);
    }

    private void shouldProcessEveryNumber(int workers) throws Exception {
        EngineSnapshot end;
        try (TestWorkers cluster = new TestWorkers(directory, workers).patient().submit(2_000)) {
            cluster.awaitDone();
            end = cluster.end();
            assertThat(cluster.messages()).isEmpty();
        }
        assertThat(end.inFlightTrees()).isZero();
        assertThat(component(end, "source").acked()).isEqualTo(2_000);
        assertThat(component(end, "middle").executed()).isEqualTo(2_000);
        assertThat(component(end, "sink").executed()).isEqualTo(2_000);
        assertThat(component(end, "middle").byExecutor())
                .extracting(ExecutorSnapshot::firstTask)
                .containsExactly(1, 2, 3, 4);
        for (ExecutorSnapshot sink : component(end, "sink").byExecutor()) {
            long numbers = Files.readAllLines(directory.resolve("seen-" + sink.firstTask()))
                            .size()
                    - 1;
            assertThat(sink.executed()).isEqualTo(numbers);
            assertThat(sink.acked()).isEqualTo(numbers);
        }
        assertThat(seen())
                .containsExactlyElementsOf(IntStream.range(0, 2_000).boxed().toList());
    }

    @Test
    void shouldTellComponentsWhichWorkerTheyAreIn() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2).submit(10)) {
            cluster.awaitDone();
        }
        // Executors by component: middle 1 to 4, sink 5 and 6, source 7.
        assertThat(Files.readAllLines(directory.resolve("seen-5"))).startsWith("6700 [1, 3, 5, 7]");
        assertThat(Files.readAllLines(directory.resolve("seen-6"))).startsWith("6701 [2, 4, 6]");
    }

    @Test
    @Tag("slow")
    void shouldAckEveryNumberAlthoughAWorkerOfBoltsIsKilled() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2).submitEndless()) {
            cluster.awaitAcked(1_000);
            long pid = cluster.pid(1);
            TestWorkers.signal("KILL", pid);
            cluster.awaitTold("worker 1 (pid " + pid + ") was killed by signal 9 (SIGKILL");
            cluster.awaitTold("runs again");
            cluster.enough();
            cluster.awaitDone();
            assertThat(cluster.messages().get(0))
                    .matches("updraft: \\d\\d:\\d\\d:\\d\\d worker 1 .*")
                    .contains("it ran middle, sink; it restarts in ");
        }
    }

    @Test
    @Tag("long")
    void shouldNoteTheDeathOfAWorkerBeforeItsRestart() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2).submitEndless()) {
            cluster.awaitAcked(1);
            long pid = cluster.pid(1);
            TestWorkers.signal("KILL", pid);
            Move death = cluster.awaitMove(1);
            assertThat(death)
                    .extracting(Move::subject, Move::from, Move::to, Move::reason)
                    .containsExactly("worker 1 (middle, sink)", "process " + pid, "no process", "killed by SIGKILL");
            Move restart = cluster.awaitMove(2);
            assertThat(restart)
                    .extracting(Move::subject, Move::from, Move::to, Move::reason)
                    .containsExactly(
                            "worker 1 (middle, sink)",
                            "no process",
                            "process " + cluster.pid(1),
                            "restarted after the end of process " + pid);
            // The wait before a restart is 250 ms at least.
            assertThat(restart.timeMillis()).isGreaterThanOrEqualTo(death.timeMillis() + 250);
        }
    }

    @Test
    @Tag("slow")
    void shouldAckEveryNumberAlthoughTheWorkerOfTheSpoutIsKilledTwice() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 3).submitEndless()) {
            for (int kill = 0; kill < 2; kill++) {
                long before = cluster.acked();
                cluster.awaitAcked(before + 500);
                long pid = cluster.pid(0);
                TestWorkers.signal("KILL", pid);
                cluster.awaitTold("worker 0 (pid " + pid + ") was killed");
            }
            cluster.enough();
            cluster.awaitDone();
        }
    }

    @Test
    @Tag("slow")
    void shouldGoOnWithAWorkerThatWasStoppedForAWhile() throws Exception {
        try (TestWorkers cluster =
                new TestWorkers(directory, 2).with(TestWorkers.PATIENCE, 3_000).submitEndless()) {
            cluster.awaitAcked(1_000);
            long pid = cluster.pid(1);
            TestWorkers.signal("STOP", pid);
            try {
                // Its silence is noticed, and what was in flight fails.
                Await.until(
                        "trees fail",
                        () -> component(cluster.workers().snapshot(), "source").failed() > 0);
            } finally {
                TestWorkers.signal("CONT", pid);
            }
            cluster.enough();
            cluster.awaitDone();
            assertThat(cluster.pid(1)).isEqualTo(pid);
            assertThat(cluster.messages()).isEmpty();
        }
    }

    @Test
    void shouldFailATupleThatCannotBeSentAndSayWhy() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setBolt("sink", new ValueRecordingBolt()).shuffleGrouping("source");
        builder.setSpout("source", new UnserializableSpout());
        try (TestWorkers cluster = new TestWorkers(directory, 2).submit(builder)) {
            Await.until(
                    "it fails",
                    () -> component(cluster.workers().snapshot(), "source").failed() == 1);
            Await.until("it is reported", () -> !cluster.errors().isEmpty());
            assertThat(cluster.errors().get(0).componentId()).isEqualTo("source");
            assertThat(cluster.errors().get(0).error())
                    .hasMessageContaining("field 1 of class java.lang.Thread, cannot be serialized");
        }
    }

    @Test
    void shouldRefuseATopologyWhoseWorkersCannotStart() throws Exception {
        try (TestWorkers cluster =
                new TestWorkers(directory, 2).with(Config.TOPOLOGY_WORKER_CHILDOPTS, "-XX:+NoSuchOption")) {
            shouldRefuse(cluster, "could not start", "exited with code 1", "NoSuchOption");
            assertThat(cluster.messages()).isEmpty();
        }
    }

    @Test
    void shouldRefuseWorkersThatTakeTooLongToStart() throws Exception {
        // It waits for a debugger, and so is never ready.
        String wait = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0";
        try (TestWorkers cluster = new TestWorkers(directory, 2)
                .with(Config.TOPOLOGY_WORKER_CHILDOPTS, wait)
                .with(WorkerConf.START_TIMEOUT, 1)) {
            shouldRefuse(cluster, "could not start: it was not ready after 1 s (supervisor.worker.start.timeout.secs)");
        }
    }

    @Test
    void shouldStopItsWorkersAlthoughWhoClosesThemIsInterrupted() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2, Duration.ofMillis(1)).submit(10)) {
            LocalWorkers topology = cluster.workers();
            Thread.currentThread().interrupt();
            topology.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(TestWorkers.processes()).isEmpty();
            assertThat(cluster.messages()).isEmpty();
        }
    }

    @Test
    void shouldLeaveNothingBehindWhenItsStartIsInterrupted() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2).with(TransportNames.LOCAL, CountedProvider.NAME)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> cluster.submit(10)).hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(TestWorkers.processes()).isEmpty();
            assertThat(CountedProvider.SERVICES).hasValue(0);
        }
    }

    @Test
    void shouldRefuseATransportThatIsNotThere() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2).with(TransportNames.LOCAL, "pigeons")) {
            shouldRefuse(cluster, "could not start", "'pigeons'", "netty");
        }
    }

    @Test
    void shouldRefuseASettingThatMakesNoSenseBeforeAnyWorkerIsStarted() throws Exception {
        for (String key : List.of(Config.STORM_NETTY_MESSAGE_BATCH_SIZE, WorkerConf.START_TIMEOUT)) {
            try (TestWorkers cluster = new TestWorkers(directory, 2).with(key, 0)) {
                assertThatThrownBy(() -> cluster.submit(10))
                        .isInstanceOf(InvalidTopologyException.class)
                        .hasMessageContaining(key + " is '0': it must be a whole number of at least 1")
                        .hasMessageNotContaining("could not start");
            }
        }
    }

    @Test
    void shouldRefuseTlsOverATransportThatCannotEncrypt() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 2)
                .with(TransportNames.LOCAL, CountedProvider.NAME)
                .with(Config.STORM_MESSAGING_NETTY_TLS_ENABLE, true)) {
            shouldRefuse(
                    cluster, "storm.messaging.netty.tls.enable is true, but the transport 'counted' cannot encrypt");
        }
    }

    @Test
    void shouldRefuseANumberOfWorkersThatMakesNoSense() throws Exception {
        try (TestWorkers cluster = new TestWorkers(directory, 1_000)) {
            shouldRefuse(cluster, "topology.workers is 1000: it must be at most 256");
        }
    }

    private static void shouldRefuse(TestWorkers cluster, String... why) {
        assertThatThrownBy(() -> cluster.submit(10))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessageContainingAll(why);
    }

    private TreeSet<Integer> seen() throws IOException {
        TreeSet<Integer> seen = new TreeSet<>();
        for (String name : List.of("seen-5", "seen-6")) {
            List<String> lines = Files.readAllLines(directory.resolve(name));
            lines.stream().skip(1).map(Integer::valueOf).forEach(seen::add);
        }
        return seen;
    }

    private static ComponentSnapshot component(EngineSnapshot snapshot, String id) {
        return snapshot.components().stream()
                .filter(component -> component.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
