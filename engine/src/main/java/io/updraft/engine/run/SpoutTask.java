package io.updraft.engine.run;

import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.run.SpoutOutput.SpoutTaskOwner;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.TopologyContext;

/** One task of a spout. */
final class SpoutTask extends ExecutorTask {

    /** The failures by message id; message ids are unique only within a task. */
    final MessageFailures replays;

    /** The spout that the engine calls: the instance itself or its wrapper; null while the instance is not open. */
    ISpout spout;

    SpoutCollector collector;

    boolean active;

    /** The executor that has the task. */
    private final SpoutTaskOwner owner;

    /** The instance with its current wrapper. */
    private ISpout outermost;

    /**
     * Counts how often the messages of one task have failed. Contains only messages that have failed, and only the newest of
     * those, so its size is bounded.
     *
     * @param limit failures of a message; with one more it is dead-lettered; 0 for never
     */
    record MessageFailures(int limit, Map<Object, Integer> failures) {

        private static final int KEPT = 100_000;

        private MessageFailures(int limit) {
            this(limit, new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Object, Integer> eldest) {
                    return size() > KEPT;
                }
            });
        }

        /** Counts a failure. Returns the number of failures if the message must be dead-lettered now, else 0. */
        int failed(Object messageId) {
            int count = limit == 0 ? 0 : failures.merge(messageId, 1, Integer::sum);
            return count > limit ? count : 0;
        }

        void acked(Object messageId) {
            if (!failures.isEmpty()) {
                failures.remove(messageId);
            }
        }
    }

    SpoutTask(SpoutTaskOwner owner, int maxReplays) {
        super(owner.taskId());
        this.owner = owner;
        this.replays = new MessageFailures(maxReplays);
    }

    @Override
    boolean isOpen() {
        return spout != null;
    }

    @Override
    void open(EmitContext emits, Object made, OutStreams out, TopologyContext context, Map<String, Object> conf) {
        ISpout opening = (ISpout) made;
        collector = new SpoutCollector(owner, opening, out, context);
        take(opening);
        try {
            opening.open(conf, context, collector);
        } catch (Throwable t) {
            dropMessages();
            throw t;
        }
        spout = outermost;
        active = false;
    }

    @Override
    void wrap(TaskWrapper wrapper) {
        ISpout own = (ISpout) instance();
        outermost = wrapper == null ? own : wrapper.wrapSpout(own);
        collector.wrap(wrapper, outermost);
        if (spout != null) {
            spout = outermost;
        }
    }

    /**
     * Closes the instance and drops its messages, because a new instance would not know them. Replayed dead letters stay in flight.
     */
    @Override
    void close(ExecutorFailures failures) {
        ISpout closing = spout;
        spout = null;
        dropMessages();
        if (closing != null) {
            if (active) {
                active = false;
                callLast(failures, "deactivate", closing::deactivate);
            }
            callLast(failures, "close", closing::close);
            release();
        }
    }

    private void dropMessages() {
        if (collector != null) {
            collector.release();
        }
        owner.output().trees().dropTask(owner.index(), SpoutResults::isReplay);
    }

    @Override
    void moveTo(Executor next, int nextIndex) {
        SpoutOutput output = ((SpoutExecutor) next).output();
        owner.output().moveEmits(taskId, output);
        owner.moveTo(output, nextIndex);
        super.moveTo(next, nextIndex);
        if (collector != null) {
            collector.moveTo(output);
        }
    }

    @Override
    void release() {
        spout = null;
        outermost = null;
        super.release();
    }
}
