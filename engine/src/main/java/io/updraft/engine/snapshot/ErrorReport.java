package io.updraft.engine.snapshot;

/**
 * One failure of user code, described for an operator.
 *
 * @param timeMillis wall-clock time of the failure, milliseconds since the epoch
 * @param componentId the component whose code failed
 * @param taskId the task whose instance failed, {@link #NO_TASK} where it is not known
 * @param during the method that was running, for example {@code execute}
 * @param error the exception, with its stack trace
 * @param consequence the reaction of the engine, in a few words
 */
public record ErrorReport(
        long timeMillis, String componentId, int taskId, String during, Throwable error, String consequence) {

    /** The task id of a failure whose task is unknown. */
    public static final int NO_TASK = -1;

    /** The component of a failure of the engine's own code; {@code during} is then the name of the thread. */
    public static final String ENGINE = "the engine";

    /** {@return the component and its task, for people: {@code sink[2]}} */
    public String where() {
        return taskId == NO_TASK ? componentId : componentId + "[" + taskId + "]";
    }
}
