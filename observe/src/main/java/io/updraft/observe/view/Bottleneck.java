package io.updraft.observe.view;

import io.updraft.engine.metrics.EdgeSnapshot;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The bottleneck of a topology, found from the counters.
 *
 * <p>The bottleneck is the component that causes back-pressure upstream and is not throttled itself. Without back-pressure, it is
 * the busiest component, if that component or all event loops are near their limit.
 *
 * @param componentId the component
 * @param verdict the reason, in one line
 */
public record Bottleneck(String componentId, String verdict) {
    private static final double NEARLY_BUSY = 0.9;

    public static Optional<Bottleneck> of(TopologySample sample) {
        List<ComponentRates> components = sample.components();
        return backPressuring(sample, components)
                .or(() -> busyComponent(components))
                .or(() -> busyCores(sample, components));
    }

    private static Optional<Bottleneck> backPressuring(TopologySample sample, List<ComponentRates> components) {
        return components.stream()
                .filter(component -> component.now().backPressured())
                .max(Comparator.comparing(
                                (ComponentRates component) -> !component.now().throttled())
                        .thenComparing(ComponentRates::capacity))
                .map(component -> new Bottleneck(component.id(), backPressureVerdict(sample, component)));
    }

    private static String backPressureVerdict(TopologySample sample, ComponentRates component) {
        return component.id() + ": " + QuantityFormat.percent(component.capacity()) + " busy, holds back "
                + heldBack(sample, component.id()) + ", "
                + QuantityFormat.count(component.now().queued()) + " queued"
                + (coresAreBusy(sample) ? ", no idle loop" : "");
    }

    private static String heldBack(TopologySample sample, String componentId) {
        String upstream = sample.now().edges().stream()
                .filter(edge -> edge.backPressured() && edge.to().equals(componentId))
                .map(EdgeSnapshot::from)
                .distinct()
                .collect(Collectors.joining(", "));
        return upstream.isEmpty() ? "its input" : upstream;
    }

    private static Optional<Bottleneck> busyComponent(List<ComponentRates> components) {
        return components.stream()
                .filter(component -> component.capacity() >= NEARLY_BUSY)
                .max(Comparator.comparing(ComponentRates::capacity))
                .map(component -> new Bottleneck(
                        component.id(),
                        component.id() + ": " + QuantityFormat.percent(component.capacity()) + " busy in "
                                + (component.now().spout() ? "nextTuple" : "execute")));
    }

    private static Optional<Bottleneck> busyCores(TopologySample sample, List<ComponentRates> components) {
        if (!coresAreBusy(sample)) {
            return Optional.empty();
        }
        return components.stream()
                .max(Comparator.comparing(
                        component -> component.capacity() * component.now().executors()))
                .map(component ->
                        new Bottleneck(component.id(), "no idle loop, most of the time goes to " + component.id()));
    }

    private static boolean coresAreBusy(TopologySample sample) {
        double[] busy = sample.loopBusy();
        return busy.length > 0 && Arrays.stream(busy).allMatch(loop -> loop >= NEARLY_BUSY);
    }
}
