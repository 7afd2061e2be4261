package io.updraft.engine.grouping;

/** Reports the event loops of tasks and which tasks are overloaded. Read for each routed tuple, so it must be cheap. */
@FunctionalInterface
public interface Load {

    /** No task is overloaded. */
    Load NONE = taskId -> false;

    /**
     * {@return whether many tuples are queued for the task}
     *
     * @param taskId the task
     */
    boolean isOverloaded(int taskId);

    /**
     * Returns whether the calls of a task are quick.
     *
     * @param taskId the task
     * @return whether waiting in the queue of the task costs less than sending the tuple to another loop
     */
    default boolean isQuick(int taskId) {
        return true;
    }

    /**
     * {@return the event loop that runs the task}
     *
     * @param taskId the task
     */
    default int loopOf(int taskId) {
        return 0;
    }

    /**
     * Notes that a tuple was sent to a task, which will see it only later.
     *
     * @param taskId the task
     */
    default void sent(int taskId) {}

    /** {@return a number that changes whenever a task has moved} */
    default int placement() {
        return 0;
    }
}
