package io.updraft.observe.view;

import io.updraft.engine.snapshot.CallInProgress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A call that does not return, as an error of its component. Never thrown: a worker reports it to Nimbus, which keeps its text. The
 * stack trace is the stack of the call. This class alone knows the text's form, and reads it back.
 */
public final class StuckCallException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final String DEADLOCK = "DEADLOCK: ";
    private static final String FRAME = "\tat ";

    /** Components choose the texts of their errors: a longer one could make the search slow. */
    private static final int LONGEST = 4_000;

    private static final Pattern MESSAGE = Pattern.compile(
            " task (?<task>\\d{1,9}) in (?<method>[^ ]*)\\(\\) for (?<time>[0-9hms]{2,20})(?: at [^,]+)?, "
                    + "(?<deadlock>DEADLOCK: )?(?<activity>.*) \\(thread '(?<thread>.*)'\\)");

    private static final Pattern PLACE =
            Pattern.compile("(?<type>.+)\\.(?<method>[^.]+)\\((?<file>[^:]*)(?::(?<line>\\d{1,9}))?\\)");
    private static final int NATIVE = -2;
    private static final int UNKNOWN = -1;

    /**
     * Creates the error.
     *
     * @param call the call
     */
    public StuckCallException(CallInProgress call) {
        super(printable(call.describe() + " (thread '" + call.thread() + "')"), null, false, true);
        setStackTrace(call.stack().stream().map(StuckCallException::frame).toArray(StackTraceElement[]::new));
    }

    /** One space for each control character: {@link #parse} reads the text back. */
    private static String printable(String text) {
        return text.replaceAll("\\p{Cntrl}", " ");
    }

    private static StackTraceElement frame(String text) {
        Matcher place = PLACE.matcher(text);
        if (!place.matches()) {
            return new StackTraceElement(text, "", null, UNKNOWN);
        }
        String file = place.group("file");
        if (file.equals("Native Method")) {
            return new StackTraceElement(place.group("type"), place.group("method"), null, NATIVE);
        }
        String line = place.group("line");
        return new StackTraceElement(
                place.group("type"),
                place.group("method"),
                file.equals("Unknown Source") ? null : file,
                line == null ? UNKNOWN : Integer.parseInt(line));
    }

    /** {@return the first line of the text: {@code stuck: } and what the call does} */
    @Override
    public String toString() {
        return "stuck: " + getMessage();
    }

    /**
     * {@return the call; empty if the text is that of another error} Its time is in whole seconds, minutes above an hour.
     *
     * @param component the component that has the error
     * @param text the stack trace as it is printed
     */
    public static Optional<CallInProgress> parse(String component, String text) {
        List<String> lines = text.lines().toList();
        String start = "stuck: " + component;
        if (lines.isEmpty() || !lines.get(0).startsWith(start) || lines.get(0).length() > LONGEST) {
            return Optional.empty();
        }
        Matcher message = MESSAGE.matcher(lines.get(0).substring(start.length()));
        if (!message.matches()) {
            return Optional.empty();
        }
        return CallInProgress.nanosOf(message.group("time"))
                .map(nanos -> new CallInProgress(
                        component,
                        Integer.parseInt(message.group("task")),
                        message.group("method"),
                        nanos,
                        message.group("thread"),
                        message.group("activity"),
                        DEADLOCK.equals(message.group("deadlock")),
                        lines.stream()
                                .filter(line -> line.startsWith(FRAME))
                                .map(line -> line.substring(FRAME.length()))
                                .toList()));
    }
}
