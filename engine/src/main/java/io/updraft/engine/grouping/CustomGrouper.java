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
        if (tasks == null) {
            return List.of();
        }
        for (int i = 0; i < tasks.size(); i++) {
            check(tasks.get(i));
        }
        return tasks;
    }

    /** A task that does not exist must be the emitting component's error: no loop could deliver to it. */
    private void check(Integer task) {
        if (task == null || !isTarget(task)) {
            throw new IllegalArgumentException("the custom grouping "
                    + grouping.getClass().getName() + " chose task " + task
                    + ", which is not one of the subscriber's: " + targets());
        }
    }
}
