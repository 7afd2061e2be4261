package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.SinkException;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;

/** Runs a {@link WriteTask} as a bolt. It may block; then the engine moves it to its own thread. */
final class WriteBolt extends RunBolt {

    private static final long serialVersionUID = 1;

    private transient RunState state;
    private transient WriteTask task;

    @Override
    void open(RunState run, int index, OutputCollector collector) throws SinkException, InterruptedException {
        state = run;
        task = new WriteTask(
                (AggregationPlan) run.plan(),
                run::commit,
                run.clock(),
                new Retries(run.stop(), run.plan().settings().giveUp(), run.written()::retried),
                run.written());
        task.open();
        run.kept().complete(task.readKept());
    }

    @Override
    void handle(Tuple tuple) throws SinkException, InterruptedException {
        task.handle((Output) tuple.getValue(0));
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
