package io.updraft.timeseries.record;

import java.io.Serializable;
import java.util.Objects;

/**
 * A field of a record.
 *
 * @param name what queries and results call it
 * @param type what it holds
 */
public record Field(String name, FieldType type) implements Serializable {

    /**
     * A field.
     *
     * @throws NullPointerException when one of the two is null
     */
    public Field {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
    }
}
