package io.updraft.engine.grouping;

/** Tells where tasks are and which have more than they can do; read while a tuple is routed, so it must be cheap. */
@FunctionalInterface
public interface Load {

    /** Nobody is overloaded. */
    Load NONE = taskId -> false;

    /**
     * Looks at one task.
     *
     * @param taskId the task
     * @return whether much is queued for it
     */
    boolean isOverloaded(int taskId);

    /**
     * Looks at one task.
     *
     * @param taskId the task
     * @return whether its calls take so little time that to wait behind others costs less than to go to another loop
     */
    default boolean isQuick(int taskId) {
        return true;
    }

    /**
     * Finds a task.
     *
     * @param taskId the task
     * @return the event loop it belongs to
     */
    default int loopOf(int taskId) {
        return 0;
    }

    /** {@return a number that changes whenever a task has moved} */
    default int placement() {
        return 0;
    }
}
