package io.updraft.base.json;

import java.util.Map;

/**
 * Writes and reads JSON (RFC 8259) of maps, records, lists, texts, numbers and booleans. For the description of a run and for
 * orders between processes: records of data have decoders of their own.
 */
public final class Json {
    private Json() {}

    /**
     * Writes a value.
     *
     * @param value a map, record, iterable, optional, array of bytes, text, enum constant, number, boolean or null, to any depth. Numbers
     *     that JSON does not have (infinite, not a number) become null; an array of bytes becomes an array of numbers; any other
     *     object becomes its text
     * @return the value's JSON, on one line
     */
    public static String write(Object value) {
        StringBuilder out = new StringBuilder();
        new JsonWriter(out).value(value);
        return out.toString();
    }

    /**
     * Reads an object.
     *
     * @param text the text
     * @return the object's members, in their order; whole numbers are {@code Long}, others {@code Double}
     * @throws JsonException when the text is not one JSON object, or is nested too deep
     */
    public static JsonObject readObject(String text) {
        Object value = new JsonReader(text).document();
        if (value instanceof JsonObject object) {
            return object;
        }
        throw new JsonException("not a JSON object");
    }

    /**
     * Reads a record that {@link #write} wrote.
     *
     * @param text the text
     * @param type the record's class
     * @return the record
     * @param <T> the record's type
     * @throws JsonException when the text is not a JSON object, or has not the members of the record
     */
    public static <T extends Record> T read(String text, Class<T> type) {
        return record(readObject(text), type);
    }

    /**
     * Creates a record from its members.
     *
     * @param members the members, such as {@link #readObject} returns them
     * @param type the record's class
     * @return the record
     * @param <T> the record's type
     * @throws JsonException when a member is missing or has another type
     */
    public static <T extends Record> T record(Map<String, Object> members, Class<T> type) {
        return JsonRecords.create(members, type);
    }

    /**
     * Lists the components of a record.
     *
     * @param record the record
     * @return the components by name, in their order
     */
    public static JsonObject members(Record record) {
        return JsonRecords.members(record);
    }
}
