package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Chooses the targets round robin in a random order, so that each receives the same number of tuples. Skips a target with many
 * queued tuples while another has few; this is the purpose of Storm's load-aware shuffle.
 *
 * <p>Storm's shuffle also prefers the nearest tasks while they are not loaded. Here the nearest tasks are the targets on the
 * emitter's own event loop, while they are quick. They are preferred only if the targets are distributed over the loops as the
 * emitters are, so that each target still receives its share.
 */
final class ShuffleGrouper extends Grouper {

    /** The largest allowed difference between the shares of a loop. */
    private static final double EVEN_ENOUGH = 0.05;

    private static final int[] NOBODY = {};

    private final Emitter emitter;
    private final int[] order;
    private final Load load;
    private int next;

    /** The targets in the order that share the emitter's loop; empty if they are not preferred. */
    private int[] near = NOBODY;

    private int nextNear;
    private int placementSeen;

    ShuffleGrouper(int[] targets, Load load, RandomGenerator random, Emitter emitter) {
        super(targets);
        this.load = load;
        this.emitter = emitter;
        this.order = new int[targets.length];
        for (int i = 0; i < order.length; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        findNear();
    }

    @Override
    public int choose(List<Object> values) {
        if (load.placement() != placementSeen) {
            findNear();
        }
        if (near.length > 0) {
            int choice = advanceNear();
            int task = target(choice);
            if (load.isQuick(task) && !load.isOverloaded(task)) {
                return choice;
            }
        }
        int choice = advance();
        if (load.isOverloaded(target(choice))) {
            choice = leastBad(choice);
        }
        load.sent(target(choice));
        return choice;
    }

    private int leastBad(int overloaded) {
        int following = next;
        for (int i = 1; i < order.length; i++) {
            int choice = advance();
            if (!load.isOverloaded(target(choice))) {
                return choice;
            }
        }
        // All targets are overloaded. Each receives its share, instead of always the first target of the search.
        next = following;
        return overloaded;
    }

    private int advance() {
        int position = next;
        next = position + 1 == order.length ? 0 : position + 1;
        return order[position];
    }

    private int advanceNear() {
        int position = nextNear;
        nextNear = position + 1 >= near.length ? 0 : position + 1;
        return near[position];
    }

    private void findNear() {
        placementSeen = load.placement();
        nextNear = 0;
        int here = load.loopOf(emitter.task());
        int[] found = Arrays.stream(order)
                .filter(choice -> load.loopOf(target(choice)) == here)
                .toArray();
        near = found.length < order.length && isEven() ? found : NOBODY;
    }

    /** Returns whether each loop has about the same share of the targets as of the emitters. */
    private boolean isEven() {
        Map<Integer, Double> difference = new HashMap<>();
        for (int source : emitter.siblings()) {
            difference.merge(load.loopOf(source), 1.0 / emitter.siblings().length, Double::sum);
        }
        for (int i = 0; i < order.length; i++) {
            difference.merge(load.loopOf(target(i)), -1.0 / order.length, Double::sum);
        }
        return difference.values().stream().allMatch(share -> Math.abs(share) <= EVEN_ENOUGH);
    }
}
