package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The failures of user code of a topology.
 *
 * @param name the topology
 * @param ended whether the topology has ended
 * @param counts the number of failures of each component that has some
 * @param newest the newest ones, the oldest first; those that differ only in task and time are one
 */
public record ErrorsView(String name, boolean ended, Map<String, Long> counts, List<ErrorView> newest) {
    /** {@return the failures of a topology of a run} */
    public static ErrorsView of(TopologySample sample) {
        Map<String, Long> counts = new LinkedHashMap<>();
        for (ComponentSnapshot component : FlowOrder.of(sample.now())) {
            if (component.errors() > 0) {
                counts.put(component.id(), component.errors());
            }
        }
        return new ErrorsView(
                sample.name(),
                sample.state().equals("ended"),
                counts,
                ErrorGroup.of(sample.now().recentErrors()).stream()
                        .map(group -> ErrorView.of(group, false))
                        .toList());
    }
}
