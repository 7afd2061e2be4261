package io.updraft.engine.tuple;

import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** What a component reads of a tuple: its values and where it comes from. */
public abstract class OriginTuple implements Tuple {

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
    public final int size() {
        return values.size();
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
    public final String getString(int i) {
        return (String) values.get(i);
    }

    @Override
    public final Integer getInteger(int i) {
        return (Integer) values.get(i);
    }

    @Override
    public final Long getLong(int i) {
        return (Long) values.get(i);
    }

    @Override
    public final Boolean getBoolean(int i) {
        return (Boolean) values.get(i);
    }

    @Override
    public final Short getShort(int i) {
        return (Short) values.get(i);
    }

    @Override
    public final Byte getByte(int i) {
        return (Byte) values.get(i);
    }

    @Override
    public final Double getDouble(int i) {
        return (Double) values.get(i);
    }

    @Override
    public final Float getFloat(int i) {
        return (Float) values.get(i);
    }

    @Override
    public final byte[] getBinary(int i) {
        return (byte[]) values.get(i);
    }

    @Override
    public final Object getValueByField(String field) {
        return values.get(fieldIndex(field));
    }

    @Override
    public final String getStringByField(String field) {
        return (String) getValueByField(field);
    }

    @Override
    public final Integer getIntegerByField(String field) {
        return (Integer) getValueByField(field);
    }

    @Override
    public final Long getLongByField(String field) {
        return (Long) getValueByField(field);
    }

    @Override
    public final Boolean getBooleanByField(String field) {
        return (Boolean) getValueByField(field);
    }

    @Override
    public final Short getShortByField(String field) {
        return (Short) getValueByField(field);
    }

    @Override
    public final Byte getByteByField(String field) {
        return (Byte) getValueByField(field);
    }

    @Override
    public final Double getDoubleByField(String field) {
        return (Double) getValueByField(field);
    }

    @Override
    public final Float getFloatByField(String field) {
        return (Float) getValueByField(field);
    }

    @Override
    public final byte[] getBinaryByField(String field) {
        return (byte[]) getValueByField(field);
    }

    @Override
    public final List<Object> getValues() {
        return values;
    }
}
