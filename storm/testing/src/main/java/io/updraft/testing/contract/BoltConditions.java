package io.updraft.testing.contract;

import io.updraft.testing.contract.InstanceRuns.InstanceRun;
import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/**
 * Runs a bolt under each of the conditions.
 *
 * @param holds whether the bolt may hold tuples at the end of the input
 */
record BoltConditions(
        ComponentEnvironment stage, ViolationCollector findings, InstanceRuns runs, List<Input> inputs, boolean holds) {

    record Input(String source, String stream, List<Object> values) {}

    void check() {
        run("tuples in order, then ticks", false, true, (run, random) -> {
            inputs.forEach(input -> run.execute(tuple(input)));
            ticks(run, 3);
        });
        run("ticks at odd times", false, true, (run, random) -> {
            ticks(run, 2);
            inputs.forEach(input -> {
                run.execute(tuple(input));
                ticks(run, random.nextInt(3));
            });
            ticks(run, 3);
        });
        run("tuples replayed and in any order", false, true, (run, random) -> {
            List<Input> twice = new ArrayList<>(inputs);
            twice.addAll(inputs);
            Collections.shuffle(twice, random);
            twice.forEach(input -> run.execute(tuple(input)));
            ticks(run, 3);
        });
        run("back-pressure at every emit", true, true, (run, random) -> {
            inputs.forEach(input -> run.execute(tuple(input)));
            ticks(run, 3);
        });
        run("closed before the first tuple", false, false, (run, random) -> {});
        run(
                "closed half way",
                false,
                false,
                (run, random) ->
                        inputs.stream().limit((inputs.size() + 1) / 2).forEach(input -> run.execute(tuple(input))));
        run("closed twice", false, false, (run, random) -> run.cleanup());
    }

    private void run(String conditions, boolean pushesBack, boolean whole, BiConsumer<BoltRun, Random> script) {
        runs.run(conditions, (guarded, random) -> {
            BoltRun run = new BoltRun(stage, findings, guarded, pushesBack);
            if (run.prepare()) {
                script.accept(run, random);
                run.cleanup();
                if (whole && !holds && !guarded.isOver()) {
                    run.expectAllEnded();
                }
            }
            run.end();
        });
    }

    private Tuple tuple(Input input) {
        return stage.tuple(input.source(), input.stream(), new ArrayList<>(input.values()));
    }

    private void ticks(BoltRun run, int number) {
        for (int i = 0; i < number; i++) {
            run.execute(stage.tick());
        }
    }

    /** One instance of a bolt, from its creation to its end. Emits and acks may come from threads that the bolt has started. */
    private static final class BoltRun extends InstanceRun implements IOutputCollector {
        private final IBolt bolt;

        /** Tuples passed to the bolt that it has neither acked nor failed. Acked and failed tuples are in {@code ended}. */
        private final Set<Tuple> open = Collections.newSetFromMap(new IdentityHashMap<>());

        private final Map<Tuple, String> ended = new IdentityHashMap<>();

        BoltRun(ComponentEnvironment stage, ViolationCollector findings, CallGuard guarded, boolean pushesBack) {
            super(stage, findings, guarded, pushesBack);
            this.bolt = (IBolt) stage.instance();
        }

        boolean prepare() {
            return guarded.call(
                    "prepare", () -> bolt.prepare(stage.conf(), stage.context(), new OutputCollector(this)));
        }

        void execute(Tuple tuple) {
            byte[] before;
            synchronized (this) {
                before = values.bytesOf("the input", tuple.getValues());
                open.add(tuple);
            }
            String subject = tuple.getSourceStreamId().equals("__tick")
                    ? "execute of a tick"
                    : "execute of " + tuple.getValues();
            guarded.call(subject, () -> bolt.execute(tuple));
            synchronized (this) {
                byte[] after = values.bytesOf("the input", tuple.getValues());
                if (before != null && after != null && !Arrays.equals(before, after)) {
                    findings.add(
                            Rule.LEAVES_INPUT_ALONE,
                            subject + " changes the values of its tuple: copy values before changing them");
                }
            }
        }

        void cleanup() {
            guarded.call("cleanup", bolt::cleanup);
        }

        /** Reports tuples that were neither acked nor failed. Ticks need not be acked, because no tree depends on them. */
        synchronized void expectAllEnded() {
            open.stream()
                    .filter(tuple -> !tuple.getSourceStreamId().equals("__tick"))
                    .forEach(tuple -> findings.add(
                            Rule.ENDS_EVERY_TUPLE,
                            "the tuple " + tuple.getValues() + " is neither acked nor failed, after "
                                    + "ticks and cleanup: its tree times out and is replayed again and again"));
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            emitting(streamId, anchors, tuple, false);
            return List.of();
        }

        @Override
        public void emitDirect(int taskId, String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            emitting(streamId, anchors, tuple, true);
        }

        private void emitting(String stream, Collection<Tuple> anchors, List<Object> tuple, boolean direct) {
            pushBack();
            synchronized (this) {
                if (closed) {
                    return;
                }
                if (stage.mayEmit(stream, tuple, direct, findings)) {
                    values.emitted(stream, tuple);
                }
                if (anchors != null) {
                    anchors.forEach(this::checkAnchor);
                }
            }
        }

        private void checkAnchor(Tuple anchor) {
            if (ended.containsKey(anchor)) {
                findings.add(
                        Rule.ANCHORS_TO_LIVING_TUPLES,
                        "a tuple is anchored to " + anchor.getValues() + ", which was " + ended.get(anchor)
                                + " before: if the new tuple is lost, it is not replayed");
            }
        }

        @Override
        public void ack(Tuple input) {
            end(input, "acked");
        }

        @Override
        public void fail(Tuple input) {
            end(input, "failed");
        }

        private synchronized void end(Tuple tuple, String how) {
            if (closed) {
                return;
            }
            if (!open.remove(tuple)) {
                findings.add(
                        Rule.ENDS_A_TUPLE_ONCE,
                        "the tuple " + tuple.getValues() + " is " + how + ", but it was "
                                + ended.getOrDefault(tuple, "never passed to the bolt") + " before");
            }
            ended.put(tuple, how);
        }

        @Override
        public void resetTimeout(Tuple input) {}

        @Override
        public void flush() {}

        /** Does nothing: a bolt may report errors without violating a rule. */
        @Override
        public void reportError(Throwable error) {}
    }
}
