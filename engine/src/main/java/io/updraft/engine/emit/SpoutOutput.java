package io.updraft.engine.emit;

import io.updraft.engine.count.ExecutorCounters;
import io.updraft.engine.tracker.SpoutTrees;
import io.updraft.engine.tracker.TreeTags;
import io.updraft.engine.tracker.TreeTracker;
import java.util.List;

/**
 * What the collectors of the tasks of one spout executor use.
 *
 * @param emits what all collectors use
 * @param counters the published counters
 * @param trees the trees of the executor
 * @param tracker the tracker of these trees
 * @param tags the numbers of the trees
 * @param keepsMessages whether each message is kept, because it may be dead-lettered later
 * @param tagged whether each tree needs a number
 * @param outsideEmits the emits of user threads
 */
public record SpoutOutput(
        EmitContext emits,
        ExecutorCounters counters,
        SpoutTrees trees,
        TreeTracker tracker,
        TreeTags tags,
        boolean keepsMessages,
        boolean tagged,
        UserThreadEmits outsideEmits) {

    /** Opens a tree, and stores the message if it may be dead-lettered later. */
    long openTree(int taskIndex, OutStream stream, List<Object> values, Object messageId) {
        long root = tracker.open(messageId);
        if (tagged) {
            tag(root, taskIndex, stream, values);
        }
        return root;
    }

    private void tag(long root, int taskIndex, OutStream stream, List<Object> values) {
        tracker.tag(root, tags.tagOf(taskIndex, stream.number));
        if (keepsMessages) {
            tracker.keep(root, new PendingMessage(stream.origin.streamId(), values));
        }
    }

    /** Returns whether user threads must wait before they emit more. May be called from any thread. */
    public boolean mustWait() {
        return outsideEmits.isFull()
                && !emits.shared().lifecycle().isStopping()
                && !emits.shared().lifecycle().isDead();
    }
}
