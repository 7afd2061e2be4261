package io.updraft.engine.tuple;

import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;

/** What a component reads of a tuple: its values and where it comes from. */
public abstract class OriginTuple extends TypedTuple {

    /** The values, passed by reference. */
    final List<Object> values;

    /** The emitting stream and task. */
    final Origin origin;

    OriginTuple(Origin origin, List<Object> values) {
        this.origin = origin;
        this.values = values;
    }

    /** {@return the emitting stream and task} */
    public final Origin origin() {
        return origin;
    }

    @Override
    public final GlobalStreamId getSourceGlobalStreamId() {
        return origin.globalStreamId();
    }

    @Override
    public final String getSourceComponent() {
        return origin.componentId();
    }

    @Override
    public final int getSourceTask() {
        return origin.taskId();
    }

    @Override
    public final String getSourceStreamId() {
        return origin.streamId();
    }

    @Override
    public final GeneralTopologyContext getContext() {
        return origin.context();
    }

    @Override
    public final boolean contains(String field) {
        return origin.fields().contains(field);
    }

    @Override
    public final Fields getFields() {
        return origin.fields();
    }

    @Override
    public final int fieldIndex(String field) {
        return origin.fields().fieldIndex(field);
    }

    @Override
    public final List<Object> select(Fields selector) {
        return origin.fields().select(selector, values);
    }

    @Override
    public final Object getValue(int i) {
        return values.get(i);
    }

    @Override
    public final List<Object> getValues() {
        return values;
    }
}
