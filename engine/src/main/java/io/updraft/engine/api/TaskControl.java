package io.updraft.engine.api;

/**
 * The engine's hold on one instance of a component, for whoever made its context. It ends with the instance: after that
 * nothing it is told has any effect.
 */
public interface TaskControl {

    /** Controls nothing: of a context that belongs to no instance. */
    TaskControl NONE = new TaskControl() {
        @Override
        public void run(Runnable action) {}

        @Override
        public void wrap(TaskWrapper wrapper) {}

        @Override
        public int queued() {
            return 0;
        }

        @Override
        public boolean isInTurn() {
            return false;
        }
    };

    /**
     * Has something done on the thread that runs the instance: at once if this is that thread and in a call of the instance,
     * else soon, between two turns. From any thread. Dropped when the instance is gone by then.
     *
     * @param action what to do; what it throws counts as thrown by the component
     */
    void run(Runnable action);

    /**
     * Wraps the instance and its collector from now on, in place of how they were wrapped before. Only on the thread that
     * opens or runs the instance: while its context is made, in {@code open} or {@code prepare}, in any other call of it, or
     * within {@link #run}.
     *
     * @param wrapper wraps them, or null for neither
     */
    void wrap(TaskWrapper wrapper);

    /** {@return tuples that wait for the executor of the task; from any thread} */
    int queued();

    /**
     * {@return whether the executor of the task is in a turn, which calls the code of its tasks; a look from any thread, old
     * when it is answered}
     */
    boolean isInTurn();
}
