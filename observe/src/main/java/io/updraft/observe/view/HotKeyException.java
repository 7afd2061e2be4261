package io.updraft.observe.view;

import io.updraft.base.text.OneLine;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.HotKey;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A hot key, as an error of the subscribing component. Never thrown: a worker reports it to Nimbus, which keeps its text. It has no
 * stack trace. This class alone knows the text's form, and reads it back.
 */
public final class HotKeyException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final int PERMILLE_PER_PERCENT = 10;

    /** Components choose the texts of their errors: a longer one could make the search slow. */
    private static final int LONGEST = 1_000;

    /**
     * A hot key, and how long it has been hot.
     *
     * @param key the key
     * @param nanos the time, nanoseconds
     */
    public record Lasting(HotKey key, long nanos) {}

    /**
     * Creates the error.
     *
     * @param lasting the key
     */
    public HotKeyException(Lasting lasting) {
        super(message(lasting.key(), lasting.nanos()), null, false, false);
    }

    private static String message(HotKey key, long nanos) {
        return key.describe() + "; task " + key.task() + " (" + (key.position() + 1) + " of " + key.tasks() + ") gets "
                + HotKey.percent(key.taskPermille()) + ", for " + CallInProgress.duration(nanos);
    }

    /** {@return the text: {@code hot key: }, the key, and the task that gets it} */
    @Override
    public String toString() {
        return "hot key: " + getMessage();
    }

    /**
     * {@return the key; empty if the text is that of another error} Its shares are in whole percent, its time in whole seconds,
     * minutes above an hour.
     *
     * @param component the component that has the error
     * @param text the stack trace as it is printed
     */
    public static Optional<Lasting> parse(String component, String text) {
        String start = "hot key: ";
        String line = OneLine.first(text);
        if (!line.startsWith(start) || line.length() > LONGEST) {
            return Optional.empty();
        }
        Matcher message = pattern(component).matcher(line.substring(start.length()));
        return message.matches()
                ? CallInProgress.nanosOf(message.group("time"))
                        .map(nanos -> new Lasting(key(component, message), nanos))
                : Optional.empty();
    }

    private static Pattern pattern(String component) {
        return Pattern.compile("(?<percent>\\d{1,3})% of (?<from>.+?)'s tuples for " + Pattern.quote(component)
                + "(?: \\((?<stream>[^)]*)\\))? have (?<fields>.+?) = (?<key>.*); task (?<task>\\d{1,9})"
                + " \\((?<number>\\d{1,9}) of (?<tasks>\\d{1,9})\\) gets (?<gets>\\d{1,3})%,"
                + " for (?<time>[0-9hms]{2,20})");
    }

    private static HotKey key(String component, Matcher message) {
        String stream = message.group("stream");
        return new HotKey(
                message.group("from"),
                stream == null ? HotKey.DEFAULT_STREAM : stream,
                component,
                message.group("fields"),
                message.group("key"),
                number(message, "percent") * PERMILLE_PER_PERCENT,
                (int) number(message, "task"),
                (int) number(message, "number") - 1,
                (int) number(message, "tasks"),
                number(message, "gets") * PERMILLE_PER_PERCENT);
    }

    private static long number(Matcher message, String group) {
        return Long.parseLong(message.group(group));
    }
}
