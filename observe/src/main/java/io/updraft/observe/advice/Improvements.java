package io.updraft.observe.advice;

import io.updraft.observe.advice.Limit.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the changes that raise the limit of a topology, one after another. */
final class Improvements {
    private static final int MAX_STEPS = 6;

    /** Limits that are nearly as used as the first are raised together with it, at most so many. */
    private static final int MOST_TOGETHER = 4;

    /** A change that gives less is not worth its name. */
    private static final double WORTH_IT = 1.05;

    /** A step makes nothing larger than so many times, since calls take longer with more threads, and a forecast from afar is less sure. */
    private static final int MOST = 3;

    /** The same for calls that wait: they need no core, so more of them hardly disturb each other. */
    private static final int MOST_WAITING = 10;

    private final TopologyLoad load;
    private final CapacityModel model;
    private final double first;
    private final List<Step> steps = new ArrayList<>();
    private Limit end;

    Improvements(TopologyLoad load, CapacityModel model) {
        this.load = load;
        this.model = model;
        this.first = model.limit(model.now()).use();
        Setup setup = model.now();
        while (steps.size() < MAX_STEPS && addStep(setup)) {
            setup = steps.get(steps.size() - 1).setup();
        }
    }

    /** {@return the changes, each in addition to those before} */
    List<Step> steps() {
        return List.copyOf(steps);
    }

    /** {@return the limit that no change raises; empty if more changes would help} */
    Optional<Limit> end() {
        return Optional.ofNullable(end);
    }

    /** Adds the change that helps most, with changes against other limits that are nearly as used and would hide its effect. */
    private boolean addStep(Setup before) {
        Setup setup = before;
        List<String> changes = new ArrayList<>();
        do {
            Limit limit = model.limit(setup);
            Optional<Step> best = best(setup, limit);
            if (best.isEmpty() || changes.size() == MOST_TOGETHER) {
                end = limit;
                return false;
            }
            changes.add(best.get().change());
            setup = best.get().setup();
        } while (model.limit(before).use() / model.limit(setup).use() < WORTH_IT);
        steps.add(step(setup, String.join(", ", changes)));
        return true;
    }

    /** Returns the change that helps most against a limit. Among equals it is the smallest. */
    private Optional<Step> best(Setup setup, Limit limit) {
        Stream<Step> steps = switch (limit.resource()) {
            case EXECUTORS -> moreExecutors(load.component(limit.component()), setup);
            case LOOPS -> againstBusyLoops(setup);
            case PENDING -> morePending(setup);
            case HOT_KEY ->
                Stream.of(step(
                        setup.withSpreadKeys(limit.component()),
                        "the keys of " + limit.component() + " spread evenly"));
            case CORES -> Stream.empty();
        };
        return steps.min(
                Comparator.comparingDouble(step -> Math.round(step.next().use() * 50)));
    }

    private Stream<Step> moreExecutors(ComponentLoad component, Setup setup) {
        int before = setup.executors().get(component.id());
        List<Step> steps = new ArrayList<>();
        for (int number = before + 1;
                number <= Math.min((component.mostlyWaits() ? MOST_WAITING : MOST) * before, component.mostExecutors());
                number++) {
            String change = component.id() + " " + before + " -> " + number + " executors";
            Step step = step(setup.with(component.id(), number), change);
            steps.add(step);
            if (!step.next().component().equals(component.id())) {
                break;
            }
        }
        return steps.stream();
    }

    private Stream<Step> againstBusyLoops(Setup setup) {
        int most = load.cores()
                + (int) attached().mapToDouble(ComponentLoad::waiting).sum();
        Stream<Step> loops = IntStream.rangeClosed(setup.loops() + 1, most)
                .mapToObj(number -> step(setup.withLoops(number), "updraft.loops " + setup.loops() + " -> " + number));
        Stream<Step> one = attached().flatMap(component -> upTo(component, setup));
        Setup all = setup;
        List<String> spread = new ArrayList<>();
        for (ComponentLoad component : attached().toList()) {
            if (setup.executors().get(component.id()) < setup.loops() && component.mostExecutors() >= setup.loops()) {
                all = all.with(component.id(), setup.loops());
                spread.add(component.id());
            }
        }
        Stream<Step> together = spread.size() > 1
                ? Stream.of(step(all, String.join(", ", spread) + " -> " + setup.loops() + " executors each"))
                : Stream.empty();
        return Stream.of(loops, one, together).flatMap(each -> each);
    }

    /** Returns the components on event loops that load them noticeably, the heaviest first. */
    private Stream<ComponentLoad> attached() {
        return load.components().stream()
                .filter(component -> !component.ownThreads() && component.busy() > 0.02)
                .sorted(Comparator.comparingDouble(component -> -component.busy()));
    }

    private Stream<Step> upTo(ComponentLoad component, Setup setup) {
        int before = setup.executors().get(component.id());
        List<Step> steps = new ArrayList<>();
        for (int number = before + 1; number <= Math.min(2 * setup.loops(), component.mostExecutors()); number++) {
            String change = component.id() + " " + before + " -> " + number + " executors";
            steps.add(step(setup.with(component.id(), number), change));
        }
        return steps.stream();
    }

    private Stream<Step> morePending(Setup setup) {
        Limit nextLimit = model.limits(setup).stream()
                .filter(limit -> limit.resource() != Resource.PENDING)
                .findFirst()
                .orElseThrow();
        double factor = Math.min(MOST, model.limit(setup).use() / nextLimit.use());
        long limit = (long) Math.ceil(setup.maxPending() * factor);
        return Stream.of(step(
                setup.withMaxPending(limit),
                "topology.max.spout.pending " + setup.maxPending() + " -> " + limit + " (all spout tasks)"));
    }

    private Step step(Setup setup, String change) {
        Limit next = model.limit(setup);
        return new Step(setup, change, first / next.use(), next);
    }
}
