package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.storm.utils.Utils;

/**
 * The bottleneck of a topology, found from the counters.
 *
 * <p>The bottleneck is the most used server of the queueing network: a component with an executor that has hardly any idle time.
 * Where none is that busy, a component that exerts back-pressure, or what it waits for downstream, holds the topology back, since
 * its executors get no turns; without back-pressure, the component that takes most of the time of event loops without idle time.
 *
 * @param componentId the component
 * @param verdict the reason, in one line
 */
public record Bottleneck(String componentId, String verdict) {
    private static final double NEARLY_BUSY = 0.9;

    /** From this ratio on, the busiest executor is worth telling apart from the average. */
    private static final double UNEVEN = 1.25;

    /** From this share on, calls are said to wait. */
    private static final double WAITING = 0.5;

    /** Finds the component that limits a topology. */
    public static Optional<Bottleneck> of(TopologySample sample) {
        List<ComponentRates> components = sample.components().stream()
                .filter(component ->
                        !Utils.isSystemId(component.id()) && !component.id().startsWith("$"))
                .filter(component -> !isStuck(component, sample))
                .toList();
        return busyComponent(components)
                .or(() -> backPressuring(sample, components))
                .map(component -> new Bottleneck(component.id(), component.id() + ": " + verdict(sample, component)))
                .or(() -> busyCores(sample, components));
    }

    /** A component with a call that does not return has another trouble than too much work. */
    private static boolean isStuck(ComponentRates component, TopologySample sample) {
        return sample.now().calls().stream().anyMatch(call -> call.component().equals(component.id()));
    }

    private static Optional<ComponentRates> busyComponent(List<ComponentRates> components) {
        return components.stream()
                .filter(component -> component.busiest() >= NEARLY_BUSY && !paces(component))
                .max(mostLimiting());
    }

    /** A spout that sleeps, or waits for its source, in nextTuple has no more to emit: that is its pace, not a limit. */
    private static boolean paces(ComponentRates component) {
        return component.now().spout() && component.waits() >= WAITING;
    }

    private static Comparator<ComponentRates> mostLimiting() {
        return Comparator.comparing(
                        (ComponentRates component) -> !component.now().throttled())
                .thenComparing(component -> component.now().backPressured())
                .thenComparing(ComponentRates::busiest);
    }

    /** Returns a component with a long queue, or the busiest one downstream of it if that is busier, since it holds it back. */
    private static Optional<ComponentRates> backPressuring(TopologySample sample, List<ComponentRates> components) {
        return components.stream()
                .filter(component -> component.now().backPressured())
                .max(mostLimiting())
                .map(jammed -> {
                    Set<String> downstream = FlowOrder.downstream(sample.now(), jammed.id());
                    return components.stream()
                            .filter(component -> downstream.contains(component.id()))
                            .filter(component -> component.busiest() > jammed.busiest())
                            .max(Comparator.comparing(ComponentRates::busiest))
                            .orElse(jammed);
                });
    }

    private static String verdict(TopologySample sample, ComponentRates component) {
        String heldBack = heldBack(sample, component);
        return busy(component)
                + (heldBack.isEmpty()
                        ? " in " + (component.now().spout() ? "nextTuple" : "execute")
                        : ", holds back " + heldBack + ", "
                                + QuantityFormat.count(component.now().queued()) + " queued")
                + (coresAreBusy(sample) ? ", no idle loop" : "");
    }

    private static String busy(ComponentRates component) {
        String busy = component.waits() >= WAITING ? " of its time in calls that wait" : " busy";
        String all = QuantityFormat.percent(Math.min(1, component.capacity()));
        return component.busiest() > UNEVEN * component.capacity()
                        && component.now().executors() > 1
                ? "one executor " + QuantityFormat.percent(component.busiest()) + busy + ", all " + all
                : all + busy;
    }

    /** Returns who is held back. The queue of a bottleneck swings about its mark, so a sample may meet it below. */
    private static String heldBack(TopologySample sample, ComponentRates component) {
        String now = upstream(sample, component, EdgeSnapshot::backPressured);
        if (!now.isEmpty() || component.now().queued() == 0) {
            return now.isEmpty() && component.now().backPressured() ? "its input" : now;
        }
        Set<String> waiting = sample.now().components().stream()
                .filter(each -> each.backPressured() || each.throttled())
                .map(ComponentSnapshot::id)
                .collect(Collectors.toSet());
        String swinging = upstream(sample, component, edge -> waiting.contains(edge.from()));
        return swinging.isEmpty() && component.now().backPressured() ? "its input" : swinging;
    }

    private static String upstream(TopologySample sample, ComponentRates component, Predicate<EdgeSnapshot> filter) {
        return sample.now().edges().stream()
                .filter(edge -> edge.to().equals(component.id()) && filter.test(edge))
                .map(EdgeSnapshot::from)
                .distinct()
                .collect(Collectors.joining(", "));
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
