package io.updraft.cli.view;

import io.updraft.cli.view.TopologySample.ComponentRates;
import io.updraft.engine.metrics.ComponentSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the bolts that may hold the tuples of messages that are in flight. */
final class TupleHolders {
    private static final int MAX_NAMED = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Time after which a bolt should have acked something, seconds. */
    private static final double PATIENCE_SECONDS = 5;

    private TupleHolders() {}

    /** {@return one line that names the spouts of the trees, and at most three bolts that may hold their tuples} */
    static String unfinished(List<ComponentSnapshot> components) {
        String spouts = components.stream()
                .filter(component -> component.inFlight() > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(component.inFlight()))
                .collect(Collectors.joining(", "));
        String bolts = bolts(components);
        return "  spouts: " + spouts + (bolts.isEmpty() ? "" : "; their tuples may be in: " + bolts);
    }

    /** {@return at most three bolts that hold tuples, those with the most first; empty if there are none} */
    static String bolts(List<ComponentSnapshot> components) {
        return components.stream()
                .filter(component -> !component.spout() && (left(component) > 0 || component.ownThreads() > 0))
                .sorted(Comparator.comparingLong(TupleHolders::left).reversed())
                .limit(MAX_NAMED)
                .map(component -> component.id() + " (" + what(component) + ")")
                .collect(Collectors.joining(", "));
    }

    /**
     * {@return the bolts that have executed tuples but never acked or failed one, although messages are in flight; with the number
     * of tuples that they hold. A bolt with a window does so until its first window is complete}
     */
    static String neverAcked(TopologySample sample) {
        boolean tracked =
                sample.now().inFlightTrees() > 0 && sample.now().uptimeNanos() / NANOS_PER_SECOND >= PATIENCE_SECONDS;
        return sample.components().stream()
                .map(ComponentRates::now)
                .filter(bolt -> tracked && !bolt.spout() && bolt.acked() + bolt.failed() == 0 && bolt.executed() > 0)
                .filter(bolt -> bolt.ownThreads() == 0)
                .map(bolt -> bolt.id() + " holds " + QuantityFormat.count(bolt.executed()))
                .collect(Collectors.joining(", "));
    }

    private static long left(ComponentSnapshot bolt) {
        return held(bolt) + bolt.queued();
    }

    private static long held(ComponentSnapshot bolt) {
        return Math.max(0, bolt.executed() - bolt.acked() - bolt.failed());
    }

    private static String what(ComponentSnapshot bolt) {
        List<String> parts = new ArrayList<>();
        if (held(bolt) > 0) {
            parts.add(QuantityFormat.whole(held(bolt)) + " executed, neither acked nor failed");
        }
        if (bolt.queued() > 0) {
            parts.add(QuantityFormat.whole(bolt.queued()) + " queued");
        }
        if (bolt.ownThreads() > 0) {
            parts.add("calls block");
        }
        return String.join(", ", parts);
    }
}
