package io.updraft.engine.grouping;

import java.util.List;
import java.util.random.RandomGenerator;

/** Chooses a random target for each tuple, as Storm does for the grouping "none". */
final class NoneGrouper extends Grouper {

    private final RandomGenerator random;

    NoneGrouper(int[] targets, RandomGenerator random) {
        super(targets);
        this.random = random;
    }

    @Override
    public int choose(List<Object> values) {
        return random.nextInt(targetCount());
    }
}
