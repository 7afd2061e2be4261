package io.updraft.engine.grouping;

/** Tells which tasks have more than they can do; read while a tuple is routed, so it must be cheap. */
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
}
