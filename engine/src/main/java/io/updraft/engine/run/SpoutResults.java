package io.updraft.engine.run;

import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.tuple.SpoutTrees;
import io.updraft.engine.tuple.TreeTags;
import java.util.List;
import org.apache.storm.spout.ISpout;
import org.apache.storm.tuple.Values;

/**
 * Notifies the spouts of one executor of the results of their messages, and gives up messages that have failed too often. Used
 * in a turn of the executor.
 */
final class SpoutResults implements SpoutTrees.Results {

    private final SpoutExecutor executor;
    private final TopologyServices shared;
    private final Outbox outbox;
    private final OutputCounts outputs;
    private final LatencyRecorder completeLatency = new LatencyRecorder();
    private final TreeTags tags;
    private final SpoutTask[] tasks;

    /** The task if all messages belong to one task and one stream, else null. */
    private SpoutTask sole;

    /** Whether dead letters may be in flight, or messages that have failed are counted. */
    private boolean hasLetters;

    /** Why the message failed for which the spout's {@code fail} is called now; null outside of that call. */
    private String reasonOfFail;

    private long deadLettered;

    /**
     * The message id of a dead letter in flight: on the dead letter stream, or replayed. Compared by identity.
     */
    private static final class LetterId {
        private final Object messageId;

        /** The letter that is replayed; null on the dead letter stream. */
        private final DeadLetter replayed;

        private LetterId(Object messageId, DeadLetter replayed) {
            this.messageId = messageId;
            this.replayed = replayed;
        }

        @Override
        public String toString() {
            return String.valueOf(messageId);
        }
    }

    SpoutResults(SpoutExecutor executor, SpoutTask[] tasks, TreeTags tags) {
        this.executor = executor;
        this.shared = executor.shared();
        this.outbox = executor.outbox;
        this.outputs = executor.outputs;
        this.tasks = tasks;
        this.tags = tags;
        this.hasLetters = shared.settings().maxReplays() > 0;
        begin();
    }

    /** Takes note of the tasks, before the first turn. */
    void begin() {
        sole = tasks.length == 1 && !tags.byStream() ? tasks[0] : null;
    }

    LatencyRecorder completeLatency() {
        return completeLatency;
    }

    long deadLettered() {
        return deadLettered;
    }

    @Override
    public void timed(int tag, long since) {
        long nanos = shared.clock().nanoTime() - since;
        completeLatency.record(nanos);
        outputs.completed(tags.byStream() ? tags.stream(tag) : outputs.mainStream(), nanos);
    }

    @Override
    public void completed(int tag, Object messageId) {
        SpoutTask task = sole != null ? sole : taskOfAcked(tag);
        outbox.countAck();
        if (hasLetters) {
            if (messageId instanceof LetterId letter) {
                completed(task, letter);
                return;
            }
            task.replays.acked(messageId);
        }
        ack(task, messageId);
    }

    private void completed(SpoutTask task, LetterId letter) {
        if (letter.replayed == null) {
            ack(task, letter.messageId);
        } else {
            shared.kept().completed(letter.replayed);
        }
    }

    private SpoutTask taskOfAcked(int tag) {
        if (tags.byStream()) {
            outputs.acked(tags.stream(tag));
        }
        return tasks[tags.taskIndex(tag)];
    }

    private void ack(SpoutTask task, Object messageId) {
        ISpout spout = task.spout;
        if (spout == null) {
            return;
        }
        executor.called(task);
        try {
            spout.ack(messageId);
        } catch (Throwable t) {
            executor.failures.handle(task.taskId, "ack", t);
        }
    }

    @Override
    public void failed(int tag, Object messageId, Object payload, String reason) {
        SpoutTask task = tasks[tags.taskIndex(tag)];
        outbox.countFail();
        if (tags.byStream()) {
            outputs.failed(tags.stream(tag));
        }
        if (messageId instanceof LetterId letter) {
            failed(task, letter, reason);
            return;
        }
        int failures = task.replays.failed(messageId);
        if (failures > 0) {
            giveUp(task, messageId, (SpoutOutput.PendingMessage) payload, failures, reason);
        } else {
            fail(task, messageId, reason);
        }
    }

    private void failed(SpoutTask task, LetterId letter, String reason) {
        if (letter.replayed == null) {
            fail(task, letter.messageId, reason);
        } else {
            shared.kept().failed(letter.replayed, reason);
        }
    }

    private void fail(SpoutTask task, Object messageId, String reason) {
        if (task.spout == null) {
            return;
        }
        executor.budget.countCalls(1);
        executor.called(task);
        reasonOfFail = reason;
        try {
            task.spout.fail(messageId);
        } catch (Throwable t) {
            executor.failures.handle(task.taskId, "fail", t);
        } finally {
            reasonOfFail = null;
        }
    }

    /**
     * Emits a message on the dead letter stream. The message is acked to the spout, so that it is not replayed, once the
     * subscribers of the dead letter stream have acked it.
     */
    private void giveUp(
            SpoutTask task, Object messageId, SpoutOutput.PendingMessage message, int failures, String reason) {
        task.replays.acked(messageId);
        DeadLetter letter = keep(task.taskId, message.stream(), messageId, message.values(), failures, reason);
        Values values = new Values(
                letter.component(), task.taskId, letter.stream(), messageId, letter.values(), failures, reason);
        task.collector.emit(Planner.DEAD_LETTER_STREAM, values, new LetterId(messageId, null));
    }

    /** Keeps a message that the spout itself has given up. */
    void addDeadLetter(int taskId, String stream, Object messageId, List<Object> values, int failures) {
        String reason = reasonOfFail == null ? "given up by its spout" : reasonOfFail;
        keep(taskId, stream, messageId, values, failures, reason);
    }

    private DeadLetter keep(
            int taskId, String streamId, Object messageId, List<Object> values, int failures, String reason) {
        deadLettered++;
        boolean direct = executor.component.outputs().stream()
                .anyMatch(stream -> stream.streamId().equals(streamId) && stream.direct());
        DeadLetter letter = shared.kept()
                .add(
                        executor.component.id(),
                        taskId,
                        streamId,
                        messageId,
                        values,
                        failures,
                        reason,
                        shared.clock().currentTimeMillis(),
                        direct ? DeadLetter.Replay.DIRECT_STREAM : DeadLetter.Replay.POSSIBLE);
        shared.deadLetters().accept(letter);
        return letter;
    }

    /** Returns whether a message is a replayed letter. The instance of the spout does not know the message. */
    static boolean isReplay(Object messageId) {
        return messageId instanceof LetterId letter && letter.replayed != null;
    }

    /** Emits the message of a dead letter once more. The spout is not notified of the result. */
    void replay(SpoutTask task, DeadLetter letter) {
        hasLetters = true;
        try {
            task.collector.emit(letter.stream(), letter.values(), new LetterId(letter.messageId(), letter));
        } catch (Throwable t) {
            shared.kept().failed(letter, "cannot be emitted: " + t);
            executor.failures.handle(task.taskId, "replay", t);
        }
    }
}
