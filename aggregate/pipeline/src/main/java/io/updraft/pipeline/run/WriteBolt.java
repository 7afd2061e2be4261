package io.updraft.pipeline.run;

import io.updraft.pipeline.sink.SinkException;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/** Runs a {@link WriteTask} as a bolt. It may block; then the engine moves it to its own thread. */
final class WriteBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private final String run;
    private transient RunState state;
    private transient WriteTask task;

    WriteBolt(String run) {
        this.run = run;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // A write task emits nothing.
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        state = RunState.of(run);
        task = new WriteTask(
                state.plan(),
                state::commit,
                state.clock(),
                new Retries(state.stop(), state.plan().giveUp(), state.written()::retried),
                state.written());
        attempt(() -> {
            task.open();
            state.kept().complete(task.readKept());
        });
    }

    @Override
    public void execute(Tuple tuple) {
        if (state.failure() != null) {
            return;
        }
        if (TupleUtils.isTick(tuple)) {
            attempt(task::tick);
        } else {
            attempt(() -> task.handle((Output) tuple.getValue(0)));
            state.resultBytes().addAndGet(-tuple.getLong(1));
        }
        if (task.isEnded()) {
            state.complete();
        }
    }

    private interface Step {
        void run() throws SinkException, InterruptedException;
    }

    private void attempt(Step step) {
        try {
            step.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            state.fail(e);
        } catch (SinkException | RuntimeException | Error e) {
            state.fail(e);
        }
    }

    /** Writes complete results at the end of a run that was stopped; after a failure nothing is written. */
    @Override
    public void cleanup() {
        if (state.failure() == null) {
            attempt(task::flush);
        }
        task.close();
    }
}
