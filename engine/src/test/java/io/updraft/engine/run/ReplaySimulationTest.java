package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.failure.KeptDeadLetters;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.DeadLetter.Replay;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimException;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replays random dead letters on one thread, under random failures, timeouts, restarts of spouts, moves and rebalances. The
 * letters that are left are those given up minus those that a replay has completed. A letter is emitted once for each order.
 */
@ExtendWith(SilentErrors.class)
@SuppressWarnings("serial")
@Tag("one-jdk")
class ReplaySimulationTest {
    private static final int MESSAGES = 300;
    private static final int MAX_REPLAYS = 1;
    private static final int TASKS = 3;
    private static final int MOST_ROUNDS = 20_000;
    private static final long TIMEOUT_NANOS = 1_000_000_000L;

    private final Map<Object, DeadLetter> givenUp = new HashMap<>();

    /** Orders that have replayed a message, executions of its replays, and failures among these. */
    private final Map<Object, Integer> orders = new HashMap<>();

    private final Map<Object, Integer> replays = new HashMap<>();
    private final Map<Object, Integer> failures = new HashMap<>();
    private final Set<Object> completed = new HashSet<>();
    private final Set<Object> ackedToSpout = new HashSet<>();
    private final Set<Replay> seen = new HashSet<>();
    private SeededRandom chance;
    private SingleWorker worker;
    private Plan plan;
    private long next;
    private int restarts;
    private int rebalances;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldNeitherLoseNorDoubleALetter(long seed) {
        chance = new SeededRandom(seed);
        start();
        for (int step = 0; step < 1_500; step++) {
            act();
            worker.run(1);
            kept().letters().forEach(letter -> seen.add(letter.replay()));
        }
        comeToRest();
        check();
        // In the end all can be processed.
        chance = null;
        while (order(kept().requestAll()) > 0) {
            comeToRest();
        }
        check();
        assertThat(completed).isEqualTo(givenUp.keySet()).isNotEmpty();
        assertThat(seen).contains(Replay.POSSIBLE, Replay.IN_FLIGHT, Replay.FAILED_AGAIN, Replay.COMPLETED);
        assertThat(restarts).isPositive();
        assertThat(rebalances).isPositive();
    }

    private void start() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", Local.spout(Messages::new), 1).setNumTasks(TASKS);
        topology.setBolt("bolt", TestBolt.of(this::execute), 2).shuffleGrouping("spout");
        Map<String, Object> conf = Map.of(
                "updraft.loops", 2,
                "updraft.max.replays", MAX_REPLAYS,
                "topology.max.spout.pending", 5,
                "topology.message.timeout.secs", 1);
        worker = new SingleWorker(topology.createTopology(), 1, 0, 0, conf, letter -> {
            assertThat(givenUp.put(letter.messageId(), letter))
                    .as("given up twice")
                    .isNull();
        });
        plan = worker.plan();
        worker.lifecycle().activate();
    }

    private KeptDeadLetters kept() {
        return worker.assembly().shared().kept();
    }

    private void act() {
        switch (chance.weighted(60, 10, 5, 10, 4, 2, 6)) {
            case 1 -> order(kept().requestAll());
            case 2 -> orderSome();
            case 3 -> worker.pass(TIMEOUT_NANOS / 4);
            case 4 -> move();
            case 5 -> rebalance();
            case 6 -> {
                if (worker.lifecycle().isActive()) {
                    worker.lifecycle().deactivate();
                } else {
                    worker.lifecycle().activate();
                }
            }
            default -> {}
        }
    }

    private int order(List<Long> ordered) {
        Map<Long, Object> messages =
                kept().letters().stream().collect(Collectors.toMap(DeadLetter::number, DeadLetter::messageId));
        ordered.forEach(number -> orders.merge(messages.get(number), 1, Integer::sum));
        return ordered.size();
    }

    private void orderSome() {
        List<Long> numbers = kept().letters().stream().map(DeadLetter::number).toList();
        if (!numbers.isEmpty()) {
            order(kept().request(List.of(chance.pick(numbers), chance.pick(numbers))));
        }
    }

    private void move() {
        ExecutorSlot slot = chance.pick(worker.assembly().slots());
        worker.assembly().move(slot, chance.pick(worker.assembly().loops()));
    }

    private void rebalance() {
        worker.lifecycle().activate();
        int executors = plan.component("spout").executors().length % TASKS + 1;
        Plan changed = Planner.replan(plan, Map.of("spout", executors));
        ExecutorRebalance rebalance = new ExecutorRebalance(worker.assembly(), changed, Set.of("spout"));
        boolean done = false;
        for (int round = 0; !done && round < MOST_ROUNDS; round++) {
            done = rebalance.prepare(false) && rebalance.changeIfReady(false);
            worker.run(1);
        }
        assertThat(done).as("rebalanced").isTrue();
        rebalance.release();
        plan = changed;
        rebalances++;
    }

    private void comeToRest() {
        worker.lifecycle().activate();
        int quiet = 0;
        for (int round = 0; quiet < 2_000; round++) {
            assertThat(round).as("rounds until all is at rest").isLessThan(10 * MOST_ROUNDS);
            worker.run(1);
            boolean on =
                    kept().letters().stream().anyMatch(letter -> letter.replay().isOn());
            quiet = on || next < MESSAGES ? 0 : quiet + 1;
        }
    }

    private void check() {
        assertThat(worker.errors()).allMatch(error -> error.contains("thrown on purpose"));
        assertThat(kept().letters()).hasSize(givenUp.size()).allSatisfy(letter -> {
            Object message = letter.messageId();
            assertThat(letter.values()).containsExactly(message);
            assertThat(letter.task()).isEqualTo(givenUp.get(message).task());
            assertThat(letter.replay() == Replay.COMPLETED)
                    .as("completed: %s", letter)
                    .isEqualTo(completed.contains(message));
            assertThat(replays.getOrDefault(message, 0))
                    .as("emitted once an order: %s", letter)
                    .isEqualTo(orders.getOrDefault(message, 0));
            assertThat(letter.failures()).isEqualTo(MAX_REPLAYS + 1 + failures.getOrDefault(message, 0));
        });
    }

    private void execute(Tuple tuple, OutputCollector out) {
        Object message = tuple.getValue(0);
        boolean replayed = givenUp.containsKey(message);
        if (replayed) {
            assertThat(tuple.getSourceTask()).isEqualTo(givenUp.get(message).task());
            replays.merge(message, 1, Integer::sum);
        }
        int outcome = chance == null ? 0 : chance.weighted(50, 40, 10);
        if (outcome == 0) {
            out.ack(tuple);
            assertThat(!replayed || completed.add(message))
                    .as("completed twice")
                    .isTrue();
            return;
        }
        if (replayed) {
            failures.merge(message, 1, Integer::sum);
        }
        if (outcome == 1) {
            out.fail(tuple);
        } // else the message times out
    }

    /** Emits messages that all instances share, and again when they fail. Throws sometimes; its messages in flight are lost. */
    private final class Messages extends TestSpout {
        private final transient Queue<Object> again = new ArrayDeque<>();

        Messages() {
            super("v");
        }

        @Override
        public void nextTuple() {
            if (chance != null && chance.oneIn(100)) {
                restarts++;
                throw new SimException("nextTuple");
            }
            Object message = again.isEmpty() && next < MESSAGES ? (Object) next++ : again.poll();
            if (message != null) {
                out.emit(new Values(message), message);
            }
        }

        @Override
        public void ack(Object messageId) {
            assertThat(ackedToSpout.add(messageId)).as("acked once").isTrue();
        }

        @Override
        public void fail(Object messageId) {
            assertThat(givenUp).doesNotContainKey(messageId);
            again.add(messageId);
        }
    }
}
