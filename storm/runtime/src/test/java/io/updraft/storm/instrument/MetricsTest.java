package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.codahale.metrics.MetricRegistry;
import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.metric.api.CountMetric;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.metrics2.reporters.CsvStormReporter;
import org.apache.storm.metrics2.reporters.JmxStormReporter;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsTest {

    /** One data point as a consumer got it. */
    private record Point(Object argument, String component, int task, int interval, String name, Object value) {}

    private static final Queue<Point> POINTS = new ConcurrentLinkedQueue<>();
    private static final AtomicReference<MetricRegistry> REGISTRY = new AtomicReference<>();
    private static final Queue<String> REPORTER = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    @BeforeEach
    void reset() {
        POINTS.clear();
        REPORTER.clear();
        REGISTRY.set(null);
        QueueTopology.reset(QueueTopology::passOn);
    }

    /** Keeps what it is given. */
    public static final class Recorder implements IMetricsConsumer {
        private Object argument;

        @Override
        public void prepare(
                Map<String, Object> conf, Object registrationArgument, TopologyContext context, IErrorReporter errors) {
            argument = registrationArgument;
        }

        @Override
        public void handleDataPoints(TaskInfo task, Collection<DataPoint> points) {
            for (DataPoint point : points) {
                POINTS.add(new Point(
                        argument,
                        task.srcComponentId,
                        task.srcTaskId,
                        task.updateIntervalSecs,
                        point.name,
                        point.value));
            }
        }

        @Override
        public void cleanup() {}
    }

    /** Shows the test what is registered. */
    public static final class Watching implements StormReporter {
        @Override
        @SuppressWarnings("deprecation") // the method of the interface is
        public void prepare(MetricRegistry registry, Map<String, Object> conf, Map<String, Object> own) {
            REGISTRY.set(registry);
            REPORTER.add("prepared with " + own.get("color"));
        }

        @Override
        public void start() {
            REPORTER.add("started");
        }

        @Override
        public void stop() {
            REPORTER.add("stopped");
        }

        @Override
        public void close() {}
    }

    private static Map<String, Object> consumer(Object argument, Map<String, Object> more) {
        Map<String, Object> info = new HashMap<>(more);
        info.put("class", Recorder.class.getName());
        info.put("parallelism.hint", 1);
        info.put("argument", argument);
        return info;
    }

    private static void send(int count) throws Exception {
        int ended = QueueTopology.ACKED.size() + QueueTopology.FAILED.size() + count;
        for (int i = 0; i < count; i++) {
            QueueTopology.MESSAGES.add(new Values(i, "text"));
        }
        Await.until("all have ended", () -> QueueTopology.ACKED.size() + QueueTopology.FAILED.size() == ended);
    }

    private static long sum(String component, String name) {
        return POINTS.stream()
                .filter(point -> point.component.equals(component) && point.name.equals(name))
                .mapToLong(point -> ((Number) point.value).longValue())
                .sum();
    }

    @Test
    @SuppressWarnings("deprecation") // Storm's older metrics are part of its contract
    void shouldSendRegisteredMetricsToAllConsumersOnceABucket() throws Exception {
        QueueTopology.onPrepare((context, out) -> {
            CountMetric seen = context.registerMetric("seen", new CountMetric(), 1);
            context.registerMetric("hidden", new CountMetric(), 1).incrBy(7);
            context.setTaskData("seen", seen);
            context.addTaskHook(new CountingHook());
        });
        QueueTopology.submit(
                cluster,
                "v1",
                Map.of(
                        Config.TOPOLOGY_METRICS_CONSUMER_REGISTER,
                        List.of(consumer("all", Map.of()), consumer("some", Map.of("blacklist", List.of("hidden"))))));
        send(50);
        Await.until("both have got all", () -> sum("middle", "seen") == 100);

        assertThat(POINTS).filteredOn(point -> point.name.equals("seen")).allSatisfy(point -> {
            assertThat(point.interval).isEqualTo(1);
            assertThat(point.component).isEqualTo("middle");
        });
        assertThat(POINTS)
                .filteredOn(point -> point.name.equals("hidden"))
                .isNotEmpty()
                .allSatisfy(point -> assertThat(point.argument).isEqualTo("all"));
        assertThat(POINTS).noneMatch(point -> point.name.startsWith("__"));
        assertThat(QueueTopology.ACKED).hasSize(50);
    }

    /** Counts by the metric that the component has registered. */
    public static final class CountingHook extends org.apache.storm.hooks.BaseTaskHook {
        private TopologyContext context;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext given) {
            context = given;
        }

        @Override
        public void boltExecute(org.apache.storm.hooks.info.BoltExecuteInfo info) {
            ((CountMetric) context.getTaskData("seen")).incr();
        }
    }

    @Test
    void shouldSendStormsOwnCountsToConsumersThatWantTheRegistry() throws Exception {
        QueueTopology.reset((Tuple tuple, OutputCollector out) -> {
            if (tuple.getInteger(0) % 10 == 0) {
                out.fail(tuple);
            } else {
                QueueTopology.passOn(tuple, out);
            }
        });
        QueueTopology.onPrepare(
                (context, out) -> context.registerCounter("mine").inc(3));
        QueueTopology.submit(
                cluster,
                "v2",
                Map.of(
                        Config.TOPOLOGY_METRICS_CONSUMER_REGISTER,
                        List.of(consumer(null, Map.of())),
                        Config.TOPOLOGY_ENABLE_V2_METRICS_TICK,
                        true,
                        Config.TOPOLOGY_V2_METRICS_TICK_INTERVAL_SECONDS,
                        1,
                        Config.TOPOLOGY_STATS_SAMPLE_RATE,
                        1.0));
        send(100);
        awaitLast("feed", "__ack-count-default", 90);
        awaitLast("feed", "__emit-count-default", 100);
        awaitLast("feed", "__transfer-count-default", 100);
        awaitLast("feed", "__fail-count-default", 10);
        awaitLast("middle", "__execute-count-feed:default", 100);
        awaitLast("middle", "__ack-count-feed:default", 90);
        awaitLast("middle", "__fail-count-feed:default", 10);
        awaitLast("middle", "mine", 3);
        awaitLast("middle", "receive-queue-population", 0);
        awaitLast("middle", "__capacity-default", 0);
        awaitLast("end", "__ack-count-middle:default", 90);
        Await.until("one of the JVM's", () -> last("__system", "memory.heap.used") > 0);
        Set<String> latencies = Set.of(
                "__complete-latency-default", "__process-latency-feed:default", "__execute-latency-feed:default");
        Await.until(
                "all latencies",
                () -> POINTS.stream()
                        .map(Point::name)
                        .collect(Collectors.toSet())
                        .containsAll(latencies));
        assertThat(POINTS)
                .filteredOn(point -> point.name.equals("memory.heap.used"))
                .allSatisfy(point -> assertThat(point.component).isEqualTo("__system"));
    }

    /** Points come task by task, and one after the other. */
    private static void awaitLast(String component, String name, long value) throws Exception {
        Await.until(name + " of " + component + " to be " + value, () -> last(component, name) == value);
    }

    private static long last(String component, String name) {
        return POINTS.stream()
                .filter(point -> point.component.equals(component) && point.name.equals(name))
                .mapToLong(point -> ((Number) point.value).longValue())
                .reduce(-1, (before, now) -> now);
    }

    @Test
    void shouldShowReportersWhatComponentsRegisterAndStormCounts() throws Exception {
        QueueTopology.onPrepare((context, out) -> {
            context.registerMeter("speed").mark(5);
            context.registerTimer("took");
            context.registerHistogram("size").update(9);
            context.registerGauge("level", () -> 42);
        });
        QueueTopology.submit(
                cluster,
                "reported",
                Map.of(
                        Config.TOPOLOGY_METRICS_REPORTERS,
                        List.of(Map.of("class", Watching.class.getName(), "color", "blue")),
                        Config.TOPOLOGY_STATS_SAMPLE_RATE,
                        1.0));
        send(20);

        MetricRegistry registry = REGISTRY.get();
        assertThat(find(registry.getMeters(), "-speed").getCount()).isEqualTo(5);
        assertThat(find(registry.getHistograms(), "-size").getCount()).isEqualTo(1);
        assertThat(find(registry.getGauges(), "-level").getValue()).isEqualTo(42);
        assertThat(find(registry.getTimers(), "-took").getCount()).isZero();
        Await.until(
                "all are counted",
                () -> find(registry.getCounters(), "-__ack-count-feed:default").getCount() == 20);
        Await.until(
                "all are counted at the spout",
                () -> find(registry.getCounters(), "feed.default.2.6700-__emit-count-default")
                                .getCount()
                        == 20);
        cluster.close();
        assertThat(REPORTER).containsExactly("prepared with blue", "started", "stopped");
    }

    @Test
    void shouldRunStormsOwnReporters(@TempDir Path directory) throws Exception {
        QueueTopology.onPrepare(
                (context, out) -> context.registerCounter("mine").inc(3));
        QueueTopology.submit(
                cluster,
                "storms",
                Map.of(
                        Config.TOPOLOGY_METRICS_REPORTERS,
                        List.of(
                                Map.of(
                                        "class",
                                        CsvStormReporter.class.getName(),
                                        "csv.log.dir",
                                        directory.toString(),
                                        "report.period",
                                        1),
                                Map.of("class", JmxStormReporter.class.getName(), "jmx.domain", "updraft.test"))));

        Await.until(
                "the file has the count",
                () -> linesOf(directory, "-mine.csv").stream().anyMatch(line -> line.endsWith(",3")));
        ObjectName ours = new ObjectName("updraft.test:*");
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        assertThat(beans.queryNames(ours, null))
                .anyMatch(name -> name.toString().contains("-mine"));
        cluster.close();
        assertThat(beans.queryNames(ours, null)).isEmpty();
    }

    private static List<String> linesOf(Path directory, String end) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> file =
                    files.filter(each -> each.toString().endsWith(end)).findFirst();
            return file.isEmpty() ? List.of() : Files.readAllLines(file.get());
        }
    }

    private static <M> M find(Map<String, M> metrics, String end) {
        List<M> found = new ArrayList<>();
        metrics.forEach((name, metric) -> {
            if (name.endsWith(end)) {
                found.add(metric);
            }
        });
        assertThat(found).as(end + " in " + metrics.keySet()).hasSize(1);
        return found.get(0);
    }

    @Test
    void shouldRefuseConsumersAndReportersThatAreNotThere() {
        Map<String, Object> reporter = Map.of("class", "com.acme.NoReporter");
        Map<String, Object> wrong = Map.of("class", "java.lang.String", "parallelism.hint", 1);
        assertThatThrownBy(() -> QueueTopology.submit(
                        cluster, "wrong", Map.of(Config.TOPOLOGY_METRICS_REPORTERS, List.of(reporter))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasStackTraceContaining(
                        "topology.metrics.reporters names com.acme.NoReporter, but that class does not exist");
        assertThatThrownBy(() -> QueueTopology.submit(
                        cluster, "wrong", Map.of(Config.TOPOLOGY_METRICS_CONSUMER_REGISTER, List.of(wrong))))
                .isInstanceOf(InvalidTopologyException.class)
                .hasStackTraceContaining("java.lang.String, which is not a " + IMetricsConsumer.class.getName());
    }
}
