package io.updraft.cluster.local;

import io.updraft.engine.api.ExitCalled;

/** What was thrown in a worker, as far as it can be told in another process: type, message, stack trace and causes. */
public final class WorkerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    /** The type that was thrown. */
    private final String type;

    WorkerFailure(String type, String message, WorkerFailure cause, StackTraceElement[] trace) {
        super(message, cause);
        this.type = type;
        setStackTrace(trace);
    }

    /** {@return the full name of the class that was thrown} */
    public String type() {
        return type;
    }

    /** {@return whether the worker ran out of memory} */
    public boolean isOutOfMemory() {
        return type.equals(OutOfMemoryError.class.getName());
    }

    /** {@return whether code of a component has called {@code System.exit} in the worker} */
    public boolean isExit() {
        return type.equals(ExitCalled.class.getName());
    }

    /** {@return what the original says of itself} */
    @Override
    public String toString() {
        return isExit() ? getMessage() : described();
    }

    private String described() {
        return getMessage() == null ? type : type + ": " + getMessage();
    }
}
