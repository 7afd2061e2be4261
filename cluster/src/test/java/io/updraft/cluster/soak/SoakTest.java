package io.updraft.cluster.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cluster.local.LocalWorkers;
import io.updraft.cluster.local.WorkerOutput;
import io.updraft.cluster.local.WorkerSettings;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.program.ProgramFiles;
import io.updraft.transport.TransportNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three workers. One of them is killed at intervals, for the time given by {@link WorkerSoakSettings}.
 *
 * <pre>
 *   numbers x3 --fields--> split x3 ==fields==> witness x3      one task of each in each worker; two tuples for each number
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
class SoakTest implements WorkerOutput {
    private static final int WORKERS = 3;
    private static final String NAME = "soak";
    private static final double SAMPLE_SECONDS = 1.5;
    private static final double PRINT_SECONDS = 15;
    private static final long DRAIN_SECONDS = 120;
    private static final long LOOK_MILLIS = 50;
    /** What a killed driver of Aeron's has left is removed by the next one that starts ten seconds later, or more. */
    private static final double CLEAN_UP_SECONDS = 15;

    /** Seconds after which there must be enough young workers of early and late times to be compared. */
    private static final double LONG_ENOUGH = 300;

    private final WorkerSoakSettings settings = WorkerSoakSettings.read();
    private final List<String> messages = new CopyOnWriteArrayList<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final ObservedProcesses processes = new ObservedProcesses();
    private final FaultInjector faults = new FaultInjector(processes, settings.killSeconds(), settings.seed());
    private final List<WorkerSample> samples = new ArrayList<>();
    /** When all workers ran for the first time. */
    private volatile long start = System.nanoTime();

    @TempDir
    private Path directory;

    private Path temporary;
    private Set<String> before;
    private NumberLog[] acked;
    /** All numbers of a source before this one are acked. */
    private final long[] ackedTo = new long[WORKERS];

    @Test
    @Timeout(value = 24, unit = TimeUnit.HOURS)
    void shouldAckEveryNumberAndStayFlatWhileWorkersAreKilled() throws Exception {
        System.out.println("soak: " + settings);
        before = LeftResources.inSharedMemory();
        temporary = Files.createDirectory(directory.resolve("tmp"));
        acked = IntStream.range(0, WORKERS)
                .mapToObj(source -> NumberLog.open(SoakSpout.ackedFile(directory, source)))
                .toArray(NumberLog[]::new);
        LocalWorkers workers;
        try (UpdraftCluster cluster = cluster()) {
            cluster.submitTopology(NAME, conf(), topology().createTopology());
            start = System.nanoTime();
            disturb();
            Files.createFile(SoakSpout.endFile(directory));
            awaitAllAcked();
            workers = (LocalWorkers) cluster.engine(NAME);
        } finally {
            processes.goOn();
        }
        checkEveryNumber(workers.snapshot());
        checkMemory();
    }

    private UpdraftCluster cluster() {
        List<String> jvm = new ArrayList<>(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx192m", "-Djava.io.tmpdir=" + temporary));
        String log = System.getProperty("log4j2.configurationFile");
        if (log != null) {
            jvm.add("-Dlog4j2.configurationFile=" + log);
        }
        return new UpdraftCluster.Builder()
                .withEngines(LocalWorkers.starter(new WorkerSettings(ProgramFiles.NONE, jvm, directory, this)))
                .withErrorListener((name, error) -> err(error.toString()))
                .withDrainLimit(Duration.ofSeconds(30))
                .build();
    }

    private Map<String, Object> conf() {
        return Map.of(
                Config.TOPOLOGY_WORKERS,
                WORKERS,
                Config.TOPOLOGY_MAX_SPOUT_PENDING,
                settings.pending(),
                TransportNames.LOCAL,
                settings.transport(),
                "updraft.loops",
                1);
    }

    private TopologyBuilder topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new SoakSpout(directory, settings.pauseNanos()), WORKERS);
        builder.setBolt("split", new SoakSplitBolt(), WORKERS).fieldsGrouping("numbers", new Fields("number"));
        builder.setBolt("witness", new NumberRecordingBolt(directory), WORKERS)
                .fieldsGrouping("split", new Fields("number", "part"));
        return builder;
    }

    /** Kills, stops, weighs, until the time is over. */
    private void disturb() throws Exception {
        double sampleAt = 0;
        double printAt = 0;
        System.out.println(WorkerSample.TITLES);
        for (double now = seconds(); now < settings.seconds(); now = seconds()) {
            faults.act(now);
            if (now >= sampleAt) {
                boolean print = now >= printAt;
                weigh(now, print);
                sampleAt = now + SAMPLE_SECONDS;
                printAt = print ? now + PRINT_SECONDS : printAt;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        processes.goOn();
    }

    private void weigh(double now, boolean print) throws IOException {
        List<WorkerSample> round = new ArrayList<>();
        WorkerSample.of(
                        WorkerSample.COORDINATOR,
                        0,
                        now,
                        now,
                        ProcessHandle.current().pid(),
                        OwnMemory.now())
                .forEach(round::add);
        round.addAll(processes.weigh(directory, now));
        samples.addAll(round);
        if (print) {
            round.forEach(System.out::println);
        }
    }

    /** Nothing new is emitted; what has failed, or was in flight in a process that was killed, is still replayed. */
    private void awaitAllAcked() throws Exception {
        Await.until(
                "all is acked after the last fault",
                Duration.ofSeconds(DRAIN_SECONDS),
                this::allAcked,
                () -> "; the first are " + Arrays.toString(ackedTo) + " of each source; messages: " + messages);
        System.out.printf(Locale.ROOT, "%6.0f all is acked%n", seconds());
    }

    private boolean allAcked() {
        for (int source = 0; source < WORKERS; source++) {
            ackedTo[source] = acked[source].firstUnmarked(ackedTo[source]);
        }
        return IntStream.range(0, WORKERS)
                .allMatch(source -> acked[source].isIssueOver() && ackedTo[source] == acked[source].issued());
    }

    private void checkEveryNumber(EngineSnapshot last) {
        long numbers = 0;
        for (int source = 0; source < WORKERS; source++) {
            int each = source;
            NumberLog[] seen = IntStream.range(0, WORKERS)
                    .mapToObj(witness -> NumberLog.open(NumberRecordingBolt.seenFile(directory, witness, each)))
                    .toArray(NumberLog[]::new);
            long issued = acked[source].issued();
            assertThat(issued).as("numbers of source " + source).isGreaterThan(100);
            for (long part = 0; part < SoakSplitBolt.PARTS * issued; part++) {
                assertThat(isMarked(seen, part))
                        .as("part %d of number %d of source %d was seen", part % 2, part / 2, source)
                        .isTrue();
            }
            numbers += issued;
        }
        long failed = last.components().stream()
                .filter(component -> component.spout())
                .mapToLong(component -> component.failed())
                .sum();
        System.out.printf(
                Locale.ROOT,
                "%d numbers emitted (%.0f a second), each of them acked, both parts of each seen;"
                        + " %d kills, %d stops, at least %d replays%n",
                numbers,
                numbers / settings.seconds(),
                faults.kills(),
                faults.stops(),
                failed);
        assertThat(last.inFlightTrees()).isZero();
        assertThat(faults.kills()).isGreaterThanOrEqualTo((int) (settings.seconds() / settings.killSeconds()) - 1);
        assertThat(messages.stream().filter(line -> line.contains("was killed by signal 9 (SIGKILL")))
                .as("deaths reported")
                .hasSize(faults.kills());
        assertThat(failed).as("trees that failed with the workers").isPositive();
        assertThat(errors).as("exceptions of components").isEmpty();
    }

    private static boolean isMarked(NumberLog[] files, long number) {
        for (NumberLog file : files) {
            if (file.isMarked(number)) {
                return true;
            }
        }
        return false;
    }

    private void checkMemory() throws IOException {
        ResourceGrowth growth = ResourceGrowth.of(samples);
        growth.lines().forEach(System.out::println);
        List<String> remains = LeftResources.of(processes.pidsWithSuccessors(CLEAN_UP_SECONDS), temporary, before);
        System.out.println("left behind: " + remains);
        System.out.println(growth.failures().isEmpty() ? "memory is flat" : "memory grows: " + growth.failures());
        assertThat(processes.look(seconds())).as("processes that still live").isEmpty();
        assertThat(growth.failures()).as("what has grown").isEmpty();
        assertThat(growth.lines()).as("comparisons").isNotEmpty();
        if (settings.seconds() >= LONG_ENOUGH) {
            assertThat(growth.lines()).anyMatch(line -> line.startsWith("workers"));
        }
        assertThat(remains).as("left behind by workers").isEmpty();
    }

    private double seconds() {
        return (System.nanoTime() - start) / 1e9;
    }

    @Override
    public void out(String line) {
        System.out.println(line);
    }

    @Override
    public void err(String line) {
        errors.addAll(line.contains("wrong text") || line.contains("not in flight") ? List.of(line) : List.of());
        System.out.println(line);
    }

    @Override
    public void message(String line) {
        messages.add(line);
        System.out.printf(Locale.ROOT, "%6.0f %s%n", seconds(), line);
    }
}
