package io.updraft.storm.trident;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.trident.operation.CombinerAggregator;
import org.apache.storm.trident.planner.ProcessorContext;
import org.apache.storm.trident.planner.TridentProcessor;
import org.apache.storm.trident.planner.processor.FreshCollector;
import org.apache.storm.trident.planner.processor.TridentContext;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.tuple.TridentTuple.Factory;
import org.apache.storm.trident.tuple.TridentTupleView.ProjectionFactory;
import org.apache.storm.tuple.Fields;

/**
 * Combines one field of a batch's tuples by group. Replaces Trident's aggregation by a {@link CombinerAggregator}, without
 * Trident's objects for each group.
 */
final class CombineStep implements TridentProcessor {

    private static final long serialVersionUID = 1L;

    private final CombinerAggregator<Object> aggregator;
    private final Fields groupFields;
    private final String valueField;
    private transient ProjectionFactory groups;
    private transient ProjectionFactory values;
    private transient FreshCollector collector;
    private transient int stateIndex;

    /** Number of groups of the last batch. */
    private transient int usual;

    CombineStep(CombinerAggregator<Object> aggregator, Fields groupFields, String valueField) {
        this.aggregator = aggregator;
        this.groupFields = groupFields;
        this.valueField = valueField;
    }

    Fields groupFields() {
        return groupFields;
    }

    /** Returns whether this step combines that field and groups by other fields. */
    boolean combines(String field) {
        return valueField.equals(field) && !groupFields.contains(field);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, TridentContext trident) {
        Factory parent = Steps.soleParent(trident);
        groups = new ProjectionFactory(parent, groupFields);
        values = new ProjectionFactory(parent, new Fields(valueField));
        collector = new FreshCollector(trident);
        stateIndex = trident.getStateIndex();
    }

    @Override
    public void startBatch(ProcessorContext batch) {
        batch.state[stateIndex] = new Combined(aggregator, usual);
    }

    @Override
    public void execute(ProcessorContext batch, String streamId, TridentTuple tuple) {
        add(batch, key(groups.create(tuple)), values.create(tuple).getValue(0));
    }

    /** Returns the key of a group: the value itself if there is one field. */
    static Object key(List<Object> group) {
        return group.size() == 1 ? group.get(0) : new GroupKey(group);
    }

    void add(ProcessorContext batch, Object key, Object value) {
        ((Combined) batch.state[stateIndex]).add(key, value);
    }

    @Override
    public void finishBatch(ProcessorContext batch) {
        Combined combined = (Combined) batch.state[stateIndex];
        usual = combined.size();
        collector.setContext(batch);
        for (int i = 0; i < combined.size(); i++) {
            collector.emit(output(combined.key(i), combined.value(i)));
        }
    }

    private List<Object> output(Object key, Object value) {
        if (groupFields.size() == 1) {
            return Arrays.asList(key, value);
        }
        List<Object> output = new ArrayList<>((GroupKey) key);
        output.add(value);
        return output;
    }

    @Override
    public void flush() {
        collector.flush();
    }

    @Override
    public void cleanup() {}

    @Override
    public Factory getOutputFactory() {
        return collector.getOutputFactory();
    }
}
