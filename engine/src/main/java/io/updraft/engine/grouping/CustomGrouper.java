package io.updraft.engine.grouping;

import java.util.List;
import org.apache.storm.grouping.CustomStreamGrouping;

/** The user's own choice. */
final class CustomGrouper extends Grouper {

    private final CustomStreamGrouping grouping;
    private final int sourceTask;

    CustomGrouper(int[] targets, CustomStreamGrouping grouping, int sourceTask) {
        super(targets);
        this.grouping = grouping;
        this.sourceTask = sourceTask;
    }

    @Override
    public int choose(List<Object> values) {
        return MANY;
    }

    @Override
    public List<Integer> chooseMany(List<Object> values) {
        List<Integer> tasks = grouping.chooseTasks(sourceTask, values);
        return tasks == null ? List.of() : tasks;
    }
}
