package io.updraft.testing.contract;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.storm.tuple.Tuple;

/** Runs a bolt under each of the conditions. */
final class BoltConditions {
    private final ComponentEnvironment stage;
    private final ViolationCollector findings;
    private final InstanceRuns runs;
    private final List<Input> inputs;

    /** Whether the bolt may hold tuples at the end of the input. */
    private final boolean holds;

    /** An input tuple, with its source. */
    record Input(String source, String stream, List<Object> values) {}

    private interface Script {
        void play(BoltRun run, Random random);
    }

    BoltConditions(
            ComponentEnvironment stage,
            ViolationCollector findings,
            InstanceRuns runs,
            List<Input> inputs,
            boolean holds) {
        this.stage = stage;
        this.findings = findings;
        this.runs = runs;
        this.inputs = inputs;
        this.holds = holds;
    }

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

    private void run(String conditions, boolean pushesBack, boolean whole, Script script) {
        runs.run(conditions, (guarded, random) -> {
            BoltRun run = new BoltRun(stage, findings, guarded, pushesBack);
            if (run.prepare()) {
                script.play(run, random);
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
}
