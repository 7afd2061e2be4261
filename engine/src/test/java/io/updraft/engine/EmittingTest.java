package io.updraft.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import io.updraft.engine.testing.TestTopology;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.grouping.PartialKeyGrouping;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EmittingTest {

    @AutoClose
    private final TestTopology topology = new TestTopology();

    private final Map<Integer, Queue<Object>> got = new ConcurrentHashMap<>();

    /** Notes what each task gets. */
    private IRichBolt sink() {
        return Local.bolt(() -> new TestBolt("v") {
            @Override
            public void execute(Tuple input) {
                got.computeIfAbsent(context.getThisTaskId(), k -> new ConcurrentLinkedQueue<>())
                        .add(input.getValue(0));
                out.ack(input);
            }
        });
    }

    private Map<Integer, Integer> counts() {
        Map<Integer, Integer> counts = new ConcurrentHashMap<>();
        got.forEach((task, values) -> counts.put(task, values.size()));
        return counts;
    }

    private void run(
            long messages, BiConsumer<BoltDeclarer, TestEngine> check, BiConsumer<BoltDeclarer, String> group) {
        Feed feed = topology.feed(Feed.of(messages));
        // Tasks: sink 1 to 4, spout 5.
        BoltDeclarer sink = topology.setBolt("sink", sink(), 2);
        sink.setNumTasks(4);
        group.accept(sink, "spout");
        TestEngine engine = topology.run(Map.of("updraft.loops", 2));
        engine.await("all acked", feed::isSettled);
        assertThat(feed.failed).isEmpty();
        check.accept(sink, engine);
    }

    @Test
    void shouldShuffleEvenly() {
        run(
                1_000,
                (s, e) -> assertThat(counts().values()).hasSize(4).allMatch(n -> n == 250),
                (s, from) -> s.localOrShuffleGrouping(from));
    }

    @Test
    void shouldSendFieldsWhereStormSendsThem() {
        run(
                1_000,
                (s, e) -> got.forEach((task, values) ->
                        assertThat(values).allMatch(v -> TupleUtils.chooseTaskIndex(List.of(v), 4) == task - 1)),
                (s, from) -> s.fieldsGrouping(from, new Fields("v")));
        assertThat(counts().values().stream().mapToInt(n -> n).sum()).isEqualTo(1_000);
    }

    @Test
    void shouldSendToAll() {
        run(
                100,
                (s, e) -> assertThat(counts()).isEqualTo(Map.of(1, 100, 2, 100, 3, 100, 4, 100)),
                (s, from) -> s.allGrouping(from));
    }

    @Test
    void shouldSendToTheFirst() {
        run(100, (s, e) -> assertThat(counts()).isEqualTo(Map.of(1, 100)), (s, from) -> s.globalGrouping(from));
    }

    @Test
    void shouldSendAPartialKeyToAtMostTwoTasks() {
        run(
                1_000,
                (s, e) -> assertThat(counts().values().stream().mapToInt(n -> n).sum())
                        .isEqualTo(1_000),
                (s, from) -> s.customGrouping(from, new PartialKeyGrouping(new Fields("v"))));
    }

    private record Chosen(List<Integer> tasks) implements CustomStreamGrouping {
        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {}

        @Override
        public List<Integer> chooseTasks(int taskId, List<Object> values) {
            return tasks;
        }
    }

    @Test
    void shouldSendWhereACustomGroupingSays() {
        run(
                10,
                (s, e) -> assertThat(counts()).isEqualTo(Map.of(2, 10, 4, 20)),
                (s, from) -> s.customGrouping(from, new Chosen(List.of(4, 2, 4))));
    }

    static List<Chosen> nobody() {
        return List.of(new Chosen(null), new Chosen(List.of()));
    }

    @ParameterizedTest
    @MethodSource("nobody")
    void shouldAckWhatACustomGroupingSendsToNobody(Chosen grouping) {
        run(10, (s, e) -> assertThat(counts()).isEmpty(), (s, from) -> s.customGrouping(from, grouping));
    }

    static List<Chosen> impossible() {
        return List.of(
                new Chosen(List.of(1, 99)),
                new Chosen(List.of(-5)),
                new Chosen(List.of(5)),
                new Chosen(Arrays.asList(1, null)));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void shouldBlameTheEmitterForATaskThatDoesNotExist(Chosen grouping) {
        Feed feed = topology.feed(Feed.of(20));
        topology.setBolt("b", TestBolt.passOn()).shuffleGrouping("spout");
        topology.setBolt("a", sink(), 4).customGrouping("b", grouping);
        topology.setBolt("other", sink()).shuffleGrouping("spout");
        TestEngine engine = topology.run(Map.of("updraft.on.error", "fail-tuple"));
        engine.await("a failure and the others' work", () -> !feed.failed.isEmpty() && !got.isEmpty());
        ErrorReport report = engine.errors.peek();
        assertThat(report.componentId()).isEqualTo("b");
        assertThat(report.during()).isEqualTo("execute");
        assertThat(report.error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("custom grouping")
                .hasMessageContaining("not a task of the subscribing component: [1, 2, 3, 4]");
        assertThat(engine.engine.death()).isNull();
    }

    @Test
    void shouldSendDirectlyToTheTaskThatIsNamed() {
        Feed feed = topology.feed(Feed.of(100));
        // Tasks: direct 1, sink 2 to 4.
        topology.setBolt(
                        "direct",
                        TestBolt.of(
                                (tuple, out) -> {
                                    out.emitDirect(
                                            2 + (int) ((long) tuple.getValue(0) % 3), "to", tuple, tuple.getValues());
                                    out.ack(tuple);
                                },
                                declarer -> declarer.declareStream("to", true, new Fields("v"))))
                .shuffleGrouping("spout");
        topology.setBolt("sink", sink(), 3).directGrouping("direct", "to");
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        got.forEach((task, values) -> assertThat(values).allMatch(v -> (long) v % 3 == task - 2));
        assertThat(counts()).isEqualTo(Map.of(2, 34, 3, 33, 4, 33));
    }

    @Test
    void shouldDropWhatIsSentDirectlyToATaskThatDidNotSubscribe() {
        Feed feed = topology.feed(Feed.of(10));
        topology.setBolt(
                        "direct",
                        TestBolt.of(
                                (tuple, out) -> {
                                    out.emitDirect(1, "to", tuple, tuple.getValues());
                                    out.emitDirect(77, "to", tuple, tuple.getValues());
                                    out.ack(tuple);
                                },
                                declarer -> declarer.declareStream("to", true, new Fields("v"))))
                .shuffleGrouping("spout");
        topology.setBolt("sink", sink(), 3).directGrouping("direct", "to");
        TestEngine engine = topology.run();
        engine.await("all acked", feed::isSettled);
        assertThat(got).isEmpty();
        assertThat(engine.errors).isEmpty();
    }

    private void shouldComplain(BiConsumer<Tuple, OutputCollector> execute, String message) {
        Feed feed = topology.feed(Feed.of(1));
        topology.setBolt("b", TestBolt.of(execute, declarer -> {
                    declarer.declare(new Fields("v"));
                    declarer.declareStream("to", true, new Fields("v"));
                }))
                .shuffleGrouping("spout");
        topology.setBolt("sink", sink()).shuffleGrouping("b").directGrouping("b", "to");
        TestEngine engine = topology.run();
        engine.await("the message failed", () -> feed.failCount() == 1);
        assertThat(engine.errors.peek().error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(got).isEmpty();
    }

    @Test
    void shouldComplainAboutAnUnknownStream() {
        shouldComplain(
                (tuple, out) -> out.emit("errors", tuple, new Values(1)),
                "component 'b' emits on stream 'errors', which it does not declare; it declares [default, to]");
    }

    @Test
    void shouldComplainAboutARegularEmitOnADirectStream() {
        shouldComplain(
                (tuple, out) -> out.emit("to", tuple, new Values(1)),
                "stream 'to' of component 'b' has a subscriber with a direct grouping: use emitDirect");
    }

    @Test
    void shouldComplainAboutADirectEmitToATaskThatSubscribedOtherwise() {
        shouldComplain(
                (tuple, out) -> out.emitDirect(2, tuple, new Values(1)),
                "task 2 subscribes to stream 'default' of component 'b' with a grouping that is not direct: use emit");
    }

    @Test
    void shouldReturnTheTasksThatATupleWasSentTo() {
        Feed feed = topology.feed(Feed.of(1));
        Queue<List<Integer>> returned = new ConcurrentLinkedQueue<>();
        topology.setBolt(
                        "b",
                        TestBolt.of(
                                (tuple, out) -> {
                                    returned.add(out.emit("one", new Values(1)));
                                    returned.add(out.emit("several", tuple, new Values(1)));
                                    returned.add(out.emit("nobody", tuple, new Values(1)));
                                    out.ack(tuple);
                                },
                                declarer -> Set.of("one", "several", "nobody")
                                        .forEach(s -> declarer.declareStream(s, new Fields("v")))))
                .shuffleGrouping("spout");
        topology.setBolt("c", sink(), 2).globalGrouping("b", "one").allGrouping("b", "several");
        topology.setBolt("d", sink()).shuffleGrouping("b", "several");
        TestEngine engine = topology.run();
        engine.await("acked", feed::isSettled);
        assertThat(returned).containsExactly(List.of(2), List.of(2, 3, 4), List.of());
    }
}
