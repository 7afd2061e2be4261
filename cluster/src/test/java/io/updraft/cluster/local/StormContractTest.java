package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.storm.JarRunner;
import io.updraft.storm.SubmitterRedirect;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.conf.StormConfig;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Storm's hooks and other instruments of components, in two worker processes. One run of a program that is only in its jar
 * ({@code programs/Contract.java}) records its calls; the tests read the record after the run.
 */
@Tag("long")
class StormContractTest {
    private static final String NAME = "contract";

    @TempDir
    private static Path directory;

    @TempDir
    private static Path working;

    @TempDir
    private static Path store;

    private static Plan plan;
    private static List<String> hooksBeforeActivation;
    private static Map<String, DebugOptions> debugOptions;

    @BeforeAll
    static void run() throws Exception {
        CompiledProgram program = CompiledProgram.of(store.resolve("classes"), "Contract.java", "Plugin.java");
        Path jar = program.jar("com.acme", store.resolve("program.jar"));
        RecordedLines lines = new RecordedLines();
        try (UpdraftCluster cluster = cluster(program, lines);
                SubmitterRedirect redirect = SubmitterRedirect.open(cluster, StormConfig.NONE);
                JarRunner runner = JarRunner.open(jar)) {
            assertThat(redirect).isNotNull();
            runner.run(cluster, "com.acme.Contract", List.of(directory.toString(), working.toString()));
            LocalWorkers workers = (LocalWorkers) cluster.engine(NAME);
            plan = workers.plan();
            hooksBeforeActivation = lines("worker-hooks");
            switchOnAndKillAWorker(cluster, workers, lines);
            cluster.activate(NAME);
            switchOff(cluster);
            watch(cluster);
            finish();
        }
    }

    private static UpdraftCluster cluster(CompiledProgram program, RecordedLines lines) throws Exception {
        Path extra = Files.createDirectories(store.resolve("extra"));
        program.jar("com.extra", extra.resolve("plugin.jar"));
        Files.writeString(extra.resolve("settings.txt"), "from a file");
        Files.writeString(store.resolve("words"), "alpha beta");
        Files.writeString(store.resolve("weights.txt"), "42");
        int tar = new ProcessBuilder("tar", "-cf", "model.tar", "weights.txt")
                .directory(store.toFile())
                .start()
                .waitFor();
        assertThat(tar).isZero();
        return new UpdraftCluster.Builder()
                .withDaemonConf(Map.of(
                        // Tuples are counted: none may fail because a worker got no processor for a while.
                        TestWorkers.PATIENCE,
                        60_000,
                        "updraft.blobs.dir",
                        store.toString(),
                        "updraft.working.dir",
                        working.toString(),
                        Config.TOPOLOGY_BLOBSTORE_MAP,
                        Map.of(
                                "words",
                                Map.of("localname", "words.txt"),
                                "model.tar",
                                Map.of("localname", "model", "uncompress", true)),
                        Config.TOPOLOGY_CLASSPATH,
                        List.of(extra.toString(), extra + "/*")))
                .withEngines((topology, conf, options) -> LocalWorkers.starter(
                                new WorkerSettings(ProgramFiles.ofCallingThread(), TestWorkers.jvm(), store, lines))
                        .start(topology, conf, options))
                .withDrainLimit(Duration.ZERO)
                .build();
    }

    /** A worker that is started later is switched on as well. */
    private static void switchOnAndKillAWorker(UpdraftCluster cluster, LocalWorkers workers, RecordedLines lines)
            throws Exception {
        cluster.debug(NAME, "pass", true, 100);
        setLevel(cluster, level("DEBUG", 0));
        debugOptions = cluster.getTopologyInfoByName(NAME).get_component_debug();
        TestWorkers.signal("KILL", workers.pids().get(1));
        Await.until("it runs again", () -> lines.hasMessage("runs again"));
    }

    /** The spouts write down where they are when they pause: nothing behind that may be among the events. */
    private static void switchOff(UpdraftCluster cluster) throws Exception {
        Await.until(
                "both tasks send events",
                () -> numbersIn("events", "pass (\\d+) .*").equals(tasksOf("pass")));
        cluster.debug(NAME, "pass", false, 0);
        cluster.deactivate(NAME);
        Await.until("both spouts pause", () -> lines("paused").size() == 2);
        cluster.activate(NAME);
    }

    private static void watch(UpdraftCluster cluster) throws Exception {
        Await.until(
                "both have another level",
                () -> numbersIn("levels", "(\\d+) debug").equals(tasksOf("pass")));
        setLevel(cluster, level("DEBUG", 1));
        Await.until(
                "the levels go back", () -> numbersIn("levels", "(\\d+) quiet").equals(tasksOf("pass")));
        Await.until(
                "the consumer learns of both spouts",
                () -> numbersIn("points", "\\S+ \\d+ numbers (\\d+) emitted .*").equals(tasksOf("numbers")));
        Await.until(
                "the consumer learns of both JVMs",
                () -> numbersIn("points", "\\S+ (\\d+) __system -1 memory.*").equals(Set.of(6700, 6701)));
    }

    private static void finish() throws Exception {
        Files.createFile(directory.resolve("stop"));
        Await.until("all is acked", () -> numbersIn("all-acked", "(\\d+)").equals(tasksOf("numbers")));
    }

    private static void setLevel(UpdraftCluster cluster, LogLevel level) throws Exception {
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level("com.acme.talkative", level);
        try (NimbusClient nimbus =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            nimbus.getClient()
                    .setLogConfig(cluster.getTopologySummaryByName(NAME).get_id(), config);
        }
    }

    private static LogLevel level(String name, int seconds) {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level(name);
        level.set_reset_log_level_timeout_secs(seconds);
        return level;
    }

    @Test
    void shouldStartWorkerHooksBeforeTheFirstActivationAndEndThemAfterTheLastComponent() {
        assertThat(hooksBeforeActivation)
                .containsExactlyInAnyOrder("6700 starts before 0 components", "6701 starts before 0 components");
        assertThat(lines("worker-hooks"))
                .containsExactlyInAnyOrder(
                        "6700 starts before 0 components",
                        "6701 starts before 0 components",
                        "6701 starts before 0 components",
                        "6700 ends after 0 components",
                        "6701 ends after 0 components");
    }

    @Test
    void shouldCallTheHooksOfEveryTask() {
        Map<String, Long> emitted = new TreeMap<>();
        Map<String, Long> acked = new TreeMap<>();
        for (String line : lines("hooks")) {
            String[] words = line.split(" ");
            emitted.merge(words[0], Long.valueOf(words[2]), Long::sum);
            acked.merge(words[0], Long.valueOf(words[3]), Long::sum);
        }
        assertThat(acked).containsEntry("numbers", emitted()).containsEntry("pass", emitted());
        assertThat(emitted).containsEntry("numbers", emitted()).containsEntry("pass", emitted());
        assertThat(numbersIn("hooks", "(?:numbers|pass|sum) (\\d+) .*"))
                .containsAll(tasksOf("numbers"))
                .containsAll(tasksOf("pass"))
                .containsAll(tasksOf("sum"));
    }

    @Test
    void shouldCountEveryTupleOnceInStateOfTwoWorkers() {
        Map<String, Long> sums = new TreeMap<>();
        for (String line : lines("sums")) {
            sums.merge(line.split(" ")[0], Long.valueOf(line.split(" ")[1]), Long::sum);
        }
        assertThat(sums).hasSize(10);
        assertThat(sums.values().stream().mapToLong(Long::longValue).sum()).isEqualTo(emitted());
    }

    @Test
    void shouldSendEventsOfBothWorkersWhileDebuggingIsOn() {
        assertThat(debugOptions.get("pass").is_enable()).isTrue();
        assertThat(debugOptions.get("pass").get_samplingpct()).isEqualTo(100);
        assertThat(lines("events")).allMatch(line -> line.matches("pass \\d+ reading \\d+"));
        for (String line : lines("paused").subList(0, 2)) {
            int index = Integer.parseInt(line.split(" ")[0]);
            int next = Integer.parseInt(line.split(" ")[1]);
            assertThat(numbersIn("events", "pass \\d+ reading (\\d+)").stream().filter(number -> number % 2 == index))
                    .isNotEmpty()
                    .allMatch(number -> number < next);
            assertThat(emittedBy().get(plan.component("numbers").taskIds()[index]))
                    .isGreaterThan((next - index) / 2);
        }
    }

    @Test
    void shouldTellConsumersOfAllWorkersByPortAndTask() throws Exception {
        Map<Integer, Long> emitted = new TreeMap<>();
        for (String line : lines("points")) {
            String[] words = line.split(" ");
            assertThat(words[0]).isEqualTo(Utils.hostname());
            int task = Integer.parseInt(words[3]);
            if (task >= 0) {
                assertThat(words[1]).as(line).isEqualTo(String.valueOf(portOf(task)));
            }
            if (words[4].equals("emitted")) {
                emitted.merge(task, Long.valueOf(words[5]), Long::sum);
            }
        }
        assertThat(emitted.keySet()).isEqualTo(tasksOf("numbers"));
        emitted.forEach((task, count) ->
                assertThat(count).isPositive().isLessThanOrEqualTo(emittedBy().get(task)));
    }

    @Test
    void shouldShowReportersTheMetricsOfTheirWorker() {
        emittedBy()
                .forEach((task, count) -> assertThat(lines("reported"))
                        .anyMatch(line ->
                                line.matches(".*\\.numbers\\." + task + "\\." + portOf(task) + "-counted " + count)));
        assertThat(lines("reported")).hasSize(2);
    }

    @Test
    void shouldFindBlobsAndWhatTheTopologyAddsToTheClassPath() {
        assertThat(lines("found"))
                .containsOnly("alpha beta 42 plugged from a file 2")
                .hasSize(2);
        assertThat(working).isEmptyDirectory();
        assertThat(store.resolve("words")).hasContent("alpha beta");
    }

    @Test
    void shouldSerializeByClassesThatAreOnlyInTheJar() {
        assertThat(lines("serialized"))
                .containsExactlyInAnyOrderElementsOf(
                        tasksOf("pass").stream().map(task -> task + " 1 true").toList());
    }

    private static long emitted() {
        return emittedBy().values().stream().mapToLong(Long::longValue).sum();
    }

    /** What each spout has emitted, all of it acked. */
    private static Map<Integer, Long> emittedBy() {
        Map<Integer, Long> emitted = new TreeMap<>();
        for (String line : lines("spout")) {
            String[] words = line.split(" ");
            assertThat(words[1]).as("acked of emitted").isEqualTo(words[2]);
            emitted.put(Integer.valueOf(words[0]), Long.valueOf(words[1]));
        }
        return emitted;
    }

    private static Set<Integer> tasksOf(String component) {
        return Arrays.stream(plan.component(component).taskIds())
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static int portOf(int task) {
        for (ExecutorPlan executor : plan.executors()) {
            if (Arrays.stream(executor.taskIds()).anyMatch(each -> each == task)) {
                return 6700 + executor.worker();
            }
        }
        throw new AssertionError("there is no task " + task);
    }

    /** The numbers in the group of the lines that match. */
    private static Set<Integer> numbersIn(String file, String pattern) {
        return lines(file).stream()
                .filter(line -> line.matches(pattern))
                .map(line -> Integer.valueOf(line.replaceAll(pattern, "$1")))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<String> lines(String file) {
        try {
            Path path = directory.resolve(file);
            return Files.exists(path) ? Files.readAllLines(path) : new ArrayList<>();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
