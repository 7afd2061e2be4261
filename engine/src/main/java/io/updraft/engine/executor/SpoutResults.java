package io.updraft.engine.executor;

import io.updraft.engine.count.LatencyRecorder;
import io.updraft.engine.emit.Outbox;
import io.updraft.engine.emit.OutputCounts;
import io.updraft.engine.emit.SpoutOutput;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.state.TopologyServices;
import io.updraft.engine.tracker.SpoutTrees;
import io.updraft.engine.tracker.TreeTags;
import org.apache.storm.spout.ISpout;
import org.apache.storm.tuple.Values;

/**
 * Notifies the spouts of one executor of the results of their messages, and gives up messages that have failed too often. Used
 * in a turn of the executor.
 */
final class SpoutResults implements SpoutTrees.Results {

    private final Executor executor;
    private final TopologyServices shared;
    private final Outbox outbox;
    private final OutputCounts outputs;
    private final LatencyRecorder completeLatency = new LatencyRecorder();
    private final TreeTags tags;
    private final SpoutTask[] tasks;

    /** The task if all messages belong to one task and one stream, else null. */
    private SpoutTask sole;

    private final boolean givesUp;
    private long deadLettered;

    /** The message id of a dead letter in flight. */
    private record GivenUp(Object messageId) {

        @Override
        public String toString() {
            return String.valueOf(messageId);
        }
    }

    SpoutResults(Executor executor, SpoutTask[] tasks, TreeTags tags) {
        this.executor = executor;
        this.shared = executor.shared();
        this.outbox = executor.outbox;
        this.outputs = executor.outputs;
        this.tasks = tasks;
        this.tags = tags;
        this.givesUp = shared.settings().maxReplays() > 0;
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
        if (givesUp) {
            task.replays.acked(messageId);
            ack(task, messageId instanceof GivenUp givenUp ? givenUp.messageId() : messageId);
        } else {
            ack(task, messageId);
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
        if (messageId instanceof GivenUp givenUp) {
            fail(task, givenUp.messageId());
            return;
        }
        int failures = task.replays.failed(messageId);
        if (failures > 0) {
            giveUp(task, messageId, (SpoutOutput.PendingMessage) payload, failures, reason);
        } else {
            fail(task, messageId);
        }
    }

    private void fail(SpoutTask task, Object messageId) {
        if (task.spout == null) {
            return;
        }
        executor.budget.countCalls(1);
        try {
            task.spout.fail(messageId);
        } catch (Throwable t) {
            executor.failures.handle(task.taskId, "fail", t);
        }
    }

    /**
     * Emits a message on the dead letter stream. The message is acked to the spout, so that it is not replayed, once the
     * subscribers of the dead letter stream have acked it.
     */
    private void giveUp(
            SpoutTask task, Object messageId, SpoutOutput.PendingMessage message, int failures, String reason) {
        deadLettered++;
        task.replays.acked(messageId);
        String component = executor.component.id();
        shared.deadLetters().add(component, task.taskId, message.stream(), messageId, message.values(), failures);
        Values letter =
                new Values(component, task.taskId, message.stream(), messageId, message.values(), failures, reason);
        task.collector.emit(Planner.DEAD_LETTER_STREAM, letter, new GivenUp(messageId));
    }
}
