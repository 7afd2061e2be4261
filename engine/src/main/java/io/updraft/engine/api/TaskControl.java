package io.updraft.engine.api;

import java.util.List;

/**
 * Controls one instance of a component. The {@link ContextFactory} receives a control for each instance. After the instance has
 * ended, calls have no effect.
 */
public interface TaskControl {

    /** Does nothing; the control of a context that belongs to no instance. */
    TaskControl NONE = new TaskControl() {
        @Override
        public void run(Runnable action) {}

        @Override
        public void wrap(TaskWrapper wrapper) {}

        @Override
        public void addDeadLetter(String stream, Object messageId, List<Object> values, int failures) {}

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
     * Runs an action on the thread that runs the instance. Runs it at once if called on that thread within a call of the
     * instance, otherwise soon, between two turns. May be called from any thread. The action is dropped if the instance has
     * ended by then.
     *
     * @param action the action; its exceptions count as thrown by the component
     */
    void run(Runnable action);

    /**
     * Wraps the instance and its collector from now on, in place of the previous wrapper. Call this only on the thread that
     * opens or runs the instance: while its context is created, in {@code open} or {@code prepare}, in any other call of the
     * instance, or within {@link #run}.
     *
     * @param wrapper the wrapper, or null to wrap neither
     */
    void wrap(TaskWrapper wrapper);

    /**
     * Keeps a message that the spout itself has given up. The message is counted, listed and can be replayed as one that the engine
     * has given up. A replay emits the values once more; the spout gets neither ack nor fail for it. Call this only on the thread
     * that runs the instance. Has no effect for a bolt.
     *
     * @param stream the stream of the message
     * @param messageId the message id, which is only shown; a text, if the spout's own id holds much memory
     * @param values the values; they must not change
     * @param failures how often the message has failed
     */
    void addDeadLetter(String stream, Object messageId, List<Object> values, int failures);

    /** {@return the number of tuples queued for the executor of the task; may be called from any thread} */
    int queued();

    /**
     * {@return whether the executor of the task is in a turn, that is, calling the code of its tasks; may be called from any
     * thread, and may be out of date when it returns}
     */
    boolean isInTurn();
}
