package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Round robin over the targets in a random order, so that each gets the same number; passes over a target that has much
 * queued as long as another has not, which is what Storm's load-aware shuffle is for.
 *
 * <p>Storm's shuffle also keeps to the nearest tasks as long as they are not loaded. Here that means the targets on the
 * emitter's own event loop, as long as they are quick, and only if the targets are divided among the loops as the emitters
 * are, so that each still gets its share.
 */
final class ShuffleGrouper extends Grouper {

    /** By how much the shares of a loop may differ. */
    private static final double EVEN_ENOUGH = 0.05;

    private static final int[] NOBODY = {};

    private final Emitter emitter;
    private final int[] order;
    private final Load load;
    private int next;

    /** Those of the order that share the emitter's loop; nobody if there is no reason to prefer them. */
    private int[] near = NOBODY;

    private int nextNear;
    private int placementSeen;

    /**
     * Creates a grouper.
     *
     * @param targets the subscriber's tasks
     * @param load who is overloaded, and where everybody is
     * @param random the source of the order
     * @param emitter who emits
     */
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
        return load.isOverloaded(target(choice)) ? leastBad(choice) : choice;
    }

    private int leastBad(int overloaded) {
        int following = next;
        for (int i = 1; i < order.length; i++) {
            int choice = advance();
            if (!load.isOverloaded(target(choice))) {
                return choice;
            }
        }
        // All are: each gets its share, instead of always the one that the search began with.
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

    /** Whether each loop has the same share of the targets as of the emitters. */
    private boolean isEven() {
        int loops = 1;
        for (int source : emitter.siblings()) {
            loops = Math.max(loops, load.loopOf(source) + 1);
        }
        for (int i = 0; i < order.length; i++) {
            loops = Math.max(loops, load.loopOf(target(i)) + 1);
        }
        double[] difference = new double[loops];
        for (int source : emitter.siblings()) {
            difference[load.loopOf(source)] += 1.0 / emitter.siblings().length;
        }
        for (int i = 0; i < order.length; i++) {
            difference[load.loopOf(target(i))] -= 1.0 / order.length;
        }
        return Arrays.stream(difference).allMatch(d -> Math.abs(d) <= EVEN_ENOUGH);
    }
}
