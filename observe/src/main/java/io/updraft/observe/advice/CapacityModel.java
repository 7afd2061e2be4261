package io.updraft.observe.advice;

import io.updraft.observe.advice.Limit.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Computes how much of each resource a topology would use at its present rate of messages with another setup. The throughput
 * that a setup allows is the present one divided by the largest use.
 *
 * <p>These are the asymptotic bounds of operational analysis: P. J. Denning, J. P. Buzen, "The Operational Analysis of Queueing
 * Network Models", Computing Surveys 10 (1978). They need only busy times and counts, and hold for any distribution of service
 * times. They assume that a call takes as long as before, so they are too high where threads contend for locks, caches or
 * memory.
 */
final class CapacityModel {
    /** Executors with cheaper calls stay on the loop of their input; see {@code LoopBalancer}. */
    private static final double WORTH_A_CROSSING_NANOS = 300;

    /** From this share of the limit on, the limit of tuple trees in flight holds back the spouts. */
    private static final double FULL = 0.9;

    private final TopologyLoad load;
    private final Setup now;

    CapacityModel(TopologyLoad load) {
        this.load = load;
        this.now = Setup.of(load);
    }

    Setup now() {
        return now;
    }

    /** {@return the resource that limits the topology} */
    Limit limit(Setup setup) {
        return limits(setup).get(0);
    }

    /** {@return the resources, the most used first} */
    List<Limit> limits(Setup setup) {
        List<Limit> limits = new ArrayList<>();
        for (ComponentLoad component : load.components()) {
            limits.add(executors(component, setup));
        }
        limits.add(new Limit(Resource.LOOPS, "", loops(setup)));
        limits.add(new Limit(Resource.CORES, "", load.cpu() / load.cores()));
        if (isPendingFull()) {
            limits.add(new Limit(Resource.PENDING, "", pending(setup)));
        }
        // The executors come first: if a component has a loop for itself, both are equally busy.
        limits.sort(Comparator.comparingDouble((Limit limit) -> -rank(limit)));
        return limits;
    }

    private static double rank(Limit limit) {
        return limit.use() * (limit.resource() == Resource.LOOPS ? 0.93 : 1);
    }

    private static Limit executors(ComponentLoad component, Setup setup) {
        int number = setup.executors().get(component.id());
        if (setup.spread().contains(component.id())) {
            return new Limit(Resource.EXECUTORS, component.id(), component.busy() / number);
        }
        double use = component.busiestOf(number);
        boolean hot = component.heaviestKey() > 0 && component.busy() * component.heaviestKey() > 0.9 * use;
        return new Limit(hot ? Resource.HOT_KEY : Resource.EXECUTORS, component.id(), use);
    }

    /** Returns the share of the busiest loop. What was measured counts; the model only says what a change makes of it. */
    private double loops(Setup setup) {
        if (setup.equals(now)) {
            return load.busiestLoop();
        }
        double modelled = busiestLoop(now);
        return modelled == 0 ? 0 : load.busiestLoop() * busiestLoop(setup) / modelled;
    }

    /** Places the executors on loops, the heaviest first, each on the least busy loop. Cheap components stay together. */
    private double busiestLoop(Setup setup) {
        List<Double> parts = new ArrayList<>();
        double together = 0;
        double attached = TopologyLoad.attached(load.components());
        for (ComponentLoad component : load.components()) {
            if (component.ownThreads()) {
                continue;
            }
            int number = setup.executors().get(component.id());
            double share = attached > 0 ? component.busy() * (1 + load.overhead() / attached) : 0;
            if (number < setup.loops() && component.callNanos() < WORTH_A_CROSSING_NANOS) {
                together += share;
            } else {
                for (int i = 0; i < number; i++) {
                    parts.add(share / number);
                }
            }
        }
        parts.add(together);
        parts.sort(Comparator.reverseOrder());
        double[] busy = new double[setup.loops()];
        parts.forEach(part -> busy[leastBusy(busy)] += part);
        double most = 0;
        for (double each : busy) {
            most = Math.max(most, each);
        }
        return most;
    }

    private static int leastBusy(double[] loops) {
        int least = 0;
        for (int i = 1; i < loops.length; i++) {
            if (loops[i] < loops[least]) {
                least = i;
            }
        }
        return least;
    }

    /** Returns whether about as many tuple trees are in flight as may be. */
    boolean isPendingFull() {
        return load.maxPending() > 0 && load.inFlight() >= FULL * load.maxPending();
    }

    /**
     * Returns the share of the allowed tuple trees that must be in flight. By Little's law that is the rate times the time that
     * a tree needs at least, which is the longest path through the topology without waiting.
     */
    private double pending(Setup setup) {
        double seconds = load.components().stream()
                .filter(ComponentLoad::spout)
                .mapToDouble(spout -> longestPath(spout.id(), setup, new HashSet<>()))
                .max()
                .orElse(0);
        return load.messages() * seconds / setup.maxPending();
    }

    private double longestPath(String component, Setup setup, Set<String> passed) {
        if (!passed.add(component)) {
            return 0; // The streams have a cycle.
        }
        double longest = 0;
        for (String target : load.targets().getOrDefault(component, List.of())) {
            longest = Math.max(longest, serviceTime(target, setup) + longestPath(target, setup, passed));
        }
        passed.remove(component);
        return longest;
    }

    /** Returns the time for the tuples of one message; they are processed side by side on several executors. */
    private double serviceTime(String component, Setup setup) {
        return load.components().stream()
                .filter(each -> each.id().equals(component) && load.messages() > 0)
                .mapToDouble(each -> {
                    double calls = each.calls() / load.messages();
                    double rounds = Math.max(
                            Math.min(1, calls), calls / setup.executors().get(component));
                    return each.callNanos() / 1e9 * rounds;
                })
                .sum();
    }
}
