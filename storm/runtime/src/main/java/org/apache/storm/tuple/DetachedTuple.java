package org.apache.storm.tuple;

import io.updraft.engine.tuple.TypedTuple;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;

/**
 * A copy of a tuple that keeps the tuple's source, fields and values, and needs no topology. It can therefore be a value of
 * another tuple, in this worker or another one. Windows emit late tuples in this form.
 *
 * <p>Two copies are equal if their sources, fields and values are.
 */
public final class DetachedTuple extends TypedTuple implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The id of the emitting component. */
    private String component;

    private int task;
    private String stream;

    /** The names of the values, which {@link Fields} would also index. */
    private ArrayList<String> names;

    private ArrayList<Object> values;

    /**
     * Copies a tuple. The values are passed by reference.
     *
     * @param tuple a tuple that has its topology
     */
    public DetachedTuple(Tuple tuple) {
        component = tuple.getSourceComponent();
        task = tuple.getSourceTask();
        stream = tuple.getSourceStreamId();
        names = new ArrayList<>(tuple.getFields().toList());
        values = new ArrayList<>(tuple.getValues());
    }

    /** For Kryo, which sets the fields. */
    @SuppressWarnings("unused")
    private DetachedTuple() {}

    /** {@inheritDoc} A copy has no trees. */
    @Override
    public MessageId getMessageId() {
        return MessageId.makeUnanchored();
    }

    /** {@inheritDoc} Not available: always throws. */
    @Override
    public GeneralTopologyContext getContext() {
        throw new UnsupportedOperationException("a detached tuple has no context");
    }

    @Override
    public GlobalStreamId getSourceGlobalStreamId() {
        return new GlobalStreamId(component, stream);
    }

    @Override
    public String getSourceComponent() {
        return component;
    }

    @Override
    public int getSourceTask() {
        return task;
    }

    @Override
    public String getSourceStreamId() {
        return stream;
    }

    @Override
    public Fields getFields() {
        return new Fields(names);
    }

    @Override
    public boolean contains(String field) {
        return names.contains(field);
    }

    @Override
    public int fieldIndex(String field) {
        int index = names.indexOf(field);
        return index < 0 ? getFields().fieldIndex(field) : index; // Storm's exception names the fields
    }

    @Override
    public List<Object> select(Fields selector) {
        return getFields().select(selector, values);
    }

    @Override
    public List<Object> getValues() {
        return values;
    }

    @Override
    public Object getValue(int i) {
        return values.get(i);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DetachedTuple copy && copy.content().equals(content());
    }

    @Override
    public int hashCode() {
        return content().hashCode();
    }

    private List<Object> content() {
        return List.of(component, task, stream, names, values);
    }

    @Override
    public String toString() {
        return "source: " + component + ":" + task + ", stream: " + stream + ", " + names + " = " + values;
    }
}
