package io.updraft.observe.view;

import io.updraft.engine.snapshot.ErrorReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/**
 * A failure of user code, or several that differ only in task and time. Null stands for what the source does not know.
 *
 * @param time when it happened, of several the newest
 * @param count how many there are
 * @param component the component
 * @param task the task; only an engine knows it
 * @param worker host and port of the worker; only a Nimbus knows it
 * @param during the method; only an engine knows it
 * @param error the exception
 * @param consequence what followed; only an engine knows it
 * @param line all that in one line
 * @param stack the stack; null in lists
 */
public record ErrorView(
        Instant time,
        int count,
        String component,
        Integer task,
        String worker,
        String during,
        String error,
        String consequence,
        String line,
        List<String> stack) {

    static ErrorView of(ErrorGroup group, boolean withStack) {
        ErrorReport report = group.newest();
        return new ErrorView(
                Instant.ofEpochMilli(report.timeMillis()),
                group.count(),
                report.componentId(),
                report.taskId(),
                null,
                report.during(),
                String.valueOf(report.error()),
                report.consequence(),
                group.line(ZoneId.systemDefault()),
                withStack ? stack(report.error()) : null);
    }

    private static List<String> stack(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString().lines().toList();
    }
}
