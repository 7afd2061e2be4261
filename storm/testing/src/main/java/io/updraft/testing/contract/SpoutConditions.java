package io.updraft.testing.contract;

import io.updraft.testing.contract.InstanceRuns.InstanceRun;
import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;

/**
 * Runs a spout under each of the conditions.
 *
 * @param replays whether the spout must emit failed messages again
 */
record SpoutConditions(ComponentEnvironment stage, ViolationCollector findings, InstanceRuns runs, boolean replays) {
    private static final int TURNS = 200;

    void check() {
        run("every message acked at once", false, (run, random) -> {
            for (int i = 0; i < TURNS; i++) {
                run.next(1);
                run.ids().forEach(run::ack);
            }
        });
        run("messages acked late, twice and in any order", false, (run, random) -> {
            run.next(TURNS);
            List<Object> ids = run.ids();
            Collections.shuffle(ids, random);
            ids.forEach(run::ack);
            ids.forEach(run::ack);
            run.next(TURNS);
        });
        run("messages failed after they were acked, and acked after they failed", false, (run, random) -> {
            run.next(TURNS / 2);
            List<Object> ids = run.ids();
            ids.forEach(run::ack);
            ids.forEach(run::fail);
            run.next(TURNS / 2);
            ids = run.ids();
            ids.forEach(run::fail);
            ids.forEach(run::ack);
            run.next(TURNS / 2);
        });
        run("every message fails once", false, this::failAll);
        run("back-pressure at every emit", true, (run, random) -> run.next(TURNS / 4));
        run("activated and deactivated again and again", false, (run, random) -> {
            for (int i = 0; i < 5; i++) {
                run.next(3);
                run.deactivate();
                run.ids().forEach(random.nextBoolean() ? run::ack : run::fail);
                run.activate();
            }
        });
        run("closed while messages are pending, then acked", false, (run, random) -> {
            run.next(TURNS / 10);
            List<Object> ids = run.ids();
            run.deactivate();
            run.close();
            ids.forEach(run::ack);
        });
        run("closed before the first nextTuple", false, (run, random) -> {});
    }

    private void failAll(SpoutRun run, Random random) {
        run.next(TURNS / 2);
        Map<Object, List<Object>> failed = run.pending();
        List<Object> ids = new ArrayList<>(failed.keySet());
        Collections.shuffle(ids, random);
        ids.forEach(run::fail);
        for (int i = 0; i < TURNS + 2 * ids.size() && !run.pending().keySet().containsAll(ids); i++) {
            run.next(1);
        }
        if (replays && !run.isOver()) {
            ids.stream()
                    .filter(id -> !run.pending().containsKey(id))
                    .forEach(id -> findings.add(
                            Rule.REPLAYS_WHAT_FAILED,
                            "the message " + id + ", " + failed.get(id) + ", failed and was not emitted again"));
            run.pending().forEach((id, values) -> {
                if (failed.containsKey(id) && !failed.get(id).equals(values)) {
                    findings.add(
                            Rule.REPLAYS_WHAT_FAILED,
                            "the message " + id + " was " + failed.get(id) + " and was replayed as " + values);
                }
            });
        }
        run.ids().forEach(run::ack);
    }

    private void run(String conditions, boolean pushesBack, BiConsumer<SpoutRun, Random> script) {
        runs.run(conditions, (guarded, random) -> {
            SpoutRun run = new SpoutRun(stage, findings, guarded, pushesBack);
            if (run.open()) {
                run.activate();
                script.accept(run, random);
                run.deactivate();
                run.close();
            }
            run.end();
        });
    }

    /** One instance of a spout, from its creation to its end. */
    private static final class SpoutRun extends InstanceRun implements ISpoutOutputCollector {
        private static final int MAX_PER_CALL = 10_000;
        private static final int MAX_CHECKED = 100;

        private final ISpout spout;
        private final Map<Object, List<Object>> pending = new LinkedHashMap<>();
        private boolean active;
        private int inThisCall;

        SpoutRun(ComponentEnvironment stage, ViolationCollector findings, CallGuard guarded, boolean pushesBack) {
            super(stage, findings, guarded, pushesBack);
            this.spout = (ISpout) stage.instance();
        }

        boolean open() {
            return guarded.call(
                    "open", () -> spout.open(stage.conf(), stage.context(), new SpoutOutputCollector(this)));
        }

        void activate() {
            synchronized (this) {
                active = true;
            }
            guarded.call("activate", spout::activate);
        }

        void deactivate() {
            guarded.call("deactivate", spout::deactivate);
            synchronized (this) {
                active = false;
            }
        }

        void next(int times) {
            for (int i = 0; i < times; i++) {
                synchronized (this) {
                    inThisCall = 0;
                }
                guarded.call("nextTuple", spout::nextTuple);
            }
        }

        void ack(Object id) {
            forget(id);
            guarded.call("ack", () -> spout.ack(id));
        }

        void fail(Object id) {
            forget(id);
            guarded.call("fail", () -> spout.fail(id));
        }

        private synchronized void forget(Object id) {
            pending.remove(id);
        }

        void close() {
            guarded.call("close", spout::close);
        }

        /** Returns the ids of pending messages, oldest first. */
        synchronized List<Object> ids() {
            return new ArrayList<>(pending.keySet());
        }

        synchronized Map<Object, List<Object>> pending() {
            return new LinkedHashMap<>(pending);
        }

        boolean isOver() {
            return guarded.isOver();
        }

        @Override
        public List<Integer> emit(String streamId, List<Object> tuple, Object messageId) {
            emitting(streamId, tuple, messageId, false);
            return List.of();
        }

        @Override
        public void emitDirect(int taskId, String streamId, List<Object> tuple, Object messageId) {
            emitting(streamId, tuple, messageId, true);
        }

        private void emitting(String stream, List<Object> tuple, Object messageId, boolean direct) {
            if (inThisCall < MAX_CHECKED) {
                pushBack();
            }
            synchronized (this) {
                if (closed) {
                    return;
                }
                if (!active) {
                    findings.add(
                            Rule.RESTS_WHEN_INACTIVE,
                            "the tuple " + tuple + " was emitted while the spout was not active");
                }
                inThisCall++;
                if (inThisCall == MAX_PER_CALL) {
                    findings.add(
                            Rule.EMITS_LITTLE_AT_ONCE,
                            "one call of nextTuple emits at least " + MAX_PER_CALL
                                    + " tuples: acks, fails and back-pressure wait until the call returns");
                    guarded.giveUp();
                    throw new IllegalStateException("nextTuple emits too many tuples in one call");
                }
                if (stage.mayEmit(stream, tuple, direct, findings) && inThisCall <= MAX_CHECKED) {
                    values.emitted(stream, tuple);
                }
                if (messageId != null && pending.put(messageId, new ArrayList<>(tuple)) != null) {
                    findings.add(
                            Rule.DISTINCT_MESSAGE_IDS,
                            "two messages are pending with the id " + messageId + ": an ack cannot tell them apart");
                }
            }
        }

        @Override
        public synchronized long getPendingCount() {
            return pending.size();
        }

        @Override
        public void flush() {}

        /** Does nothing: a spout may report errors without violating a rule. */
        @Override
        public void reportError(Throwable error) {}
    }
}
