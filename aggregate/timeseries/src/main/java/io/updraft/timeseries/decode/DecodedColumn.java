package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.TimeFormat;
import java.util.Locale;
import java.util.Objects;

/**
 * A column of the rows, and its source in a record. A value is converted to the column's type: text to the number, boolean or
 * time that it represents; a number or boolean to its text in the record; 1 and 0 to a boolean; a whole number to a
 * floating-point number, and back if nothing is lost.
 *
 * @param name the name in queries and expressions
 * @param type the type of its values
 * @param path the source of the value; null for an attribute. JSON: a path such as {@code flight.carrier}, {@code tags[0]} or {@code a["odd.name"]};
 *     a member whose name is the whole path, or contains some of its dots, comes first.
 *     With {@link DecodeSpec#explode}, a field of an element is {@code legs[*].delay} or, for short, {@code @.delay}; {@code @}
 *     is the element itself, and {@code @key} its name if it is a member of an object. CSV: the name of a column
 * @param fallback the value, as text, when the record has none or null; null if the column then has no value
 * @param required whether a record without a value here is rejected; excludes a fallback
 * @param time how the time is written if the type is TIME, else null
 * @param nullText the text that means no value in this column; null if there is none
 * @param guess what to say of a value of another type because the type is guessed; null if it is stated
 * @param numbers how numbers are written in texts if the type is LONG, DOUBLE or DECIMAL; null for digits with a point before the fraction
 * @param from the attribute of the record that is the value, in place of a path; null for a value of the content
 * @param scale the number of digits after the point of a DECIMAL, 0 to 18, to which values are rounded; 0 for all other types
 */
public record DecodedColumn(
        String name,
        FieldType type,
        String path,
        String fallback,
        boolean required,
        TimeFormat time,
        String nullText,
        String guess,
        NumberForm numbers,
        RecordAttribute from,
        int scale) {

    /**
     * Creates a column.
     *
     * @throws IllegalArgumentException when an option does not fit the type or another option
     */
    public DecodedColumn {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        if (from == null) {
            Objects.requireNonNull(path, "path");
        } else if (path != null) {
            throw new IllegalArgumentException("column " + name + " cannot have both a path and an attribute");
        } else if (!from.allows(type)) {
            throw new IllegalArgumentException("column " + name + " from " + from + " must be of type "
                    + from.usualType().name().toLowerCase(Locale.ROOT) + ", not "
                    + type.name().toLowerCase(Locale.ROOT));
        }
        if (type == FieldType.TIME && time == null) {
            time = TimeFormat.ISO;
        }
        if (type != FieldType.TIME && time != null) {
            throw new IllegalArgumentException(
                    "column " + name + " is of type " + type + " and cannot have a time format");
        }
        if (numbers != null && type != FieldType.LONG && type != FieldType.DOUBLE && type != FieldType.DECIMAL) {
            throw new IllegalArgumentException(
                    "column " + name + " is of type " + type + " and cannot have a form of numbers");
        }
        new Schema.Field(name, type, scale);
        if (required && fallback != null) {
            throw new IllegalArgumentException("column " + name + " is required and cannot have a default");
        }
    }

    /** Creates a column whose path is its name. */
    public static DecodedColumn of(String name, FieldType type) {
        return of(name, type, name);
    }

    /** Creates a column with a path. */
    public static DecodedColumn of(String name, FieldType type, String path) {
        return new DecodedColumn(name, type, path, null, false, null, null, null, null, null, 0);
    }

    /** Creates a column of an attribute of the record. */
    public static DecodedColumn from(String name, FieldType type, RecordAttribute attribute) {
        return new DecodedColumn(name, type, null, null, false, null, null, null, null, attribute, 0);
    }

    /** Returns where the value is, as the user writes it. */
    String place() {
        return from == null ? path : from.toString();
    }

    /** Returns a copy with a default for records without a value. */
    public DecodedColumn or(String value) {
        return new DecodedColumn(name, type, path, value, required, time, nullText, guess, numbers, from, scale);
    }

    /** Returns a copy that requires a value. */
    public DecodedColumn require() {
        return new DecodedColumn(name, type, path, fallback, true, time, nullText, guess, numbers, from, scale);
    }

    /** Returns a copy with a time format. */
    public DecodedColumn at(TimeFormat format) {
        return new DecodedColumn(name, type, path, fallback, required, format, nullText, guess, numbers, from, scale);
    }

    /** Returns a copy with a text that means no value. */
    public DecodedColumn none(String text) {
        return new DecodedColumn(name, type, path, fallback, required, time, text, guess, numbers, from, scale);
    }

    /** Returns a copy whose type is guessed, and what to say of a value of another type. */
    public DecodedColumn guessed(String advice) {
        return new DecodedColumn(name, type, path, fallback, required, time, nullText, advice, numbers, from, scale);
    }

    /** Returns a copy with some digits after the point, 0 to 18. The type must be DECIMAL. */
    public DecodedColumn scaled(int digits) {
        return new DecodedColumn(name, type, path, fallback, required, time, nullText, guess, numbers, from, digits);
    }

    /** Returns the field of the rows. */
    public Schema.Field field() {
        return new Schema.Field(name, type, scale);
    }

    /** Returns a copy with a form of numbers. */
    public DecodedColumn written(NumberForm form) {
        return new DecodedColumn(name, type, path, fallback, required, time, nullText, guess, form, from, scale);
    }
}
