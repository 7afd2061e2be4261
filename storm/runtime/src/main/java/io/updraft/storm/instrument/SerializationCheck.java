package io.updraft.storm.instrument;

import io.updraft.base.text.OneLine;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.serialization.types.ListDelegateSerializer;
import org.apache.storm.task.TopologyContext;

/**
 * Serializes and deserializes the values of each emitted tuple with the topology's settings, as on the way to another worker,
 * and emits the copy. If that fails, or if the copy differs, the component's call of {@code emit} throws an {@link
 * UnserializableValueException}.
 *
 * <p>Safe to use from any thread.
 */
final class SerializationCheck implements Watcher {

    private static final int MAX_TEXT = 100;
    private static final String REWRITE = "make its serializer write all fields; transient fields are not written";

    private final TopologyContext context;
    private final Map<String, Object> conf;

    /** Whether {@code topology.tuple.serializer} is not Storm's own, so that it writes all values together. */
    private final boolean whole;

    private KryoValuesSerializer writer;
    private KryoValuesDeserializer reader;

    public SerializationCheck(TopologyContext context, Map<String, Object> conf) {
        this.context = context;
        this.conf = conf;
        this.whole = !ListDelegateSerializer.class.getName().equals(conf.get(Config.TOPOLOGY_TUPLE_SERIALIZER));
    }

    @Override
    public synchronized List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        if (writer == null) {
            writer = new KryoValuesSerializer(conf);
            reader = new KryoValuesDeserializer(conf);
        }
        try {
            return whole ? copyAll(stream, values) : copyEach(stream, values);
        } catch (UnserializableValueException e) {
            // After a failure, Kryo may have a wrong nesting depth.
            writer = null;
            throw e;
        }
    }

    private List<Object> copyEach(String stream, List<Object> values) {
        List<Object> copies = new ArrayList<>(values.size());
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            copies.add(ImmutableTypes.isKnown(value) ? value : copy(stream, i, value));
        }
        return copies;
    }

    private Object copy(String stream, int field, Object value) {
        byte[] bytes;
        try {
            bytes = writer.serializeObject(value);
        } catch (RuntimeException | StackOverflowError e) {
            throw failure(
                    stream,
                    field,
                    value,
                    "cannot be serialized: " + OneLine.first(String.valueOf(e)),
                    remedy(value),
                    e);
        }
        Object copy;
        try {
            copy = reader.deserializeObject(bytes);
        } catch (RuntimeException | StackOverflowError e) {
            throw failure(
                    stream,
                    field,
                    value,
                    "cannot be deserialized: " + OneLine.first(String.valueOf(e)),
                    "give the class a constructor without arguments, or register a serializer for it with"
                            + " topology.kryo.register",
                    e);
        }
        compare(stream, field, value, bytes, copy);
        return copy;
    }

    private void compare(String stream, int field, Object value, byte[] bytes, Object copy) {
        if (copy == null || copy.getClass() != value.getClass()) {
            String type = copy == null ? "null" : "a " + copy.getClass().getTypeName();
            throw failure(stream, field, value, "comes back as " + type, REWRITE, null);
        }
        // A class without its own equals is compared by the bytes that its serializer writes of the copy.
        if (!ValueEquality.areSame(value, copy)
                || !value.equals(copy) && !Arrays.equals(bytes, writer.serializeObject(copy))) {
            String problem = "comes back as " + text(copy) + " instead of " + text(value);
            throw failure(stream, field, value, problem, REWRITE, null);
        }
    }

    private List<Object> copyAll(String stream, List<Object> values) {
        List<Object> copies;
        try {
            copies = reader.deserialize(writer.serialize(values));
        } catch (RuntimeException | StackOverflowError e) {
            throw failure(
                    stream,
                    "its values",
                    "cannot be passed on by " + conf.get(Config.TOPOLOGY_TUPLE_SERIALIZER) + ": "
                            + OneLine.first(String.valueOf(e)),
                    "see topology.tuple.serializer",
                    e);
        }
        for (int i = 0; i < values.size(); i++) {
            Object copy = i < copies.size() ? copies.get(i) : null;
            if (!ValueEquality.areSame(values.get(i), copy)) {
                String problem = "comes back as " + text(copy) + " instead of " + text(values.get(i));
                throw failure(stream, i, values.get(i), problem, "see topology.tuple.serializer", null);
            }
        }
        return copies;
    }

    private static String remedy(Object value) {
        return "register " + value.getClass().getTypeName()
                + ", or what it holds, with topology.kryo.register (Config.registerSerialization), or make it"
                + " Serializable and set topology.fall.back.on.java.serialization";
    }

    private UnserializableValueException failure(
            String stream, int field, Object value, String problem, String remedy, Throwable cause) {
        return failure(stream, describe(context, stream, field, value), problem, remedy, cause);
    }

    private UnserializableValueException failure(
            String stream, String subject, String problem, String remedy, Throwable cause) {
        return new UnserializableValueException(
                "a tuple of component '" + context.getThisComponentId() + "' on stream '" + stream + "' cannot be sent"
                        + " to another worker: " + subject + " " + problem + "; " + remedy,
                cause);
    }

    static String describe(TopologyContext context, String stream, int field, Object value) {
        List<String> names = context.getThisOutputFields(stream).toList();
        String name = field < names.size() ? " '" + names.get(field) + "'" : "";
        String type = value == null ? "null" : value.getClass().getTypeName();
        return "field " + field + name + " of class " + type;
    }

    private static String text(Object value) {
        String text = value instanceof Object[] array ? Arrays.deepToString(array) : String.valueOf(value);
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }

    /**
     * Compares a value with its copy by {@code equals}; arrays, also within collections and records, are compared by their
     * elements. Objects of a class that does not define {@code equals} count as the same.
     */
    private static final class ValueEquality {

        private ValueEquality() {}

        static boolean areSame(Object value, Object copy) {
            if (value == null || copy == null) {
                return value == copy;
            }
            if (value.equals(copy)) {
                return true;
            }
            if (value.getClass() != copy.getClass()) {
                return false;
            }
            if (value.getClass().isArray()) {
                return areSameArrays(value, copy);
            }
            if (value instanceof List<?> list) {
                return areSameLists(list, (List<?>) copy);
            }
            if (value instanceof Map<?, ?> map) {
                return areSameMaps(map, (Map<?, ?>) copy);
            }
            return value.getClass().isRecord() ? areSameRecords(value, copy) : !definesEquals(value);
        }

        private static boolean areSameArrays(Object value, Object copy) {
            int length = Array.getLength(value);
            boolean same = length == Array.getLength(copy);
            for (int i = 0; same && i < length; i++) {
                same = areSame(Array.get(value, i), Array.get(copy, i));
            }
            return same;
        }

        private static boolean areSameLists(List<?> value, List<?> copy) {
            Iterator<?> copies = copy.iterator();
            return value.size() == copy.size() && value.stream().allMatch(each -> areSame(each, copies.next()));
        }

        private static boolean areSameMaps(Map<?, ?> value, Map<?, ?> copy) {
            return value.size() == copy.size()
                    && value.entrySet().stream()
                            .allMatch(entry -> copy.containsKey(entry.getKey())
                                    && areSame(entry.getValue(), copy.get(entry.getKey())));
        }

        private static boolean areSameRecords(Object value, Object copy) {
            try {
                for (RecordComponent component : value.getClass().getRecordComponents()) {
                    component.getAccessor().setAccessible(true);
                    if (!areSame(
                            component.getAccessor().invoke(value),
                            component.getAccessor().invoke(copy))) {
                        return false;
                    }
                }
                return true;
            } catch (ReflectiveOperationException | RuntimeException e) {
                return false;
            }
        }

        private static boolean definesEquals(Object value) {
            try {
                return value.getClass().getMethod("equals", Object.class).getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException e) {
                return false;
            }
        }
    }
}
