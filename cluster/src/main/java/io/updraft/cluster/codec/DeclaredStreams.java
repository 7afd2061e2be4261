package io.updraft.cluster.codec;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.tuple.Origin;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.storm.task.GeneralTopologyContext;

/** The streams declared on this connection, by number. There are at most as many as the plan has. */
final class DeclaredStreams {

    private record Stream(int task, String name) {}

    private final Plan plan;
    private final GeneralTopologyContext context;
    private final List<Origin> origins = new ArrayList<>();
    private final Set<Stream> declared = new HashSet<>();

    DeclaredStreams(Plan plan, GeneralTopologyContext context) {
        this.plan = plan;
        this.context = context;
    }

    void clear() {
        origins.clear();
        declared.clear();
    }

    int size() {
        return origins.size();
    }

    Origin get(int number) {
        return origins.get(number);
    }

    /** Gives a stream the next number. Returns false when there is no such stream, or when the stream already has a number. */
    boolean declare(int task, String stream) {
        StreamPlan known = find(task, stream);
        if (known == null || !declared.add(new Stream(task, known.streamId()))) {
            return false;
        }
        origins.add(Origin.of(plan, known, task, context));
        return true;
    }

    private StreamPlan find(int task, String stream) {
        if (task >= plan.taskToExecutor().length || plan.taskToExecutor()[task] < 0) {
            return null;
        }
        int component = plan.executors().get(plan.taskToExecutor()[task]).componentIndex();
        for (StreamPlan output : component(component).outputs()) {
            if (output.streamId().equals(stream)) {
                return output;
            }
        }
        return null;
    }

    private ComponentPlan component(int index) {
        return plan.components().get(index);
    }
}
