package io.updraft.engine.grouping;

import java.util.List;

/** Always the first task: the global grouping, and any grouping with a single target. */
final class SingleGrouper extends Grouper {

    SingleGrouper(int[] targets) {
        super(targets);
    }

    @Override
    public int choose(List<Object> values) {
        return 0;
    }

    @Override
    public int always() {
        return 0;
    }
}
