package io.updraft.cluster.local;

import io.updraft.observe.process.WorkerFailure;
import java.util.Arrays;
import java.util.List;

/** An exception in the form in which it crosses to another process, with a limited number of frames and causes. */
record FailureRecord(String type, String message, List<Frame> trace, FailureRecord cause) {
    private static final int MAX_CAUSES = 8;
    private static final int MAX_FRAMES = 200;

    record Frame(String type, String method, String file, int line) {}

    /** {@return the form of an exception; null for null} */
    static FailureRecord of(Throwable error) {
        return of(error, MAX_CAUSES);
    }

    private static FailureRecord of(Throwable error, int causes) {
        if (error == null) {
            return null;
        }
        return new FailureRecord(
                error instanceof WorkerFailure failure
                        ? failure.type()
                        : error.getClass().getName(),
                messageOf(error),
                Arrays.stream(error.getStackTrace())
                        .limit(MAX_FRAMES)
                        .map(at ->
                                new Frame(at.getClassName(), at.getMethodName(), at.getFileName(), at.getLineNumber()))
                        .toList(),
                causes > 0 && error.getCause() != error ? of(error.getCause(), causes - 1) : null);
    }

    /** Returns the message of a user's exception, whose getMessage may itself fail. */
    private static String messageOf(Throwable error) {
        try {
            return error.getMessage();
        } catch (RuntimeException e) {
            return "getMessage() failed: " + e.getClass().getName();
        }
    }

    WorkerFailure toFailure() {
        return new WorkerFailure(
                String.valueOf(type),
                message,
                cause == null ? null : cause.toFailure(),
                trace.stream()
                        .map(at -> new StackTraceElement(
                                String.valueOf(at.type), String.valueOf(at.method), at.file, at.line))
                        .toArray(StackTraceElement[]::new));
    }
}
