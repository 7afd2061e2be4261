package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Names the components with tuple trees that were still in flight when the topology ended. */
final class UnfinishedTrees {
    private static final int MAX_NAMED = 3;

    private UnfinishedTrees() {}

    /** {@return one line that names the spouts of the trees, and at most three bolts that may hold their tuples} */
    static String of(List<ComponentSnapshot> components) {
        String spouts = components.stream()
                .filter(component -> component.inFlight() > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(component.inFlight()))
                .collect(Collectors.joining(", "));
        String bolts = components.stream()
                .filter(component -> !component.spout() && (left(component) > 0 || component.ownThreads() > 0))
                .sorted(Comparator.comparingLong(UnfinishedTrees::left).reversed())
                .limit(MAX_NAMED)
                .map(component -> component.id() + " (" + what(component) + ")")
                .collect(Collectors.joining(", "));
        return "  spouts: " + spouts + (bolts.isEmpty() ? "" : "; their tuples may be in: " + bolts);
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
