package io.updraft.bench.child;

import io.updraft.bench.spec.RunCounts;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchQuery;
import io.updraft.bench.topology.BenchRunState;
import io.updraft.bench.topology.BenchTopology;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Stops the spouts, waits until no message is in flight, then checks that all messages arrived. Gives up when the counts stop
 * changing or after the limit; messages missing then are lost.
 */
final class RunDrain {

    private static final Duration LIMIT = Duration.ofSeconds(150);
    private static final Duration SETTLED = Duration.ofMillis(200);
    private static final Duration STALLED = Duration.ofSeconds(5);
    /** Twice Storm's default message timeout (30 s) and a margin; a tuple tree whose acks were lost has failed by then. */
    private static final Duration STALLED_WITH_TIMEOUTS = Duration.ofSeconds(65);

    private final BenchTopology topology;
    private final Shape shape;
    private final RunSite site;
    private final ProgressClock pace;
    private RunCounts last;
    private long lastChange;

    RunDrain(BenchTopology topology, Shape shape, RunSite site, ProgressClock pace) {
        this.topology = topology;
        this.shape = shape;
        this.site = site;
        this.pace = pace;
    }

    /**
     * The end of a run.
     *
     * @param problems the problems found; empty if there are none
     */
    record Outcome(List<String> problems, BenchRunState state) {}

    Outcome drain() throws InterruptedException {
        site.ask(BenchQuery.QUIET);
        pace.await("DRAINING", LIMIT, this::isOver);
        BenchRunState counted = site.ask(BenchQuery.COUNTS);
        List<String> missing = topology.missing(shape, counted);
        if (!missing.isEmpty()) {
            return new Outcome(withFailures(missing, counted), counted);
        }
        BenchRunState all = site.ask(BenchQuery.ALL);
        return new Outcome(topology.wrong(shape, all), all);
    }

    /** Adds the number of failed messages to the problems. Failed messages are accounted for, but may explain missing ones. */
    private List<String> withFailures(List<String> missing, BenchRunState counted) {
        long failed = topology.counts(shape, counted).failed();
        return failed == 0
                ? missing
                : Stream.concat(missing.stream(), Stream.of(String.format("%,d messages failed", failed)))
                        .toList();
    }

    /**
     * Returns true if no message is missing and the counts have been stable for 200 ms, or if the counts have been stable for
     * so long that missing messages will not arrive.
     */
    private boolean isOver() {
        BenchRunState state = site.ask(BenchQuery.COUNTS);
        RunCounts now = topology.counts(shape, state);
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
