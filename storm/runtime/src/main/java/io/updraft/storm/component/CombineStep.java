package io.updraft.storm.component;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    /**
     * The results of a {@link CombinerAggregator} by group of a batch: a hash table with linear probing, whose entries are stored
     * in the order of insertion. A group allocates only its value.
     *
     * <p>Used by one thread.
     */
    static final class Combined {

        private static final int FIRST_ENTRIES = 16;

        private final CombinerAggregator<Object> aggregator;
        private Object[] keys;
        private Object[] values;
        private int[] hashes;

        /** Indexes of entries plus one, by hash; 0 for a free slot. Twice as many as entries, a power of two. */
        private int[] slots;

        private int size;

        Combined(CombinerAggregator<Object> aggregator, int expected) {
            this.aggregator = aggregator;
            int entries = Integer.highestOneBit(Math.max(FIRST_ENTRIES, expected) - 1) << 1;
            keys = new Object[entries];
            values = new Object[entries];
            hashes = new int[entries];
            slots = new int[2 * entries];
        }

        void add(Object key, Object value) {
            int hash = spread(Objects.hashCode(key));
            int mask = slots.length - 1;
            int slot = hash & mask;
            for (int entry; (entry = slots[slot]) != 0; slot = (slot + 1) & mask) {
                int at = entry - 1;
                if (hashes[at] == hash && isSame(keys[at], key)) {
                    values[at] = combine(values[at], value);
                    return;
                }
            }
            append(slot, hash, key, combine(aggregator.zero(), value));
        }

        private static boolean isSame(Object key, Object other) {
            return key == other || key != null && key.equals(other);
        }

        /** Combines two values. As in Trident, a null sum means that there is no value yet. */
        private Object combine(Object sum, Object value) {
            return sum == null ? value : aggregator.combine(sum, value);
        }

        private void append(int slot, int hash, Object key, Object value) {
            if (size == keys.length) {
                grow();
                append(freeSlot(hash), hash, key, value);
                return;
            }
            keys[size] = key;
            values[size] = value;
            hashes[size] = hash;
            slots[slot] = ++size;
        }

        private void grow() {
            int entries = 2 * keys.length;
            keys = Arrays.copyOf(keys, entries);
            values = Arrays.copyOf(values, entries);
            hashes = Arrays.copyOf(hashes, entries);
            slots = new int[2 * entries];
            for (int i = 0; i < size; i++) {
                slots[freeSlot(hashes[i])] = i + 1;
            }
        }

        private int freeSlot(int hash) {
            int mask = slots.length - 1;
            int slot = hash & mask;
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            return slot;
        }

        private static int spread(int hash) {
            int mixed = hash * 0x9E3779B9;
            return mixed ^ mixed >>> 16;
        }

        int size() {
            return size;
        }

        Object key(int index) {
            return keys[index];
        }

        Object value(int index) {
            return values[index];
        }
    }

    /** The values of a group, with the hash computed once. Equal to any list of the same values. */
    static final class GroupKey extends AbstractList<Object> {

        private final Object[] values;
        private final int hash;

        GroupKey(List<Object> view) {
            values = new Object[view.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = view.get(i);
            }
            hash = Arrays.hashCode(values);
        }

        @Override
        public Object get(int index) {
            return values[index];
        }

        @Override
        public int size() {
            return values.length;
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof GroupKey key
                    ? hash == key.hash && Arrays.equals(values, key.values)
                    : super.equals(other);
        }
    }
}
