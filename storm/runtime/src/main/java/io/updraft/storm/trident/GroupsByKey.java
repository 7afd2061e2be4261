package io.updraft.storm.trident;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.trident.operation.Aggregator;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.TridentOperationContext;
import org.apache.storm.trident.operation.impl.GroupCollector;
import org.apache.storm.trident.operation.impl.GroupedAggregator;
import org.apache.storm.trident.tuple.ComboList;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.trident.tuple.TridentTupleView;
import org.apache.storm.trident.tuple.TridentTupleView.ProjectionFactory;
import org.apache.storm.tuple.Fields;

/**
 * Replaces Trident's {@link GroupedAggregator}. The key of a group is a separate list that computes its hash once. Trident
 * looks up a view of the tuple, twice for each tuple.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class GroupsByKey implements Aggregator<Object[]> {

    private static final long serialVersionUID = 1L;

    private final Aggregator aggregator;
    private final Fields groupFields;
    private final Fields inputFields;
    private final ComboList.Factory outputs;
    private transient ProjectionFactory groups;
    private transient ProjectionFactory inputs;

    private GroupsByKey(Aggregator aggregator, Fields groupFields, Fields inputFields, ComboList.Factory outputs) {
        this.aggregator = aggregator;
        this.groupFields = groupFields;
        this.inputFields = inputFields;
        this.outputs = outputs;
    }

    /** Creates an aggregator that does the same as Trident's. */
    static GroupsByKey of(GroupedAggregator tridents) throws ReflectiveOperationException {
        return new GroupsByKey(
                (Aggregator) get(tridents, "agg"),
                (Fields) get(tridents, "groupFields"),
                (Fields) get(tridents, "inFields"),
                (ComboList.Factory) get(tridents, "fact"));
    }

    private static Object get(GroupedAggregator from, String field) throws ReflectiveOperationException {
        return Steps.get(from, GroupedAggregator.class, field);
    }

    @Override
    public void prepare(Map<String, Object> conf, TridentOperationContext context) {
        inputs = context.makeProjectionFactory(inputFields);
        groups = context.makeProjectionFactory(groupFields);
        aggregator.prepare(conf, new TridentOperationContext(context, inputs));
    }

    @Override
    public Object[] init(Object batchId, TridentCollector collector) {
        return new Object[] {new GroupCollector(collector, outputs), new HashMap<GroupKey, Object[]>(), batchId};
    }

    @Override
    public void aggregate(Object[] batch, TridentTuple tuple, TridentCollector collector) {
        GroupCollector out = (GroupCollector) batch[0];
        Map<GroupKey, Object[]> all = (Map<GroupKey, Object[]>) batch[1];
        GroupKey key = new GroupKey(groups.create((TridentTupleView) tuple));
        Object[] group = all.get(key);
        if (group == null) {
            group = new Object[] {aggregator.init(batch[2], out), key};
            all.put(key, group);
        }
        out.currGroup = (GroupKey) group[1];
        aggregator.aggregate(group[0], inputs.create((TridentTupleView) tuple), out);
    }

    @Override
    public void complete(Object[] batch, TridentCollector collector) {
        GroupCollector out = (GroupCollector) batch[0];
        ((Map<GroupKey, Object[]>) batch[1]).forEach((key, group) -> {
            out.currGroup = key;
            aggregator.complete(group[0], out);
        });
    }

    @Override
    public void cleanup() {
        aggregator.cleanup();
    }
}
