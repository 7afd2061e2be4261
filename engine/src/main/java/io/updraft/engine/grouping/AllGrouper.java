package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Chooses all targets. */
final class AllGrouper extends Grouper {

    private final List<Integer> all;

    AllGrouper(int[] targets) {
        super(targets);
        all = Arrays.stream(targets).boxed().collect(Collectors.toUnmodifiableList());
    }

    @Override
    public int choose(List<Object> values) {
        return MANY;
    }

    @Override
    public List<Integer> chooseMany(List<Object> values) {
        return all;
    }
}
