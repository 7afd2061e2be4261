package io.updraft.cli.view;

import io.updraft.engine.metrics.ComponentSnapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** Names the components where tuple trees are that were still in flight when the topology ended. */
final class Unfinished {
    private static final int MOST_NAMED = 3;

    private Unfinished() {}

    /** {@return one line, or an empty string when nothing is known} */
    static String of(List<ComponentSnapshot> components) {
        String spouts = components.stream()
                .filter(component -> component.inFlight() > 0)
                .map(component -> component.id() + " " + Quantity.whole(component.inFlight()))
                .collect(Collectors.joining(", "));
        String bolts = components.stream()
                .filter(component -> !component.spout() && (left(component) > 0 || component.ownThreads() > 0))
                .sorted(Comparator.comparingLong(Unfinished::left).reversed())
                .limit(MOST_NAMED)
                .map(component -> component.id() + " (" + what(component) + ")")
                .collect(Collectors.joining(", "));
        return "  trees of " + spouts + (bolts.isEmpty() ? "" : "; tuples of them may be with " + bolts);
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
            parts.add(Quantity.whole(held(bolt)) + " executed, neither acked nor failed");
        }
        if (bolt.queued() > 0) {
            parts.add(Quantity.whole(bolt.queued()) + " waiting");
        }
        if (bolt.ownThreads() > 0) {
            parts.add("its calls block");
        }
        return String.join(", ", parts);
    }
}
