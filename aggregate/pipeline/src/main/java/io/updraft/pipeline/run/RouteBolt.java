package io.updraft.pipeline.run;

import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/** Runs a {@link RouteTask} as a bolt. It blocks while the router is full; then the engine moves it to its own thread. */
final class RouteBolt extends RunBolt {

    private static final long serialVersionUID = 1;

    private transient RunState state;
    private transient RouteTask task;
    private transient long stoppingSince;

    @Override
    void open(RunState run, int index, OutputCollector collector) {
        state = run;
        task = new RouteTask(
                index,
                (RoutingPlan) run.plan(),
                run.tasks().get(index),
                run,
                run.clock(),
                new Retries(run.stop(), run.plan().settings().giveUp(), () -> {}),
                this::isGivenUp);
        // A route has no sinks that store positions.
        run.kept().complete(null);
    }

    private boolean isGivenUp() {
        if (!state.stop().isRequested()) {
            return false;
        }
        long now = System.nanoTime();
        stoppingSince = stoppingSince == 0 ? now : stoppingSince;
        return state.failure() != null || now - stoppingSince > Stop.PATIENCE.toNanos();
    }

    @Override
    void handle(Tuple tuple) {
        Input input = (Input) tuple.getValue(0);
        task.handle(input);
        if (input instanceof Input.SourceEnded) {
            state.taskEnded();
        }
    }

    @Override
    void tick() {
        task.tick();
    }
}
