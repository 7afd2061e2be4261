package io.updraft.storm.instrument;

import java.util.Arrays;
import java.util.List;

/**
 * What the values of a tuple were when it was emitted.
 *
 * @param component who emitted it
 * @param stream on which stream
 * @param subjects the fields, named to people
 * @param values the values
 * @param prints each value as bytes; null for one that cannot change or cannot be written
 * @param before the seal of what these are a copy of, or null
 */
record Seal(String component, String stream, String[] subjects, Object[] values, byte[][] prints, Seal before) {

    /** No field. */
    static final int NONE = -1;

    /** Whether there is anything that could change. */
    boolean isNeeded() {
        return before != null || Arrays.stream(prints).anyMatch(print -> print != null);
    }

    /** The first field of which the list has another value now than it had. */
    int replaced(List<Object> now) {
        for (int i = 0; i < values.length; i++) {
            if (i >= now.size() || now.get(i) != values[i]) {
                return i;
            }
        }
        return NONE;
    }

    /** The first field whose value has changed. */
    int changed(Prints by) {
        for (int i = 0; i < values.length; i++) {
            if (prints[i] != null && by.differ(values[i], prints[i])) {
                return i;
            }
        }
        return NONE;
    }
}
