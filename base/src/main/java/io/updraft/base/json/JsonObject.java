package io.updraft.base.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An object of JSON: its members in their order. Members that a reader needs are read with their type; a member of another type
 * is refused in one line that names it. Not safe for several threads.
 */
public final class JsonObject extends LinkedHashMap<String, Object> {
    private static final long serialVersionUID = 1L;
    private static final double MAX_PERCENT = 100;

    /** Creates an object without members. */
    public JsonObject() {}

    /**
     * Creates an object with the members of another one.
     *
     * @param members the members
     */
    public JsonObject(Map<String, ?> members) {
        super(members);
    }

    /** {@return an object without members} */
    public static JsonObject of() {
        return new JsonObject();
    }

    /**
     * Creates an object with one member.
     *
     * @param name the name of the member
     * @param value its value, such as {@link Json#write} takes it
     * @return the object
     */
    public static JsonObject of(String name, Object value) {
        return new JsonObject().with(name, value);
    }

    /**
     * Adds a member.
     *
     * @param name the name of the member
     * @param value its value, such as {@link Json#write} takes it
     * @return this object
     */
    public JsonObject with(String name, Object value) {
        put(name, value);
        return this;
    }

    /**
     * Adds members.
     *
     * @param members the members
     * @return this object
     */
    public JsonObject with(Map<String, ?> members) {
        putAll(members);
        return this;
    }

    /**
     * Returns a member that must be a text.
     *
     * @param name the name of the member
     * @return the text, which is not empty
     */
    public String text(String name) {
        if (get(name) instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw new IllegalArgumentException("the request has no text '" + name + "'");
    }

    /**
     * Returns a member that may be a whole number.
     *
     * @param name the name of the member
     * @return the number, 0 or more; 0 if there is none
     */
    public int whole(String name) {
        Object value = get(name);
        if (value == null) {
            return 0;
        }
        if (value instanceof Number number && number.intValue() == number.doubleValue() && number.intValue() >= 0) {
            return number.intValue();
        }
        throw new IllegalArgumentException("'" + name + "' must be a whole number, 0 or more");
    }

    /**
     * Returns a member that must be a whole number.
     *
     * @param name the name of the member
     * @return the number, 1 or more
     */
    public int positive(String name) {
        int number = whole(name);
        if (number == 0) {
            throw new IllegalArgumentException("'" + name + "' must be at least 1");
        }
        return number;
    }

    /**
     * Returns a member that may be a percentage.
     *
     * @param name the name of the member
     * @return the percentage, from 0 to 100; 0 if there is none
     */
    public double percent(String name) {
        Object value = get(name);
        if (value == null) {
            return 0;
        }
        if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= MAX_PERCENT) {
            return number.doubleValue();
        }
        throw new IllegalArgumentException("'" + name + "' must be a number from 0 to 100");
    }

    /**
     * Returns a member that may be a list of objects.
     *
     * @param name the name of the member
     * @return the objects; none if the member is missing or null
     */
    public List<JsonObject> objects(String name) {
        return get(name) instanceof List<?> list
                ? list.stream().map(JsonObject.class::cast).toList()
                : List.of();
    }
}
