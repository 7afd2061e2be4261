package io.updraft.observe.advice;

import io.updraft.observe.advice.Limit.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the changes that raise the limit of a topology, one after another. */
final class Improvements {
    private static final int MAX_STEPS = 3;

    /** A change that gives less is not worth its name. */
    private static final double WORTH_IT = 1.05;

    /** A step makes nothing larger than so many times, since calls take longer with more threads, and a forecast from afar is less sure. */
    private static final int MOST = 3;

    private final TopologyLoad load;
    private final CapacityModel model;

    Improvements(TopologyLoad load, CapacityModel model) {
        this.load = load;
        this.model = model;
    }

    /** {@return the changes, each in addition to those before} */
    List<Step> steps() {
        List<Step> steps = new ArrayList<>();
        double first = model.limit(model.now()).use();
        Setup setup = model.now();
        while (steps.size() < MAX_STEPS) {
            Limit limit = model.limit(setup);
            Optional<Step> step = best(setup, limit, first);
            if (step.isEmpty() || limit.use() / step.get().next().use() < WORTH_IT) {
                break;
            }
            steps.add(step.get());
            setup = step.get().setup();
        }
        return steps;
    }

    /** Returns the change that helps most against a limit. Among equals it is the smallest. */
    private Optional<Step> best(Setup setup, Limit limit, double first) {
        Stream<Step> steps = switch (limit.resource()) {
            case EXECUTORS -> moreExecutors(load.component(limit.component()), setup, first);
            case LOOPS -> againstBusyLoops(setup, first);
            case PENDING -> morePending(setup, first);
            case CORES, HOT_KEY -> Stream.empty();
        };
        return steps.min(
                Comparator.comparingDouble(step -> Math.round(step.next().use() * 50)));
    }

    private Stream<Step> moreExecutors(ComponentLoad component, Setup setup, double first) {
        int before = setup.executors().get(component.id());
        List<Step> steps = new ArrayList<>();
        for (int number = before + 1; number <= Math.min(MOST * before, component.mostExecutors()); number++) {
            String change = component.id() + " " + before + " -> " + number + " executors";
            Step step = step(setup.with(component.id(), number), change, first);
            steps.add(step);
            if (!step.next().component().equals(component.id())) {
                break;
            }
        }
        return steps.stream();
    }

    private Stream<Step> againstBusyLoops(Setup setup, double first) {
        Stream<Step> loops = setup.loops() < load.cores()
                ? Stream.of(step(
                        setup.withLoops(load.cores()), "updraft.loops " + setup.loops() + " -> " + load.cores(), first))
                : Stream.empty();
        Stream<Step> one = attached().flatMap(component -> upTo(component, setup, first));
        Setup all = setup;
        List<String> spread = new ArrayList<>();
        for (ComponentLoad component : attached().toList()) {
            if (setup.executors().get(component.id()) < setup.loops() && component.mostExecutors() >= setup.loops()) {
                all = all.with(component.id(), setup.loops());
                spread.add(component.id());
            }
        }
        Stream<Step> together = spread.size() > 1
                ? Stream.of(step(all, String.join(", ", spread) + " -> " + setup.loops() + " executors each", first))
                : Stream.empty();
        return Stream.of(loops, one, together).flatMap(each -> each);
    }

    /** Returns the components on event loops that load them noticeably, the heaviest first. */
    private Stream<ComponentLoad> attached() {
        return load.components().stream()
                .filter(component -> !component.ownThreads() && component.busy() > 0.02)
                .sorted(Comparator.comparingDouble(component -> -component.busy()));
    }

    private Stream<Step> upTo(ComponentLoad component, Setup setup, double first) {
        int before = setup.executors().get(component.id());
        List<Step> steps = new ArrayList<>();
        for (int number = before + 1; number <= Math.min(2 * setup.loops(), component.mostExecutors()); number++) {
            String change = component.id() + " " + before + " -> " + number + " executors";
            steps.add(step(setup.with(component.id(), number), change, first));
        }
        return steps.stream();
    }

    private Stream<Step> morePending(Setup setup, double first) {
        Limit others = model.limits(setup).stream()
                .filter(limit -> limit.resource() != Resource.PENDING)
                .findFirst()
                .orElseThrow();
        double factor = Math.min(MOST, model.limit(setup).use() / others.use());
        long limit = (long) Math.ceil(setup.maxPending() * factor);
        return Stream.of(step(
                setup.withMaxPending(limit),
                "topology.max.spout.pending " + setup.maxPending() + " -> " + limit + " (all spout tasks)",
                first));
    }

    private Step step(Setup setup, String change, double first) {
        Limit next = model.limit(setup);
        return new Step(setup, change, first / next.use(), next);
    }
}
