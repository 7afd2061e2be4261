package io.updraft.engine.grouping;

import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Round robin over the targets in a random order, so that each gets the same number; passes over a target that has much
 * queued as long as another has not, which is what Storm's load-aware shuffle is for.
 */
final class ShuffleGrouper extends Grouper {

    private final int[] order;
    private final Load load;
    private int next;

    ShuffleGrouper(int[] targets, Load load, RandomGenerator random) {
        super(targets);
        this.load = load;
        this.order = new int[targets.length];
        for (int i = 0; i < order.length; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
    }

    @Override
    public int choose(List<Object> values) {
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
}
