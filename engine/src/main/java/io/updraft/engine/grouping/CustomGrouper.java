package io.updraft.engine.grouping;

import java.util.List;
import org.apache.storm.grouping.CustomStreamGrouping;

/** Chooses the targets by a custom grouping of the user. */
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

    /**
     * Refuses a task that is not a target. The exception counts as an error of the emitting component; no loop could deliver
     * the tuple.
     */
    private void check(Integer task) {
        if (task == null || !isTarget(task)) {
            throw new IllegalArgumentException("the custom grouping "
                    + grouping.getClass().getName() + " chose task " + task
                    + ", which is not a task of the subscribing component: " + targets());
        }
    }
}
