package io.updraft.engine.run;

import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.task.WorkerTopologyContext;

/** A grouping of the user's own: none of the tasks, one, the same one twice, or all. */
@SuppressWarnings("serial")
final class SimGrouping implements CustomStreamGrouping {
    @SuppressWarnings("serial") // set by prepare, after it was sent
    private List<Integer> targets;

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        targets = targetTasks;
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        int number = ((SimSent) values.get(1)).number;
        Integer one = targets.get(number / 4 % targets.size());
        return switch (number % 4) {
            case 0 -> null;
            case 1 -> List.of(one);
            case 2 -> List.of(one, one);
            default -> targets;
        };
    }
}
