package io.updraft.timeseries.record;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;

/** The fields of a record, each with the number of its slot in a {@link RecordRow}. Immutable, so any thread may use it. */
public final class Schema implements Serializable {

    private static final long serialVersionUID = 1;

    private final List<Field> fields;
    private final HashMap<String, Integer> slots = new HashMap<>();

    /**
     * Creates a schema whose slots are numbered in the order of its fields.
     *
     * @param fields the fields, each name once
     * @throws IllegalArgumentException when a name comes twice
     */
    public Schema(List<Field> fields) {
        this.fields = List.copyOf(fields);
        for (Field field : fields) {
            if (slots.put(field.name(), slots.size()) != null) {
                throw new IllegalArgumentException("field " + field.name() + " comes twice");
            }
        }
    }

    /** Returns the fields, in the order of their slots. */
    public List<Field> fields() {
        return fields;
    }

    /** Returns the number of slots. */
    public int size() {
        return fields.size();
    }

    /**
     * Returns the slot of a field.
     *
     * @throws IllegalArgumentException when there is no field of that name
     */
    public int slot(String name) {
        Integer slot = slots.get(name);
        if (slot == null) {
            throw new IllegalArgumentException("no field is called " + name);
        }
        return slot;
    }

    /** Returns whether there is a field of that name. */
    public boolean has(String name) {
        return slots.containsKey(name);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Schema schema && schema.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        return fields.toString();
    }

    /**
     * A field of a record.
     *
     * @param name the name in queries and results
     * @param type the type of its values
     * @param scale the number of digits after the point of a DECIMAL, 0 to 18; 0 for all other types
     */
    public record Field(String name, FieldType type, int scale) implements Serializable {

        /**
         * Creates a field.
         *
         * @throws NullPointerException when the name or the type is null
         * @throws IllegalArgumentException when the type cannot have the scale
         */
        public Field {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(type, "type");
            if (scale < 0 || scale > (type == FieldType.DECIMAL ? Decimals.MAX_DIGITS : 0)) {
                throw new IllegalArgumentException(
                        "field " + name + " of type " + type + " cannot have " + scale + " digits after the point");
            }
        }

        /** Creates a field without digits after the point, or of a type that has no fixed count of them. */
        public Field(String name, FieldType type) {
            this(name, type, 0);
        }
    }
}
