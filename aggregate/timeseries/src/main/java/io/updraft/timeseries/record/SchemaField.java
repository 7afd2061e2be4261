package io.updraft.timeseries.record;

import java.io.Serializable;
import java.util.Objects;

/**
 * A field of a record.
 *
 * @param name the name in queries and results
 * @param type the type of its values
 */
public record SchemaField(String name, FieldType type) implements Serializable {

    /**
     * Creates a field.
     *
     * @throws NullPointerException when the name or the type is null
     */
    public SchemaField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
    }
}
