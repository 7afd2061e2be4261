package io.updraft.timeseries.bolt;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** Fills a row from tuples. The position of each field in a stream's tuples is looked up once. One thread only. */
final class TupleRows {

    /**
     * An input stream of the bolt.
     *
     * @param indexes the index in its tuples of the value of each slot
     */
    private record Input(String component, String stream, int[] indexes) {}

    private final Schema.Field[] fields;
    private final FieldType[] types;
    private final List<Input> inputs = new ArrayList<>();
    private Input last;

    TupleRows(Schema schema, TopologyContext context) {
        fields = schema.fields().toArray(Schema.Field[]::new);
        types = schema.fields().stream().map(Schema.Field::type).toArray(FieldType[]::new);
        for (GlobalStreamId source : context.getThisSources().keySet()) {
            Fields declared = context.getComponentOutputFields(source);
            inputs.add(new Input(source.get_componentId(), source.get_streamId(), indexes(source, declared)));
        }
        last = inputs.get(0);
    }

    private int[] indexes(GlobalStreamId source, Fields declared) {
        int[] indexes = new int[fields.length];
        for (int slot = 0; slot < indexes.length; slot++) {
            if (!declared.contains(fields[slot].name())) {
                throw new IllegalArgumentException("the aggregation needs the field " + fields[slot].name()
                        + ", which tuples of " + source.get_componentId() + " on stream " + source.get_streamId()
                        + " do not have: they have " + declared.toList());
            }
            indexes[slot] = declared.fieldIndex(fields[slot].name());
        }
        return indexes;
    }

    /** Fills a row. Throws {@link IllegalArgumentException} when a value is not of the field's type. */
    void fill(Tuple tuple, RecordRow row) {
        int[] indexes = input(tuple).indexes;
        for (int slot = 0; slot < indexes.length; slot++) {
            Object value = tuple.getValue(indexes[slot]);
            if (value == null) {
                row.setNone(slot);
            } else if (value instanceof String text && types[slot] == FieldType.TEXT) {
                row.setText(slot, text);
            } else if (value instanceof Long number
                    && types[slot] != FieldType.DOUBLE
                    && types[slot] != FieldType.TEXT) {
                row.setLong(slot, number);
            } else if (value instanceof Double number && types[slot] == FieldType.DOUBLE) {
                row.setDouble(slot, number);
            } else {
                put(tuple, row, slot, value);
            }
        }
    }

    private Input input(Tuple tuple) {
        if (inputs.size() > 1) {
            String component = tuple.getSourceComponent();
            String stream = tuple.getSourceStreamId();
            if (!last.component.equals(component) || !last.stream.equals(stream)) {
                for (Input input : inputs) {
                    last = input.component.equals(component) && input.stream.equals(stream) ? input : last;
                }
            }
        }
        return last;
    }

    private void put(Tuple tuple, RecordRow row, int slot, Object value) {
        FieldType type = types[slot];
        boolean whole =
                value instanceof Long || value instanceof Integer || value instanceof Short || value instanceof Byte;
        if (type == FieldType.TEXT && value instanceof byte[] utf8) {
            row.setText(slot, utf8, 0, utf8.length);
        } else if (type == FieldType.TEXT) {
            row.setText(slot, value.toString());
        } else if (type == FieldType.DOUBLE && value instanceof Number number) {
            row.setDouble(slot, number.doubleValue());
        } else if (type == FieldType.BOOLEAN && value instanceof Boolean truth) {
            row.setLong(slot, truth ? 1 : 0);
        } else if ((type == FieldType.LONG || type == FieldType.TIME) && whole) {
            row.setLong(slot, ((Number) value).longValue());
        } else if (type == FieldType.TIME && value instanceof Instant instant) {
            row.setLong(slot, instant.toEpochMilli());
        } else if (type == FieldType.TIME && value instanceof Date date) {
            row.setLong(slot, date.getTime());
        } else {
            throw new IllegalArgumentException(
                    "field " + fields[slot].name() + " of a tuple of " + tuple.getSourceComponent() + " is of "
                            + value.getClass().getName() + ", but the aggregation expects " + type);
        }
    }
}
