package io.updraft.cli.view;

import io.updraft.engine.api.ErrorReport;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

/** One failure of user code on one line; the whole trace is in the log. */
final class ErrorLine {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private ErrorLine() {}

    /** {@return time, component, task, method, exception, message and what was done about it} */
    static String of(ErrorReport report, ZoneId zone) {
        return TIME.format(Instant.ofEpochMilli(report.timeMillis()).atZone(zone)) + " " + what(report);
    }

    /** {@return the failure without its time: equal for failures that repeat} */
    static String what(ErrorReport report) {
        String consequence =
                report.consequence() == null || report.consequence().isEmpty()
                        ? ""
                        : " (" + oneLine(report.consequence()) + ")";
        return report.componentId() + "[" + report.taskId() + "] " + report.during() + ": " + message(report.error())
                + consequence;
    }

    private static String message(Throwable error) {
        if (error == null) {
            return "unknown";
        }
        String name = error.getClass().getSimpleName();
        String message = error.getMessage();
        return message == null || message.isBlank() ? name : name + ": " + oneLine(message);
    }

    /** {@return the text with everything that is not printable, line ends included, as one space} */
    static String oneLine(String text) {
        return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }
}
