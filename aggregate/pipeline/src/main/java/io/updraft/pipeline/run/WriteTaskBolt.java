package io.updraft.pipeline.run;

import io.updraft.pipeline.aggregation.AggregateOutput;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.plan.AggregationPlan;
import io.updraft.pipeline.retry.SinkRetries;
import io.updraft.pipeline.writing.WriteTask;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/** Runs a {@link WriteTask} as a bolt. It may block; then the engine moves it to its own thread. */
final class WriteTaskBolt extends TaskBolt {

    private static final long serialVersionUID = 1;

    private transient PipelineRunState state;
    private transient WriteTask task;

    @Override
    void open(PipelineRunState run, int index, OutputCollector collector) throws SinkException, InterruptedException {
        state = run;
        task = new WriteTask(
                (AggregationPlan) run.plan(),
                run::commit,
                run.clock(),
                new SinkRetries(run.stop(), run.plan().settings().giveUp(), run.written()::retried),
                run.written());
        task.open();
        run.storedPositions().complete(task.readStoredPositions());
    }

    @Override
    void handle(Tuple tuple) throws SinkException, InterruptedException {
        task.handle((AggregateOutput) tuple.getValue(0));
        state.resultBytes().addAndGet(-tuple.getLong(1));
        if (task.isEnded()) {
            state.complete();
        }
    }

    @Override
    void tick() throws SinkException, InterruptedException {
        task.tick();
    }

    /** Writes complete results at the end of a run that was stopped; after a failure nothing is written. */
    @Override
    public void cleanup() {
        if (task != null) {
            attempt(task::flush);
            task.close();
        }
    }
}
