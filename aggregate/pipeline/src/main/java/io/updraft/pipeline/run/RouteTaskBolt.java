package io.updraft.pipeline.run;

import io.updraft.pipeline.plan.RoutingPlan;
import io.updraft.pipeline.retry.SinkRetries;
import io.updraft.pipeline.retry.StopRequest;
import io.updraft.pipeline.routing.RouteTask;
import io.updraft.pipeline.unit.TaskInput;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/** Runs a {@link RouteTask} as a bolt. It blocks while the router is full; then the engine moves it to its own thread. */
final class RouteTaskBolt extends TaskBolt {

    private static final long serialVersionUID = 1;

    private transient PipelineRunState state;
    private transient RouteTask task;
    private transient long stoppingSince;

    @Override
    void open(PipelineRunState run, int index, OutputCollector collector) {
        state = run;
        task = new RouteTask(
                index,
                (RoutingPlan) run.plan(),
                run.tasks().get(index),
                run,
                run.clock(),
                new SinkRetries(run.stop(), run.plan().settings().giveUp(), () -> {}),
                this::isGivenUp);
        // A route has no sinks that store positions.
        run.storedPositions().complete(null);
    }

    private boolean isGivenUp() {
        if (!state.stop().isRequested()) {
            return false;
        }
        long now = System.nanoTime();
        stoppingSince = stoppingSince == 0 ? now : stoppingSince;
        return state.failure() != null || now - stoppingSince > StopRequest.MAX_WITHOUT_PROGRESS.toNanos();
    }

    @Override
    void handle(Tuple tuple) {
        TaskInput input = (TaskInput) tuple.getValue(0);
        task.handle(input);
        if (input instanceof TaskInput.SourceEnded) {
            state.taskEnded();
        }
    }

    @Override
    void tick() {
        task.tick();
    }
}
