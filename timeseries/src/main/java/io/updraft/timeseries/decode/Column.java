package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import java.util.Objects;

/**
 * A column of the rows, and where it comes from. What a record has is converted to the column's type: text to a number, boolean
 * or time that it spells, a number or boolean to text as it stands in the record, 1 and 0 to a boolean, a whole number to a
 * floating-point one and back if nothing is lost.
 *
 * @param name what queries and expressions call it
 * @param type what it holds
 * @param path where it comes from. JSON: a path such as {@code flight.carrier}, {@code tags[0]} or {@code a["odd.name"]}; with
 *     {@link DecodeSpec#explode}, what belongs to an element is {@code legs[*].delay} or, for short, {@code @.delay}; {@code @}
 *     is the element itself, and {@code @key} its name if it is a member of an object. CSV: the name of a column, as it is
 * @param fallback its value, as text, when the record has none or null; null if it then has none either
 * @param required whether a record that has no value here is bad; cannot be together with a fallback
 * @param time how the time is written if the type is TIME, else null
 */
public record Column(String name, FieldType type, String path, String fallback, boolean required, TimeFormat time) {

    /**
     * A column.
     *
     * @throws IllegalArgumentException when the fallback is not of the type, or comes with {@code required}
     */
    public Column {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(path, "path");
        if (type == FieldType.TIME && time == null) {
            time = TimeFormat.ISO;
        }
        if (type != FieldType.TIME && time != null) {
            throw new IllegalArgumentException(
                    "column " + name + " is of type " + type + ", and so has no time format");
        }
        if (required && fallback != null) {
            throw new IllegalArgumentException("column " + name + " is required, and so cannot have a default");
        }
    }

    /** A column that comes from what is called as it is. */
    public static Column of(String name, FieldType type) {
        return of(name, type, name);
    }

    /** A column that comes from somewhere. */
    public static Column of(String name, FieldType type, String path) {
        return new Column(name, type, path, null, false, null);
    }

    /** The same with a value for records that have none. */
    public Column or(String value) {
        return new Column(name, type, path, value, required, time);
    }

    /** The same, but a record without it is bad. */
    public Column require() {
        return new Column(name, type, path, fallback, true, time);
    }

    /** The same with times written in some way. */
    public Column at(TimeFormat format) {
        return new Column(name, type, path, fallback, required, format);
    }
}
