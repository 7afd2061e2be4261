package io.updraft.engine.emit;

import io.updraft.engine.tuple.EngineTuple;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** The collector of a bolt with several inputs. Counts acks and fails by stream. Bolts with one input do not need it. */
public final class CountingBoltCollector extends BoltCollector {

    public CountingBoltCollector(EmitContext executor, OutStreams out, TopologyContext context, int taskId) {
        super(executor, out, context, taskId);
    }

    @Override
    public void ack(Tuple input) {
        if (!isOutside() && input instanceof EngineTuple tuple) {
            inputs().acked(tuple);
        }
        super.ack(input);
    }

    @Override
    public void fail(Tuple input) {
        if (!isOutside() && input instanceof EngineTuple tuple) {
            inputs().failed(tuple);
        }
        super.fail(input);
    }
}
