package io.updraft.observe.view;

import io.updraft.base.text.OneLine;
import io.updraft.engine.api.LinkageMessages;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.process.WorkerFailure;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;

/** Formats a failure of user code as one line. The stack trace is in the log. */
public final class ErrorLine {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");

    private ErrorLine() {}

    /** {@return the time, component, task, method, exception, message or place, and consequence, in one line} */
    public static String of(ErrorReport report, ZoneId zone) {
        return TIME.format(Instant.ofEpochMilli(report.timeMillis()).atZone(zone)) + " " + report.where() + " "
                + report.during() + ": " + message(report.error()) + place(report.error()) + consequence(report);
    }

    /** {@return a key that is equal for repeated failures; the task and the consequence do not count} */
    public static String kind(ErrorReport report) {
        return report.componentId() + " " + report.during() + ": " + message(report.error());
    }

    private static String consequence(ErrorReport report) {
        String consequence = report.consequence();
        return consequence == null || consequence.isEmpty() ? "" : " (" + OneLine.of(consequence) + ")";
    }

    private static String message(Throwable error) {
        if (error == null) {
            return "unknown";
        }
        return LinkageMessages.of(error, ErrorLine::nameOf).map(OneLine::of).orElseGet(() -> typeAndMessage(error));
    }

    private static String typeAndMessage(Throwable error) {
        String name = nameOf(error);
        String message = error.getMessage();
        return isBlank(message) ? name : name + ": " + OneLine.of(message);
    }

    /** {@return where an exception without a message was thrown, by code that is not the Java runtime's; empty if unknown} */
    private static String place(Throwable error) {
        if (error == null || !isBlank(error.getMessage())) {
            return "";
        }
        return Arrays.stream(error.getStackTrace())
                .filter(frame -> !frame.getClassName().matches("(java|javax|jdk|sun|com\\.sun)\\..*"))
                .findFirst()
                .map(frame -> " at " + frame)
                .orElse("");
    }

    private static boolean isBlank(String message) {
        return message == null || message.isBlank();
    }

    private static String nameOf(Throwable error) {
        if (error instanceof WorkerFailure failure) {
            String type = failure.type();
            return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
        }
        return error.getClass().getSimpleName();
    }
}
