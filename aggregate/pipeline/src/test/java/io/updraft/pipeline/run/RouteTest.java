package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.FreePorts;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records that are routed into two real clusters, of a broker each. */
@Tag("long")
final class RouteTest {

    private static final int PARTITIONS = 4;
    private static final long PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final Duration LIMIT = Duration.ofMinutes(8);

    /** Measurements of a large request. */
    private static final int LARGE = 2_000;

    private static KafkaServer first;
    private static KafkaServer second;

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<Integer, Integer> answers = new ConcurrentHashMap<>();
    private final Semaphore open = new Semaphore(20);
    private int posted;

    @BeforeAll
    static void start() {
        first = KafkaServer.start();
        second = KafkaServer.start();
    }

    @AfterAll
    static void stop() {
        for (KafkaServer server : new KafkaServer[] {first, second}) {
            if (server != null) {
                server.close();
            }
        }
    }

    /** The first cluster is killed while measurements come in, and comes back; then both stand still. */
    @Test
    void shouldStoreAllThatItAcknowledgesInItsIndexAndSayNoWhileNoClusterTakesIt() throws Exception {
        topic("failover");
        int port = new FreePorts().next();
        try (RunningPipeline routing = start("routing", http(port, "failover"))) {
            awaitListening(port);
            postUntil(port, () -> acknowledged.size() > 200);
            first.broker(1).kill();
            int before = acknowledged.size();
            postUntil(port, () -> acknowledged.size() > before + 500);
            first.broker(1).start();
            first.awaitBrokers(1);
            long delivered = delivered(routing, first);
            postUntil(port, () -> delivered(routing, first) > delivered + 100);
            assertThat(delivered(routing, second)).isPositive();

            first.broker(1).suspend();
            second.broker(1).suspend();
            int refused = answers.getOrDefault(503, 0);
            postUntil(port, () -> answers.getOrDefault(503, 0) > refused + 20);
            first.broker(1).resume();
            second.broker(1).resume();
            int again = acknowledged.size();
            postUntil(port, () -> acknowledged.size() > again + 100);
            open.acquire(20);
            assertThat(routing.failure()).isNull();
            PipelineProgress progress = routing.progress();
            assertThat(progress.route().failed()).isZero();
            assertThat(progress.route().rerouted()).isPositive();
        }
        assertThat(answers.keySet()).isSubsetOf(200, 429, 503);
        Set<String> stored = new TreeSet<>();
        for (KafkaServer server : List.of(first, second)) {
            for (Stored record : read(server, "failover")) {
                assertThat(record.partition())
                        .isEqualTo(Utils.toPositive(Utils.murmur2(record.key().getBytes(StandardCharsets.UTF_8)))
                                % PARTITIONS);
                assertThat(record.value()).startsWith("{\"name\":\"" + record.key() + "\",");
                stored.add(record.value().replaceAll(".*\"value\":(\\d+).*", "$1"));
            }
        }
        assertThat(stored).containsAll(acknowledged);
    }

    /** Every broker stands still: what came in waits, what is more than may wait is refused, and what was refused was not taken. */
    @Test
    void shouldSayThatTheQueueIsFullWhileAllBrokersStandStillAndThenStoreWhatItTook() throws Exception {
        topic("full");
        int port = new FreePorts().next();
        String patient = http(port, "full", first.bootstrap() + "\", \"" + second.bootstrap(), "3s", "200s")
                .replace("\"}}", "\", queue: 64KB}}")
                .replace("  answer:", "  queue: 1MB\n  answer:");
        List<CompletableFuture<HttpResponse<String>>> posts = new ArrayList<>();
        try (RunningPipeline routing = start("full", patient)) {
            awaitListening(port);
            first.broker(1).suspend();
            second.broker(1).suspend();
            // What is on its way, the router's queue, and in the end the source's.
            Await.until("a post is refused", LIMIT, () -> {
                posts.add(postLarge(port, posts.size()));
                return isRefused(posts.get(posts.size() - 1));
            });
            first.broker(1).resume();
            second.broker(1).resume();
            CompletableFuture.allOf(posts.toArray(CompletableFuture[]::new)).get(5, TimeUnit.MINUTES);
            Await.until("a post is taken again", LIMIT, () -> !isRefused(post(port, "again", -1, 1)));
            assertThat(routing.failure()).isNull();
        }
        Map<Long, Set<String>> stored = new TreeMap<>();
        for (KafkaServer server : List.of(first, second)) {
            for (Stored record : read(server, "full")) {
                long value = Long.parseLong(record.value().replaceAll(".*\"value\":(-?\\d+).*", "$1"));
                stored.computeIfAbsent(Math.floorDiv(value, LARGE), request -> new TreeSet<>())
                        .add(record.key());
            }
        }
        for (int i = 0; i < posts.size(); i++) {
            int status = posts.get(i).get().statusCode();
            assertThat(status).isIn(200, 429);
            assertThat(stored.getOrDefault((long) i, Set.of()))
                    .as("request %d, answered by %d", i, status)
                    .hasSize(status == 200 ? LARGE : 0);
        }
    }

    /** Whether the answer is, within the moment that one takes, that more waits than may. */
    private static boolean isRefused(CompletableFuture<HttpResponse<String>> answer) {
        try {
            HttpResponse<String> response = answer.get(100, TimeUnit.MILLISECONDS);
            assertThat(response.statusCode()).isIn(200, 429);
            assertThat(response.headers().firstValue("Retry-After").isPresent())
                    .isEqualTo(response.statusCode() == 429);
            return response.statusCode() == 429;
        } catch (TimeoutException waits) {
            return false;
        } catch (ExecutionException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Posts half a megabyte. */
    private CompletableFuture<HttpResponse<String>> postLarge(int port, int number) {
        String name = "x".repeat(200);
        return post(
                port,
                IntStream.range(0, LARGE)
                        .mapToObj(i -> "{\"name\":\"%s%d\",\"value\":%d}".formatted(name, i, number * LARGE + i))
                        .collect(Collectors.joining(",", "{\"gauges\":[", "]}")));
    }

    /** By HTTP into Kafka, and from there by two members of a group, each with its own keys. */
    @Test
    void shouldLetSeveralAggregateByKeyWhatCameInByHttp() throws Exception {
        topic("minutes");
        int port = new FreePorts().next();
        // Patient, as a machine may be busy: what fails over would be in the other cluster, or twice.
        String patient = http(port, "minutes", first.bootstrap(), "40s", "60s");
        Map<String, Long> expected = new TreeMap<>();
        try (RunningPipeline routing = start("ingest", patient);
                RunningPipeline one = start("totals", totals("minutes", "one"));
                RunningPipeline other = start("totals", totals("minutes", "other"))) {
            awaitListening(port);
            Await.until("both share the group", LIMIT, () -> haveShared("totals"));
            for (int i = 0; i < 300; i++) {
                expected.merge("m" + i % 30, (long) i, Long::sum);
                postAndWait(port, "m" + i % 30, i, i % 100);
            }
            // An hour later, so that the windows of all partitions end.
            for (int i = 0; i < 30; i++) {
                postAndWait(port, "m" + i, 0, 3_600);
            }
            Await.until(
                    "both have results and nothing is missing",
                    LIMIT,
                    () -> !sums("one").isEmpty()
                            && !sums("other").isEmpty()
                            && total(sums("one")) + total(sums("other")) >= total(expected));
            for (RunningPipeline each : List.of(routing, one, other)) {
                assertThat(each.failure()).isNull();
            }
        }
        Map<String, Long> totals = new TreeMap<>(sums("one"));
        sums("other")
                .forEach((name, sum) -> assertThat(totals.put(name, sum))
                        .as(name + " is with one of them alone")
                        .isNull());
        assertThat(totals).isEqualTo(expected);
    }

    private void postAndWait(int port, String name, int value, int second) throws Exception {
        assertThat(post(port, name, value, second).get().statusCode()).isEqualTo(200);
    }

    /** Whether each of two members has half of the partitions. */
    private static boolean haveShared(String group) {
        try {
            var members = first.admin()
                    .describeConsumerGroups(List.of(group))
                    .all()
                    .get()
                    .get(group)
                    .members();
            return members.size() == 2
                    && members.stream()
                            .allMatch(member ->
                                    member.assignment().topicPartitions().size() == PARTITIONS / 2);
        } catch (ExecutionException notYet) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static long total(Map<String, Long> sums) {
        return sums.values().stream().mapToLong(sum -> sum).sum();
    }

    /** What others have put into any partition, and lines of a file; what is no record is put aside. */
    @Test
    void shouldRouteWhatOthersHavePutAnywhere() throws Exception {
        topic("raw");
        topic("by-key");
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", first.bootstrap()), new StringSerializer(), new StringSerializer())) {
            for (int i = 0; i < 1_000; i++) {
                String value = i == 500 ? "{broken" : "{\"k\":\"k%d\",\"n\":%d}".formatted(i % 10, i);
                producer.send(new ProducerRecord<>("raw", i % PARTITIONS, null, value));
            }
        }
        Path dead = directory.resolve("dead.json");
        String route = """
                format: json
                flatten: {fields: {k: {type: text, required: true}}}
                route: {key: k, topic: by-key, bootstrap: "%s", partitions: %d}
                dead_letters: {file: "%s"}
                """.formatted(first.bootstrap(), PARTITIONS, dead);
        String kafka = "source: {kafka: {bootstrap: \"" + first.bootstrap() + "\", topic: raw, to_end: true}}\n";
        assertThat(runToEnd("repartition", kafka + route)).isEqualTo(999);
        assertThat(dead).content().contains("{broken");
        assertThat(runToEnd("repartition", kafka + route))
                .as("all was committed")
                .isZero();
        Path lines =
                Files.writeString(directory.resolve("more.json"), "{\"k\":\"k3\",\"n\":7}\r\n{\"n\":8}\n{\"k\":\"x\"}");
        assertThat(runToEnd("files", "source: {file: " + lines + "}\n" + route)).isEqualTo(2);
        Path quoted = Files.writeString(directory.resolve("quoted.csv"), "k,n\r\n\"a\r\nb\",1\r\n");
        String csv = route.replace("format: json", "format: csv");
        assertThat(runToEnd("quoted", "source: {file: " + quoted + "}\n" + csv)).isEqualTo(1);
        List<Stored> records = read(first, "by-key");
        assertThat(records).hasSize(1_002);
        assertThat(records).extracting(Stored::value).contains("\"a\r\nb\",1");
        assertThat(records).extracting(Stored::value).contains("{\"k\":\"k3\",\"n\":7}", "{\"k\":\"x\"}");
        assertThat(records)
                .allSatisfy(record -> assertThat(record.partition())
                        .isEqualTo(Utils.toPositive(Utils.murmur2(record.key().getBytes(StandardCharsets.UTF_8)))
                                % PARTITIONS));
        assertThatThrownBy(() -> start("wrong", kafka + route.replace("topic: by-key", "topic: nowhere")))
                .hasMessageContaining("topic nowhere at " + first.bootstrap() + " is missing");
    }

    private static void topic(String name) {
        first.createTopic(name, PARTITIONS, 1);
        second.createTopic(name, PARTITIONS, 1);
    }

    private static RunningPipeline start(String name, String yaml) throws Exception {
        return Pipelines.start(new SpecReader(Map.of()).read(name + ".yaml", yaml, name));
    }

    /** Returns how many records were routed. */
    private static long runToEnd(String name, String yaml) throws Exception {
        try (RunningPipeline running = start(name, yaml)) {
            assertThat(running.awaitEnd(LIMIT)).as("ended").isTrue();
            assertThat(running.failure()).isNull();
            return running.progress().route().delivered().values().iterator().next();
        }
    }

    private static String http(int port, String topic) {
        return http(port, topic, first.bootstrap() + "\", \"" + second.bootstrap(), "3s", "8s");
    }

    private static String http(int port, String topic, String clusters, String failover, String answer) {
        return """
                source: {http: {listen: "127.0.0.1:%d"}}
                route:
                  key: name
                  topic: %s
                  bootstrap: ["%s"]
                  partitions: %d
                  failover: %s
                  probe: 500ms
                  answer: %s
                """.formatted(port, topic, clusters, PARTITIONS, failover, answer);
    }

    private String totals(String topic, String out) {
        return """
                source: {kafka: {bootstrap: "%s", topic: %s, session: 30s}}
                format: json
                flatten: {fields: {name: text, value: double, measure_time: {type: time, format: seconds}}}
                time: {field: measure_time, disorder: 10m, idle: 1h}
                aggregate: {group_by: [name], measures: {total: sum(value)}, every: 1m}
                keyed: true
                sinks: [{csv: {path: "%s"}}]
                """.formatted(first.bootstrap(), topic, directory.resolve(out + ".csv"));
    }

    private Map<String, Long> sums(String file) {
        Map<String, Long> sums = new TreeMap<>();
        try {
            for (String line : Files.readAllLines(directory.resolve(file + ".csv"))) {
                String[] cells = line.split(",");
                if (cells.length == 4 && cells[2].startsWith("m")) {
                    sums.merge(cells[2], (long) Double.parseDouble(cells[3]), Long::sum);
                }
            }
        } catch (IOException notYet) {
            return Map.of();
        }
        return sums;
    }

    private static long delivered(RunningPipeline routing, KafkaServer to) {
        return routing.progress().route().delivered().get(to.bootstrap());
    }

    private void postUntil(int port, BooleanSupplier enough) throws Exception {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!enough.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("answers so far: " + answers)
                    .isNegative();
            if (!open.tryAcquire(10, TimeUnit.MILLISECONDS)) {
                continue;
            }
            LockSupport.parkNanos(PACE_NANOS);
            int value = posted++;
            post(port, "key-" + value % 50, value, value % 100).whenComplete((response, failure) -> {
                answers.merge(failure == null ? response.statusCode() : -1, 1, Integer::sum);
                if (failure == null && response.statusCode() == 200) {
                    acknowledged.add(Integer.toString(value));
                } else if (failure == null) {
                    assertThat(response.headers().firstValue("Retry-After")).isPresent();
                }
                open.release();
            });
        }
    }

    private CompletableFuture<HttpResponse<String>> post(int port, String name, int value, int second) {
        String body = "{\"gauges\":[{\"name\":\"%s\",\"value\":%d,\"measure_time\":%d}]}"
                .formatted(name, value, 1_357_000_000 + second);
        return post(port, body);
    }

    private CompletableFuture<HttpResponse<String>> post(int port, String body) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/measurements"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    /** The thread that reads the source opens it. */
    private static void awaitListening(int port) throws InterruptedException {
        Await.until("the port listens", LIMIT, () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    private record Stored(int partition, String key, String value) {}

    private static List<Stored> read(KafkaServer server, String topic) {
        return server.records(topic).stream()
                .map(each -> new Stored(
                        each.partition(),
                        new String(each.key(), StandardCharsets.UTF_8),
                        new String(each.value(), StandardCharsets.UTF_8)))
                .toList();
    }
}
