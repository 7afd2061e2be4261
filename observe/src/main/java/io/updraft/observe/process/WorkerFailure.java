package io.updraft.observe.process;

import io.updraft.engine.api.ExitCalled;

/** An exception that was thrown in a worker, as far as another process can show it: type, message, stack trace and causes. */
public final class WorkerFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final String type;

    /**
     * Describes an exception of a worker.
     *
     * @param type the full name of its class
     * @param message its message; may be null
     * @param cause its cause; may be null
     * @param trace its stack trace
     */
    public WorkerFailure(String type, String message, WorkerFailure cause, StackTraceElement[] trace) {
        super(message, cause);
        this.type = type;
        setStackTrace(trace);
    }

    /** {@return the full name of the class of the original exception} */
    public String type() {
        return type;
    }

    /** {@return whether the worker ran out of memory} */
    public boolean isOutOfMemory() {
        return type.equals(OutOfMemoryError.class.getName());
    }

    /** {@return whether a component's code has called {@code System.exit} in the worker} */
    public boolean isExit() {
        return type.equals(ExitCalled.class.getName());
    }

    @Override
    public String toString() {
        return isExit() ? getMessage() : described();
    }

    private String described() {
        return getMessage() == null ? type : type + ": " + getMessage();
    }
}
