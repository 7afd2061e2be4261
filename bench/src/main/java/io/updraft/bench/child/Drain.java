package io.updraft.bench.child;

import io.updraft.bench.spec.Counts;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.Counter;
import io.updraft.bench.topology.RunState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Waits, after the spouts were asked to be quiet, until nothing is in flight, then checks what arrived. Gives up when
 * nothing moves any more or when the limit is reached: what is missing then is lost.
 */
final class Drain {

    private static final Duration DEACTIVATION_LIMIT = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration SETTLED = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(5);

    private final BenchTopology topology;
    private final Shape shape;
    private final RunState state;
    private final Pace pace;
    private Counts last;
    private long lastChange;

    Drain(BenchTopology topology, Shape shape, RunState state, Pace pace) {
        this.topology = topology;
        this.shape = shape;
        this.state = state;
        this.pace = pace;
    }

    /** {@return what did not add up; empty when all is well} */
    List<String> problems() throws InterruptedException {
        List<String> problems = new ArrayList<>();
        if (!pace.await("DRAINING", DEACTIVATION_LIMIT, this::spoutsAreQuiet)) {
            problems.add("spouts were not deactivated within " + DEACTIVATION_LIMIT.toSeconds() + " s");
        }
        pace.await("DRAINING", LIMIT, this::isOver);
        problems.addAll(topology.missing(shape, state));
        if (problems.isEmpty()) {
            problems.addAll(topology.wrong(shape, state));
        }
        return problems;
    }

    private boolean spoutsAreQuiet() {
        return state.sum(BenchTopology.SPOUT, Counter.IDLE) == state.tasks(BenchTopology.SPOUT);
    }

    /** Over is: complete, and nothing more has come for a moment; or incomplete, and nothing has come for long. */
    private boolean isOver() {
        Counts now = topology.counts(shape, state);
        if (!now.equals(last)) {
            last = now;
            lastChange = System.nanoTime();
        }
        long quiet = System.nanoTime() - lastChange;
        return quiet >= STALLED.toNanos()
                || quiet >= SETTLED.toNanos() && topology.missing(shape, state).isEmpty();
    }
}
