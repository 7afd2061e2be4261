package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.storm.Config;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.ShellComponent;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.api.CountMetric;
import org.apache.storm.metric.api.rpc.IShellMetric;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.ShellBolt;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Components in Python and JavaScript: their own processes, which die and hang. */
@SuppressWarnings("serial")
@Tag("one-jdk")
class MultilangTest {
    private static final Set<String> ACKED = ConcurrentHashMap.newKeySet();
    private static final ConcurrentLinkedQueue<List<Object>> RECEIVED = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SINKS = new AtomicInteger();
    private static final AtomicLong SENTENCES = new AtomicLong();

    @BeforeAll
    static void needsPythonAndNode() {
        assumeTrue(runs("python3") && runs("node"), "python3 and node are not installed");
    }

    @BeforeEach
    void forget() {
        ACKED.clear();
        RECEIVED.clear();
        SINKS.set(0);
        SENTENCES.set(0);
    }

    @Test
    void shouldRunPythonAndJavaScript() throws Exception {
        Config conf = new Config();
        conf.put("test.counted", true);
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("words", conf, topology("a b a", "b c", "a"));
            Await.until("all sentences are acked", () -> ACKED.size() == 3);
        }
        assertThat(lastCounts()).isEqualTo(Map.of("a", 3L, "b", 2L, "c", 1L));
        assertThat(RECEIVED).hasSize(6);
        assertThat(SENTENCES).hasValue(3);
    }

    @Test
    void shouldRebuildOnlyTheBoltWhoseSubprocessDies() throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("words", new Config(), topology("a", "die b", "c"));
            Await.until("all sentences are acked, the one that killed as well", () -> ACKED.size() == 3);
            assertThat(errors(cluster)).anyMatch(error -> error.contains("subprocess has died"));
        }
        assertThat(lastCounts()).containsKeys("a", "b", "c", "die");
        assertThat(SINKS).hasValue(1);
    }

    @Test
    void shouldRebuildABoltWhoseSubprocessHangsAndEndThatProcess() throws Exception {
        Set<Long> before = children();
        Config conf = new Config();
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 2);
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("words", conf, topology("a", "hang b", "c"));
            Await.until("all sentences are acked, the one that hung as well", () -> ACKED.size() == 3);
        }
        Await.until("no subprocess is left", () -> before.containsAll(children()));
        assertThat(SINKS).hasValue(1);
    }

    /** The executor waits for room in the queue then, and the thread that writes for room in the pipe. */
    @Test
    void shouldRebuildABoltWhoseSubprocessHangsWhileItsQueueIsFull() throws Exception {
        Set<Long> before = children();
        Config conf = new Config();
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 2);
        conf.put(Config.TOPOLOGY_SHELLBOLT_MAX_PENDING, 2);
        String longerThanAPipe = "x".repeat(200_000);
        String[] sentences = new String[12];
        Arrays.setAll(sentences, i -> i == 0 ? "hang" : longerThanAPipe + i);
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("words", conf, topology(sentences));
            Await.until("all sentences are acked", () -> ACKED.size() == sentences.length);
        }
        Await.until("no subprocess is left", () -> before.containsAll(children()));
    }

    @Test
    void shouldRebuildASpoutWhoseSubprocessHangs() throws Exception {
        Set<Long> before = children();
        Config conf = new Config();
        conf.put(Config.TOPOLOGY_SUBPROCESS_TIMEOUT_SECS, 2);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new PythonSpout());
        builder.setBolt("sink", new Sink()).shuffleGrouping("numbers");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("numbers", conf, builder.createTopology());
            Await.until(
                    "all numbers have come",
                    () -> RECEIVED.stream()
                                    .map(values -> values.get(0))
                                    .distinct()
                                    .count()
                            == 20);
        }
        Await.until("no subprocess is left", () -> before.containsAll(children()));
        assertThat(SINKS).hasValue(1);
    }

    /** As topologies come that were written in other languages: nothing in them is Java. */
    @Test
    void shouldRunBareShellComponents() throws Exception {
        StormTopology topology = topology("a b", "a");
        topology.get_bolts()
                .get("split")
                .set_bolt_object(ComponentObject.shell(new ShellComponent("python3", "test_split.py")));
        topology.get_bolts().get("split").get_common().set_json_conf("{}");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("words", new Config(), topology);
            Await.until("both words are counted", () -> lastCounts().equals(Map.of("a", 2L, "b", 1L)));
        }
    }

    @Test
    void shouldSayWhichProgramCannotBeStarted() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new Feed("x"));
        builder.setBolt("none", new Shell("no-such-program", "x.py")).shuffleGrouping("numbers");
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology("broken", new Config(), builder.createTopology());
            Await.until(
                    "the error is told",
                    () -> errors(cluster).stream().anyMatch(error -> error.contains("no-such-program")));
        }
    }

    private static StormTopology topology(String... sentences) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("sentences", new Feed(sentences));
        builder.setBolt("split", new Split()).shuffleGrouping("sentences");
        builder.setBolt("count", new Shell("node", "test_count.js")).fieldsGrouping("split", new Fields("word"));
        builder.setBolt("sink", new Sink()).globalGrouping("count");
        return builder.createTopology();
    }

    private static Map<String, Long> lastCounts() {
        Map<String, Long> counts = new TreeMap<>();
        RECEIVED.forEach(
                values -> counts.merge((String) values.get(0), ((Number) values.get(1)).longValue(), Math::max));
        return counts;
    }

    private static List<String> errors(UpdraftCluster cluster) throws Exception {
        List<String> errors = new ArrayList<>();
        String id = cluster.getTopologySummaries().get(0).get_id();
        cluster.getTopologyInfo(id).get_errors().values().forEach(each -> each.forEach(e -> errors.add(e.get_error())));
        return errors;
    }

    private static Set<Long> children() {
        Set<Long> pids = new HashSet<>();
        ProcessHandle.current().descendants().map(ProcessHandle::pid).forEach(pids::add);
        return pids;
    }

    private static boolean runs(String program) {
        try {
            return new ProcessBuilder(program, "--version")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Emits sentences, each again until it is acked. */
    private static final class Feed extends TestSpout {
        private final List<String> sentences;
        private transient List<String> todo;

        private Feed(String... sentences) {
            super("sentence");
            this.sentences = Arrays.asList(sentences);
        }

        @Override
        protected void opened() {
            todo = new ArrayList<>(sentences);
        }

        @Override
        public void nextTuple() {
            if (!todo.isEmpty()) {
                String sentence = todo.remove(0);
                out.emit(new Values(sentence), sentence);
            }
        }

        @Override
        public void ack(Object id) {
            ACKED.add((String) id);
        }

        @Override
        public void fail(Object id) {
            todo.add((String) id);
        }
    }

    /** A bolt with a subprocess. */
    private static class Shell extends ShellBolt implements IRichBolt {
        private Shell(String... command) {
            super(command);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word", "count"));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return new HashMap<>();
        }
    }

    private static final class Split extends Shell {
        private Split() {
            super("python3", "test_split.py");
        }

        @SuppressWarnings("deprecation") // The multilang protocol knows metrics of the first kind only.
        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            context.registerMetric("sentences", new SentenceMetric(), 1);
            super.prepare(conf, context, collector);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    /** Counted by the subprocess. */
    private static final class SentenceMetric extends CountMetric implements IShellMetric {
        @Override
        public void updateMetricFromRPC(Object value) {
            SENTENCES.addAndGet(((Number) value).longValue());
        }
    }

    private static final class PythonSpout extends ShellSpout implements IRichSpout {
        private PythonSpout() {
            super("python3", "test_spout.py");
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }

        @Override
        public Map<String, Object> getComponentConfiguration() {
            return Collections.emptyMap();
        }
    }

    private static final class Sink extends TestBolt {
        @Override
        protected void prepared() {
            SINKS.incrementAndGet();
        }

        @Override
        public void execute(Tuple tuple) {
            RECEIVED.add(new ArrayList<>(tuple.getValues()));
            out.ack(tuple);
        }
    }
}
