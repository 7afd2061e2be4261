package io.updraft.engine.tuple;

import org.apache.storm.tuple.Tuple;

/** The typed getters of a tuple, which cast its values. */
public abstract class TypedTuple implements Tuple {

    @Override
    public final int size() {
        return getValues().size();
    }

    @Override
    public final String getString(int i) {
        return (String) getValue(i);
    }

    @Override
    public final Integer getInteger(int i) {
        return (Integer) getValue(i);
    }

    @Override
    public final Long getLong(int i) {
        return (Long) getValue(i);
    }

    @Override
    public final Boolean getBoolean(int i) {
        return (Boolean) getValue(i);
    }

    @Override
    public final Short getShort(int i) {
        return (Short) getValue(i);
    }

    @Override
    public final Byte getByte(int i) {
        return (Byte) getValue(i);
    }

    @Override
    public final Double getDouble(int i) {
        return (Double) getValue(i);
    }

    @Override
    public final Float getFloat(int i) {
        return (Float) getValue(i);
    }

    @Override
    public final byte[] getBinary(int i) {
        return (byte[]) getValue(i);
    }

    @Override
    public final Object getValueByField(String field) {
        return getValue(fieldIndex(field));
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
}
