package io.updraft.storm.component;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.CombinerAggregator;
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
 * Creates from each tuple the value that a {@link CombinerAggregator} combines. Replaces Trident's own step, but passes the
 * value with its group to a {@link CombineStep} without a tuple around it. The input may also come without a tuple.
 */
final class InitStep implements TridentProcessor {

    private static final long serialVersionUID = 1L;

    private static final int FROM_TUPLE = -1;

    private final Fields inputFields;
    private final CombinerAggregator<Object> aggregator;
    private transient TridentContext trident;
    private transient ProjectionFactory inputs;
    private transient OperationOutputFactory outputs;
    private transient TupleReceiver[] receivers;

    /** The next step, if it combines the value created here. */
    private transient CombineStep combine;

    private transient ProjectionFactory groups;

    /** The fields that the previous step adds to its tuples, if it passes its results in parts. */
    private transient Fields addedParts;

    private transient OperationOutputFactory whole;

    /** Whether the aggregator reads no field of a tuple. */
    private transient boolean inputsAreEmpty;

    /** Position of the single group field among the added fields, or {@link #FROM_TUPLE}. */
    private transient int keyIndex = FROM_TUPLE;

    InitStep(Fields inputFields, CombinerAggregator<Object> aggregator) {
        this.inputFields = inputFields;
        this.aggregator = aggregator;
    }

    /** Receives from the previous step, before {@link #prepare}, the fields of the parts for {@link #take}. */
    void comesInParts(Fields added, OperationOutputFactory whole) {
        addedParts = added;
        this.whole = whole;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, TridentContext trident) {
        Factory parent = Steps.soleParent(trident);
        this.trident = trident;
        inputs = new ProjectionFactory(parent, inputFields);
        inputsAreEmpty = inputs.getOutputFields().isEmpty();
        outputs = new OperationOutputFactory(parent, trident.getSelfOutputFields());
        receivers = trident.getReceivers().toArray(new TupleReceiver[0]);
        Fields made = trident.getSelfOutputFields();
        if (receivers.length == 1
                && receivers[0] instanceof CombineStep step
                && made.size() == 1
                && step.combines(made.get(0))) {
            combine = step;
            groups = new ProjectionFactory(parent, step.groupFields());
            findKey();
        }
    }

    private void findKey() {
        Fields group = combine.groupFields();
        keyIndex = addedParts != null && group.size() == 1 && addedParts.contains(group.get(0))
                ? addedParts.fieldIndex(group.get(0))
                : FROM_TUPLE;
    }

    /** Returns whether this step accepts tuples in parts. Valid once all steps are prepared. */
    boolean takesParts() {
        return keyIndex != FROM_TUPLE;
    }

    /** Receives a tuple in parts: the input tuple of the previous step, and the values that it adds. */
    void take(ProcessorContext batch, TridentTuple given, List<Object> added) {
        TridentTuple input = inputsAreEmpty
                ? TridentTupleView.EMPTY_TUPLE
                : inputs.create(whole.create((TridentTupleView) given, added));
        combine.add(batch, added.get(keyIndex), aggregator.init(input));
    }

    @Override
    public void execute(ProcessorContext batch, String streamId, TridentTuple tuple) {
        Object value = aggregator.init(inputs.create(tuple));
        if (combine != null) {
            combine.add(batch, CombineStep.key(groups.create(tuple)), value);
            return;
        }
        TridentTuple output = outputs.create((TridentTupleView) tuple, Arrays.asList(value));
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
    public void startBatch(ProcessorContext batch) {}

    @Override
    public void finishBatch(ProcessorContext batch) {}

    @Override
    public void cleanup() {}

    @Override
    public Factory getOutputFactory() {
        return outputs;
    }
}
