package io.updraft.engine.run;

import io.updraft.engine.tuple.SpoutTrees;
import io.updraft.engine.tuple.TreeTags;
import io.updraft.engine.tuple.TreeTracker;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What the collectors of the tasks of one spout executor use.
 *
 * @param emits what all collectors use
 * @param trees the trees of the executor
 * @param tracker the tracker of these trees
 * @param tags the numbers of the trees
 * @param keepsMessages whether each message is kept, because it may be dead-lettered later
 * @param tagged whether each tree needs a number
 * @param waiting the emits of user threads that wait for a turn; may be used from any thread
 * @param mostWaiting emits at which user threads must wait
 */
record SpoutOutput(
        EmitContext emits,
        SpoutTrees trees,
        TreeTracker tracker,
        TreeTags tags,
        boolean keepsMessages,
        boolean tagged,
        Queue<WaitingEmit> waiting,
        int mostWaiting) {

    /** Emits that may wait, unless fewer messages may be pending. */
    private static final int MAX_WAITING = 8192;

    /**
     * An emit of a user thread.
     *
     * @param task the task that emits
     * @param emit runs the emit
     */
    public record WaitingEmit(int task, Runnable emit) {}

    /**
     * A message in flight, kept when messages can be dead-lettered.
     *
     * @param stream the stream on which the message was emitted
     * @param values the values of the message
     */
    public record PendingMessage(String stream, List<Object> values) {}

    /** Which executor has a task of a spout. The collectors of all instances of the task look here, also those of ended instances. */
    public static final class SpoutTaskOwner {

        private final int taskId;
        private volatile SpoutOutput output;
        private int index;

        public SpoutTaskOwner(int taskId, SpoutOutput output, int index) {
            this.taskId = taskId;
            this.output = output;
            this.index = index;
        }

        public int taskId() {
            return taskId;
        }

        /** Returns the output of the executor. Changes under its lock while it does not run; read by any thread. */
        public SpoutOutput output() {
            return output;
        }

        /** Returns the position among the tasks of the executor, for the thread that runs it. */
        public int index() {
            return index;
        }

        public void moveTo(SpoutOutput next, int nextIndex) {
            output = next;
            index = nextIndex;
        }
    }

    public static SpoutOutput of(
            EmitContext emits, SpoutTrees trees, TreeTags tags, boolean keepsMessages, boolean tagged, int maxPending) {
        int mostWaiting = Math.min(MAX_WAITING, maxPending);
        return new SpoutOutput(
                emits, trees, trees.tracker(), tags, keepsMessages, tagged, new LinkedBlockingQueue<>(), mostWaiting);
    }

    /** Stores the number of a new tree, and its message if it may be dead-lettered later. */
    void tag(long root, int taskIndex, OutStream stream, List<Object> values) {
        tracker.tag(root, tags.tagOf(taskIndex, stream.number));
        if (keepsMessages) {
            tracker.keep(root, new PendingMessage(stream.origin.streamId(), values));
        }
    }

    /** Returns whether user threads must wait before they emit more. May be called from any thread. */
    public boolean mustWait() {
        return waiting.size() >= mostWaiting
                && !emits.shared().lifecycle().isStopping()
                && !emits.shared().lifecycle().isDead();
    }

    /** Moves the waiting emits of a task to another executor. */
    public void moveEmits(int task, SpoutOutput to) {
        waiting.removeIf(emit -> emit.task() == task && to.waiting.add(emit));
    }
}
