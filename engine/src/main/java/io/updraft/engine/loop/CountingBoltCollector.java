package io.updraft.engine.loop;

import io.updraft.engine.tuple.EngineTuple;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** What a bolt with several inputs is given: it counts acks and fails by stream. Bolts with one do not pay for it. */
final class CountingBoltCollector extends BoltCollector {

    CountingBoltCollector(BoltExecutor executor, OutStreams out, TopologyContext context, int taskId) {
        super(executor, out, context, taskId);
    }

    @Override
    public void ack(Tuple input) {
        if (!isOutside() && input instanceof EngineTuple tuple) {
            executor().inputs.acked(tuple);
        }
        super.ack(input);
    }

    @Override
    public void fail(Tuple input) {
        if (!isOutside() && input instanceof EngineTuple tuple) {
            executor().inputs.failed(tuple);
        }
        super.fail(input);
    }
}
