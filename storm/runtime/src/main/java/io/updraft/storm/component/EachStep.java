package io.updraft.storm.component;

import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.Function;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.TridentOperationContext;
import org.apache.storm.trident.planner.ProcessorContext;
import org.apache.storm.trident.planner.TridentProcessor;
import org.apache.storm.trident.planner.TupleReceiver;
import org.apache.storm.trident.planner.processor.TridentContext;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.tuple.TridentTuple.Factory;
import org.apache.storm.trident.tuple.TridentTupleView;
import org.apache.storm.trident.tuple.TridentTupleView.OperationOutputFactory;
import org.apache.storm.trident.tuple.TridentTupleView.ProjectionFactory;
import org.apache.storm.tuple.Fields;

/**
 * Calls a function for each tuple. Replaces Trident's own step, but creates no tuple for emitted values when the next step
 * needs none.
 */
final class EachStep implements TridentProcessor, TridentCollector {

    private static final long serialVersionUID = 1L;

    private final Fields inputFields;
    private final Function function;
    private transient TridentContext trident;
    private transient ProjectionFactory inputs;
    private transient OperationOutputFactory outputs;
    private transient TupleReceiver[] receivers;

    /** The next step, if it accepts emitted values without a tuple. */
    private transient InitStep next;

    private transient ProcessorContext batch;
    private transient TridentTuple tuple;

    EachStep(Fields inputFields, Function function) {
        this.inputFields = inputFields;
        this.function = function;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, TridentContext trident) {
        Factory parent = Steps.soleParent(trident);
        this.trident = trident;
        inputs = new ProjectionFactory(parent, inputFields);
        outputs = new OperationOutputFactory(parent, trident.getSelfOutputFields());
        receivers = trident.getReceivers().toArray(new TupleReceiver[0]);
        if (receivers.length == 1 && receivers[0] instanceof InitStep step) {
            next = step;
            next.comesInParts(trident.getSelfOutputFields(), outputs);
        }
        function.prepare(conf, new TridentOperationContext(context, inputs));
    }

    @Override
    public void execute(ProcessorContext batch, String streamId, TridentTuple tuple) {
        this.batch = batch;
        this.tuple = tuple;
        function.execute(inputs.create(tuple), this);
    }

    @Override
    public void emit(List<Object> values) {
        if (next != null && next.takesParts()) {
            next.take(batch, tuple, values);
            return;
        }
        TridentTuple output = outputs.create((TridentTupleView) tuple, values);
        for (TupleReceiver receiver : receivers) {
            receiver.execute(batch, trident.getOutStreamId(), output);
        }
    }

    @Override
    public void flush() {
        for (TupleReceiver receiver : receivers) {
            receiver.flush();
        }
    }

    @Override
    public void reportError(Throwable error) {
        trident.getDelegateCollector().reportError(error);
    }

    @Override
    public void startBatch(ProcessorContext batch) {}

    @Override
    public void finishBatch(ProcessorContext batch) {}

    @Override
    public void cleanup() {
        function.cleanup();
    }

    @Override
    public Factory getOutputFactory() {
        return outputs;
    }
}
