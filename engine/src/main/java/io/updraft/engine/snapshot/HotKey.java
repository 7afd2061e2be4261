package io.updraft.engine.snapshot;

/**
 * A key of a fields grouping whose task gets more tuples than the others. {@code HotKeyJudge} says whether it overloads the task.
 *
 * @param from the emitting component
 * @param stream the stream
 * @param to the subscribing component
 * @param fields the names of the grouping's fields, such as {@code user, day}
 * @param key the values of these fields as text, at most 60 characters in one line, such as {@code 17, 2026-11-25}
 * @param permille the key's share of the tuples, in thousandths
 * @param task the task that gets the key's tuples
 * @param position the position of the task among the tasks of its component, from 0
 * @param tasks the number of tasks of the subscribing component
 * @param taskPermille the share of the tuples that this task gets, in thousandths
 */
public record HotKey(
        String from,
        String stream,
        String to,
        String fields,
        String key,
        long permille,
        int task,
        int position,
        int tasks,
        long taskPermille) {
    /** The stream that texts leave out. */
    public static final String DEFAULT_STREAM = "default";

    /** {@return what identifies the key, in all workers} */
    public String name() {
        return String.join("\n", from, stream, to, key);
    }

    /** {@return the key, its share and its grouping, in one line} */
    public String describe() {
        return percent(permille) + " of " + from + "'s tuples for " + to
                + (stream.equals(DEFAULT_STREAM) ? "" : " (" + stream + ")") + " have " + fields + " = " + key;
    }

    /**
     * Writes a share.
     *
     * @param permille the share, thousandths
     * @return whole percent, such as {@code 7%}
     */
    public static String percent(long permille) {
        return Math.round(permille / 10.0) + "%";
    }
}
