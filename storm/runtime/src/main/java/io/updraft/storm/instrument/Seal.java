package io.updraft.storm.instrument;

import java.util.Arrays;
import java.util.List;

/**
 * The values of a tuple at its emit.
 *
 * @param component the component that emitted the tuple
 * @param stream the tuple's stream
 * @param subjects descriptions of the fields, for messages
 * @param values the values
 * @param prints each value as bytes; null for a value that is immutable or cannot be written
 * @param before the seal of the list of which these values are a copy, or null
 */
record Seal(String component, String stream, String[] subjects, Object[] values, byte[][] prints, Seal before) {

    /** No field. */
    static final int NONE = -1;

    /** Returns whether any value can change. */
    boolean isNeeded() {
        return before != null || Arrays.stream(prints).anyMatch(print -> print != null);
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
    int changed(Prints by) {
        for (int i = 0; i < values.length; i++) {
            if (prints[i] != null && by.differ(values[i], prints[i])) {
                return i;
            }
        }
        return NONE;
    }
}
