package io.updraft.storm.instrument.check;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.storm.shade.com.google.common.collect.MapMaker;

/** The seals of tuples emitted in this JVM, by the list of values, which the tuple carries. Safe to use from any thread. */
public final class EmittedValuesRegistry {

    /** Weak keys are compared by identity. A seal is removed when its tuple is garbage. */
    private final Map<List<Object>, EmittedValues> byValues =
            new MapMaker().weakKeys().makeMap();

    /** The reported fields: component, stream and field. */
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    void put(List<Object> values, EmittedValues seal) {
        byValues.put(values, seal);
    }

    EmittedValues of(List<Object> values) {
        return byValues.get(values);
    }

    /** Returns whether this is the first report of a field. */
    boolean isFirst(String subject) {
        return reported.add(subject);
    }

    /**
     * The values of a tuple at its emit.
     *
     * @param component the component that emitted the tuple
     * @param stream the tuple's stream
     * @param subjects descriptions of the fields, for messages
     * @param values the values
     * @param serialized each value as bytes; null for a value that is immutable or cannot be written
     * @param before the seal of the list of which these values are a copy, or null
     */
    record EmittedValues(
            String component,
            String stream,
            String[] subjects,
            Object[] values,
            byte[][] serialized,
            EmittedValues before) {

        /** No field. */
        static final int NONE = -1;

        /** Returns whether any value can change. */
        boolean isNeeded() {
            return before != null || Arrays.stream(serialized).anyMatch(print -> print != null);
        }

        /** Returns the first field whose value in the list was replaced, or {@link #NONE}. */
        int replaced(List<Object> now) {
            for (int i = 0; i < values.length; i++) {
                if (i >= now.size() || now.get(i) != values[i]) {
                    return i;
                }
            }
            return NONE;
        }

        /** Returns the first field whose value has changed, or {@link #NONE}. */
        int changed(ValueSerializer by) {
            for (int i = 0; i < values.length; i++) {
                if (serialized[i] != null && by.differ(values[i], serialized[i])) {
                    return i;
                }
            }
            return NONE;
        }
    }
}
