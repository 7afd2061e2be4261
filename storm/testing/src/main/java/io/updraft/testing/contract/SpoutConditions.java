package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Runs a spout under each of the conditions. */
final class SpoutConditions {
    private static final int TURNS = 200;

    private final ComponentEnvironment stage;
    private final ViolationCollector findings;
    private final InstanceRuns runs;

    /** Whether the spout must emit failed messages again. */
    private final boolean replays;

    private interface Script {
        void play(SpoutRun run, Random random);
    }

    SpoutConditions(ComponentEnvironment stage, ViolationCollector findings, InstanceRuns runs, boolean replays) {
        this.stage = stage;
        this.findings = findings;
        this.runs = runs;
        this.replays = replays;
    }

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

    private void run(String conditions, boolean pushesBack, Script script) {
        runs.run(conditions, (guarded, random) -> {
            SpoutRun run = new SpoutRun(stage, findings, guarded, pushesBack);
            if (run.open()) {
                run.activate();
                script.play(run, random);
                run.deactivate();
                run.close();
            }
            run.end();
        });
    }
}
