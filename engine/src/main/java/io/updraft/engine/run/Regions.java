package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Divides the components into regions. Two components are in the same region if and only if each can be reached from the other.
 * The regions are the strongly connected components of the graph (R. Tarjan, "Depth-first search and linear graph algorithms",
 * 1972).
 *
 * <p>Back-pressure is passed from region to region and never within one. The graph of regions has no cycle, so one region is
 * always free of back-pressure, and a cyclic topology cannot deadlock.
 */
final class Regions {

    private final List<int[]> successors;
    private final int[] order;
    private final int[] low;
    private final int[] region;
    private final Deque<Integer> stack = new ArrayDeque<>();
    private int nextOrder = 1;
    private int regions;

    private Regions(List<int[]> successors) {
        this.successors = successors;
        int n = successors.size();
        order = new int[n];
        low = new int[n];
        region = new int[n];
        Arrays.fill(region, -1);
        for (int v = 0; v < n; v++) {
            if (order[v] == 0) {
                visit(v);
            }
        }
    }

    /**
     * {@return its regions}
     *
     * @param plan the plan
     */
    public static Regions of(Plan plan) {
        Map<String, Integer> indexes = new HashMap<>();
        plan.components().forEach(c -> indexes.put(c.id(), c.index()));
        List<int[]> successors = new ArrayList<>();
        for (ComponentPlan component : plan.components()) {
            successors.add(component.outputs().stream()
                    .flatMap(s -> s.subscriptions().stream())
                    .mapToInt(s -> indexes.get(s.targetComponentId()))
                    .distinct()
                    .toArray());
        }
        return new Regions(successors);
    }

    /** {@return the number of regions} */
    public int count() {
        return regions;
    }

    /**
     * Returns the region of a component. A region has a greater number than the regions to which it sends tuples.
     *
     * @param component its index in the plan
     * @return its region
     */
    public int regionOf(int component) {
        return region[component];
    }

    /**
     * Returns the regions whose congestion holds back a component.
     *
     * @param component its index in the plan
     * @return the other regions to which it sends tuples
     */
    public int[] downstreamOf(int component) {
        return Arrays.stream(successors.get(component))
                .map(successor -> region[successor])
                .filter(r -> r != region[component])
                .distinct()
                .toArray();
    }

    private void visit(int v) {
        order[v] = nextOrder;
        low[v] = nextOrder++;
        stack.push(v);
        for (int w : successors.get(v)) {
            if (order[w] == 0) {
                visit(w);
                low[v] = Math.min(low[v], low[w]);
            } else if (region[w] < 0) {
                low[v] = Math.min(low[v], order[w]);
            }
        }
        if (low[v] == order[v]) {
            int member;
            do {
                member = stack.pop();
                region[member] = regions;
            } while (member != v);
            regions++;
        }
    }
}
