package io.updraft.pipeline.run;

import io.updraft.pipeline.aggregation.AggregateTask;
import io.updraft.pipeline.plan.AggregationPlan;
import io.updraft.pipeline.unit.TaskInput;
import io.updraft.timeseries.aggregate.BudgetShare;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** Runs an {@link AggregateTask} as a bolt. */
final class AggregateTaskBolt extends TaskBolt {

    private static final long serialVersionUID = 1;

    private transient AggregateTask task;
    private transient BudgetShare share;

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("output", "bytes"));
    }

    @Override
    void open(PipelineRunState run, int index, OutputCollector collector) {
        AggregationPlan plan = (AggregationPlan) run.plan();
        share = run.budget().share();
        task = new AggregateTask(
                index,
                plan,
                () -> share.aggregator(plan.query()),
                run.tasks().get(index),
                output -> {
                    long bytes = output.bytes();
                    run.resultBytes().addAndGet(bytes);
                    collector.emit(new Values(output, bytes));
                },
                run.clock());
    }

    @Override
    void handle(Tuple tuple) {
        task.handle((TaskInput) tuple.getValue(0));
    }

    @Override
    void tick() {
        task.tick();
        share.relieve();
    }

    @Override
    public void cleanup() {
        if (task != null) {
            task.close();
        }
    }
}
