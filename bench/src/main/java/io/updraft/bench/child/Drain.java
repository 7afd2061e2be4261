package io.updraft.bench.child;

import io.updraft.bench.spec.Counts;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.Question;
import io.updraft.bench.topology.RunState;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Asks the spouts to be quiet, waits until nothing is in flight, then checks what arrived. Gives up when nothing moves
 * any more or when the limit is reached: what is missing then is lost.
 */
final class Drain {

    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final Duration SETTLED = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(5);
    /** Twice Storm's default message timeout, after which a tree whose acks were lost has failed. */
    private static final Duration STALLED_WITH_TIMEOUTS = Duration.ofSeconds(65);

    private final BenchTopology topology;
    private final Shape shape;
    private final Site site;
    private final Pace pace;
    private Counts last;
    private long lastChange;

    Drain(BenchTopology topology, Shape shape, Site site, Pace pace) {
        this.topology = topology;
        this.shape = shape;
        this.site = site;
        this.pace = pace;
    }

    /**
     * How a run ended.
     *
     * @param problems what did not add up; empty when all is well
     * @param state what was counted in the end
     */
    record Outcome(List<String> problems, RunState state) {}

    Outcome drain() throws InterruptedException {
        site.ask(Question.QUIET);
        pace.await("DRAINING", LIMIT, this::isOver);
        RunState counted = site.ask(Question.COUNTS);
        List<String> missing = topology.missing(shape, counted);
        if (!missing.isEmpty()) {
            return new Outcome(withFailures(missing, counted), counted);
        }
        RunState all = site.ask(Question.ALL);
        return new Outcome(topology.wrong(shape, all), all);
    }

    /** A message that failed is accounted for; where messages are missing it tells why. */
    private List<String> withFailures(List<String> missing, RunState counted) {
        long failed = topology.counts(shape, counted).failed();
        return failed == 0
                ? missing
                : Stream.concat(missing.stream(), Stream.of(String.format("%,d messages failed", failed)))
                        .toList();
    }

    /** Over is: complete, and nothing more has come for a moment; or incomplete, and nothing has come for long. */
    private boolean isOver() {
        RunState state = site.ask(Question.COUNTS);
        Counts now = topology.counts(shape, state);
        if (!now.equals(last)) {
            last = now;
            lastChange = System.nanoTime();
        }
        long quiet = System.nanoTime() - lastChange;
        Duration stalled = shape.acked() ? STALLED_WITH_TIMEOUTS : STALLED;
        return quiet >= stalled.toNanos()
                || quiet >= SETTLED.toNanos() && topology.missing(shape, state).isEmpty();
    }
}
