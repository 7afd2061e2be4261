package io.updraft.pipeline.run;

import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.unit.TaskInput;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/** A bolt that does a task of a run. An exception ends the run, since a restart would lose what the task has in memory. */
abstract class TaskBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private transient PipelineRunState state;

    /** A call of the task. */
    interface Step {
        void run() throws SinkException, InterruptedException;
    }

    abstract void open(PipelineRunState run, int index, OutputCollector collector)
            throws SinkException, InterruptedException;

    abstract void handle(Tuple tuple) throws SinkException, InterruptedException;

    abstract void tick() throws SinkException, InterruptedException;

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // Most tasks emit nothing.
    }

    @Override
    public final void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        state = PipelineEngineStarter.stateOf(context);
        attempt(() -> open(state, context.getThisTaskIndex(), collector));
    }

    @Override
    public final void execute(Tuple tuple) {
        boolean isTick = TupleUtils.isTick(tuple);
        if (state.failure() == null) {
            try {
                if (isTick) {
                    tick();
                } else {
                    handle(tuple);
                }
            } catch (Exception | Error e) {
                fail(e);
            }
        }
        if (!isTick
                && tuple.getValue(0) instanceof TaskInput.OfUnit happened
                && happened.event() instanceof RecordSource.Event.Records records) {
            state.bytesInFlight().addAndGet(-records.chunk().length());
        }
    }

    /** Makes a call of the task, unless the run has failed. */
    final void attempt(Step step) {
        if (state.failure() == null) {
            try {
                step.run();
            } catch (Exception | Error e) {
                fail(e);
            }
        }
    }

    private void fail(Throwable why) {
        if (why instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        state.fail(why);
    }
}
