package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Source;
import io.updraft.timeseries.aggregate.Share;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;

/** Runs an {@link AggregateTask} as a bolt. An exception ends the run, since a restart would lose the open windows. */
final class AggregateBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private final String run;
    private transient RunState state;
    private transient AggregateTask task;
    private transient Share share;

    AggregateBolt(String run) {
        this.run = run;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("output", "bytes"));
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        state = RunState.of(run);
        RunPlan plan = state.plan();
        int index = context.getThisTaskIndex();
        share = state.budget().share();
        try {
            task = new AggregateTask(
                    index,
                    plan,
                    () -> share.aggregator(plan.query()),
                    state.tasks().get(index),
                    output -> emit(output, collector),
                    state.clock());
        } catch (RuntimeException | Error e) {
            state.fail(e);
        }
    }

    private void emit(Output output, OutputCollector collector) {
        long bytes = output.bytes();
        state.resultBytes().addAndGet(bytes);
        collector.emit(new Values(output, bytes));
    }

    @Override
    public void execute(Tuple tuple) {
        boolean isTick = TupleUtils.isTick(tuple);
        Input input = isTick ? null : (Input) tuple.getValue(0);
        if (task != null && state.failure() == null) {
            try {
                if (isTick) {
                    task.tick();
                    share.relieve();
                } else {
                    task.handle(input);
                }
            } catch (RuntimeException | Error e) {
                state.fail(e);
            }
        }
        if (input instanceof Input.Happened happened && happened.event() instanceof Source.Event.Records records) {
            state.bytesInFlight().addAndGet(-records.chunk().length());
        }
    }

    @Override
    public void cleanup() {
        if (task != null) {
            task.close();
        }
    }
}
