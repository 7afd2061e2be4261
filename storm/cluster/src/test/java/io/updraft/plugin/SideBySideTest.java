package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.stormcluster.Jars;
import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.generated.TopologyInfo;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of a worker with the cluster and its components. The same program runs in Storm's workers and in ours, on the
 * same cluster at the same time, and everything observable is the same.
 */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class SideBySideTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int MESSAGES = 300;
    private static final List<String> BOTH = List.of("stock", "updraft");

    @TempDir
    private static Path directory;

    @AutoClose
    private static StormCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = PluginClusters.builder()
                .config("task.credentials.poll.secs", 1)
                .config("nimbus.topology.blobstore.deletion.delay.ms", 1_000)
                .config("task.refresh.poll.secs", 1)
                .config("worker.blob.update.poll.interval.secs", 1)
                .start();
        createBlob("the first version");
        Path jar = Jars.pack(Jars.of(ApiFeatureTopology.class), directory.resolve("probe.jar"));
        for (String name : BOTH) {
            Files.createDirectory(directory.resolve(name));
            cluster.submit(
                    jar,
                    ApiFeatureTopology.class.getName(),
                    Map.of(UpdraftKeys.ENABLED, name.equals("updraft")),
                    name,
                    directory.resolve(name).toString(),
                    Integer.toString(MESSAGES));
        }
        // What a worker of Storm's sends while another one is still starting is lost.
        await(
                "the workers to be ready",
                name -> cluster.workers(name).size() == 2
                        && cluster.workers(name).stream().allMatch(cluster::isReady));
        BOTH.forEach(cluster::activate);
        await(
                "all messages to be acked",
                name -> Set.copyOf(facts(name, "acked")).size() == MESSAGES);
    }

    private static void createBlob(String text) {
        cluster.ask(nimbus -> {
            AccessControl everybody = new AccessControl(AccessControlType.OTHER, 7);
            String session = nimbus.beginCreateBlob(ApiFeatureTopology.BLOB, new SettableBlobMeta(List.of(everybody)));
            nimbus.uploadBlobChunk(session, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            nimbus.finishBlobUpload(session);
            return null;
        });
    }

    /** Waits until something holds for both. */
    private static void await(String what, Function<String, Boolean> condition) {
        for (String name : BOTH) {
            cluster.await(what + " in " + name + "'s workers", LIMIT, () -> condition.apply(name));
        }
    }

    private static List<String> facts(String name, String prefix) {
        return WorkerRecords.read(directory.resolve(name), prefix);
    }

    private static Set<String> factSet(String name, String prefix) {
        return new TreeSet<>(facts(name, prefix));
    }

    private static void same(Function<String, ?> seen) {
        assertThat(seen.apply("updraft")).isEqualTo(seen.apply("stock"));
    }

    private static TopologyInfo info(String name) {
        return cluster.ask(nimbus -> nimbus.getTopologyInfoByName(name));
    }

    @Test
    @Order(1)
    void shouldRunInWorkersOfEitherKind() {
        assertThat(cluster.workers("stock")).isNotEmpty().allMatch(StormWorkerProcess::isStock);
        assertThat(cluster.workers("updraft")).isNotEmpty().noneMatch(StormWorkerProcess::isStock);
        same(name -> cluster.workers(name).size());
    }

    @Test
    @Order(2)
    void shouldTellComponentsTheSame() {
        assertThat(facts("stock", "context-")).contains("resource: laid out with the topology");
        assertThat(facts("stock", "context-")).contains("blob: the first version");
        same(name -> factSet(name, "context-"));
        same(name -> factSet(name, "hook-"));
        same(name -> factSet(name, "taskhook-"));
        await("ticks", name -> facts(name, "tick-").size() == 3);
        same(name -> factSet(name, "tick-"));
    }

    @Test
    @Order(3)
    void shouldShowNimbusTheSameNumbers() {
        await("Nimbus to know all", name -> acked(name, "source") == MESSAGES && executed(name, "last") == MESSAGES);
        same(SideBySideTest::numbers);
        same(name -> executors(name, executor -> executor.get_executor_info().toString()));
        same(name -> executors(name, executor -> executor.get_component_id()));
        // Of Storm's own executors the windows are told only once one has emitted something.
        same(name -> executors(name, SideBySideTest::windows));
        same(name -> cluster.ask(nimbus -> nimbus.getTopologyPageInfo(idOf(name), ":all-time", false)
                .get_id_to_bolt_agg_stats()
                .keySet()));
        same(name -> cluster.ask(nimbus -> nimbus.getComponentPageInfo(idOf(name), "probe", ":all-time", false)
                .get_num_tasks()));
        assertThat(info("updraft").get_executors()).allMatch(executor -> executor.get_uptime_secs() > 0);
    }

    private static Set<String> windows(ExecutorSummary executor) {
        return executor.get_component_id().startsWith("__")
                ? Set.of()
                : new TreeSet<>(executor.get_stats().get_emitted().keySet());
    }

    private static String idOf(String name) {
        return info(name).get_id();
    }

    private static Set<String> executors(String name, Function<ExecutorSummary, Object> what) {
        return info(name).get_executors().stream()
                .map(executor -> executor.get_component_id() + " " + what.apply(executor))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static long acked(String name, String spout) {
        return sum(
                name,
                spout,
                executor -> executor.get_stats().get_specific().get_spout().get_acked());
    }

    private static long executed(String name, String bolt) {
        return sum(
                name,
                bolt,
                executor -> executor.get_stats().get_specific().get_bolt().get_executed());
    }

    private static <K> long sum(
            String name, String component, Function<ExecutorSummary, Map<String, Map<K, Long>>> counts) {
        return info(name).get_executors().stream()
                .filter(executor -> executor.get_component_id().equals(component) && executor.is_set_stats())
                .flatMap(executor -> counts.apply(executor).getOrDefault(":all-time", Map.of()).entrySet().stream())
                .filter(stream -> !stream.getKey().toString().contains("__"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Of the probe only what it has executed: ticks and metrics count for the stream of an executor's messages here. */
    private static Map<String, Object> numbers(String name) {
        Map<String, Object> numbers = new TreeMap<>();
        for (String component : List.of("source", "last")) {
            numbers.put(
                    component + " emitted",
                    sum(name, component, e -> e.get_stats().get_emitted()));
            numbers.put(
                    component + " transferred",
                    sum(name, component, e -> e.get_stats().get_transferred()));
        }
        numbers.put("source acked", acked(name, "source"));
        numbers.put("probe executed", executed(name, "probe"));
        numbers.put("last executed", executed(name, "last"));
        numbers.put(
                "last acked",
                sum(name, "last", e -> e.get_stats().get_specific().get_bolt().get_acked()));
        return numbers;
    }

    @Test
    @Order(4)
    void shouldShowNimbusTheSameErrors() {
        await("an error", name -> !errors(name).isEmpty());
        same(SideBySideTest::errors);
    }

    private static Set<String> errors(String name) {
        Set<String> first = new TreeSet<>();
        info(name).get_errors().forEach((component, errors) -> {
            for (ErrorInfo error : errors) {
                first.add(component + ": "
                        + error.get_error().lines().findFirst().orElse("") + " on " + error.get_host());
            }
        });
        return first;
    }

    @Test
    @Order(5)
    void shouldFeedMetricsConsumersAndReporters() {
        await("older metrics", name -> consumed(name) == MESSAGES);
        await("newer metrics", name -> facts(name, "reported-").contains("newer"));
    }

    private static int consumed(String name) {
        return facts(name, "consumed").stream()
                .mapToInt(line -> Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    @Order(6)
    void shouldStopAndStartSpouts() {
        same(name -> facts(name, "activation"));
        BOTH.forEach(cluster::deactivate);
        await("a spout to stop", name -> facts(name, "activation").contains("deactivated"));
        BOTH.forEach(cluster::activate);
        await("a spout to start again", name -> facts(name, "activation").size() == 3);
        same(name -> facts(name, "activation"));
    }

    @Test
    @Order(7)
    void shouldHandOnNewCredentials() {
        for (String name : BOTH) {
            cluster.ask(nimbus -> {
                nimbus.uploadNewCredentials(name, new Credentials(Map.of("token", "new")));
                return null;
            });
        }
        await(
                "new credentials",
                name -> facts(name, "credentials-").stream()
                                .filter(line -> line.contains("token=new"))
                                .count()
                        == 4);
    }

    @Test
    @Order(8)
    void shouldChangeLogLevelsForAWhile() {
        LogLevel debug = new LogLevel(LogLevelAction.UPDATE);
        debug.set_target_log_level("DEBUG");
        debug.set_reset_log_level_timeout_secs(5);
        for (String name : BOTH) {
            cluster.ask(nimbus -> {
                LogConfig config = new LogConfig();
                config.put_to_named_logger_level(ApiFeatureTopology.LOGGER, debug);
                nimbus.setLogConfig(idOf(name), config);
                return null;
            });
        }
        await("the logger to talk", name -> facts(name, "debug-").contains("true"));
        await(
                "the logger to be silent again",
                name -> facts(name, "debug-").stream().filter("false"::equals).count() >= 6);
    }

    /** Not compared: Storm's worker looks for blobs in the directory of Nimbus, which here is not that of the Supervisors. */
    @Test
    @Order(9)
    void shouldTellOfNewVersionsOfBlobs() {
        awaitBlobNotes(3);
        cluster.ask(nimbus -> {
            String session = nimbus.beginUpdateBlob(ApiFeatureTopology.BLOB);
            nimbus.uploadBlobChunk(session, ByteBuffer.wrap("the second".getBytes(StandardCharsets.UTF_8)));
            nimbus.finishBlobUpload(session);
            return null;
        });
        awaitBlobNotes(6);
    }

    private static void awaitBlobNotes(int notes) {
        cluster.await(
                notes + " notes of blobs' versions",
                LIMIT,
                () -> facts("updraft", "blobs-").size() == notes);
        assertThat(facts("updraft", "blobs-")).containsOnly("[blob.txt]");
    }

    @Test
    @Order(9)
    void shouldTakeTheStacksThatNimbusIsAskedFor() {
        for (String name : BOTH) {
            ExecutorSummary any = info(name).get_executors().get(0);
            NodeInfo slot = new NodeInfo(any.get_host(), Set.of((long) any.get_port()));
            cluster.ask(nimbus -> {
                nimbus.setWorkerProfiler(idOf(name), new ProfileRequest(slot, ProfileAction.JSTACK_DUMP));
                return null;
            });
            Path artifacts = cluster.home().resolve("logs/workers-artifacts/" + idOf(name) + "/" + any.get_port());
            cluster.await(
                    "stacks of a worker of " + name,
                    LIMIT,
                    () -> stacksIn(artifacts).contains("Full thread dump"));
        }
    }

    private static String stacksIn(Path directory) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "jstack-*.txt")) {
            StringBuilder text = new StringBuilder();
            for (Path file : files) {
                text.append(Files.readString(file));
            }
            return text.toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @Order(10)
    void shouldLogEventsOfDebuggedComponents() {
        for (String name : BOTH) {
            cluster.ask(nimbus -> {
                nimbus.debug(name, "probe", true, 100);
                return null;
            });
            // New messages: of a topology that is laid out anew.
            RebalanceOptions one = new RebalanceOptions();
            one.set_wait_secs(0);
            one.set_num_workers(1);
            cluster.rebalance(name, one);
        }
        await("events", name -> facts(name, "events").contains("probe"));
        same(name -> factSet(name, "events"));
    }

    @Test
    @Order(11)
    void shouldHaveOneWorkerAfterARebalance() {
        await("one worker", name -> cluster.workers(name).size() == 1);
        assertThat(cluster.workers("updraft")).noneMatch(StormWorkerProcess::isStock);
        assertThat(new HashSet<>(facts("updraft", "ended"))).contains("source", "probe", "hook", "reporter");
    }

    @Test
    @Order(12)
    void shouldEndWithTheTopologyAndLeaveNothing() {
        BOTH.forEach(name -> cluster.kill(name, 2));
        for (String path :
                List.of("/assignments", "/storms", "/workerbeats", "/errors", "/credentials", "/logconfigs")) {
            cluster.await(
                    "nothing to be left in " + path,
                    LIMIT,
                    () -> cluster.znodes(path).isEmpty());
        }
    }
}
