package io.updraft.testing.contract;

import io.updraft.testing.contract.Violation.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;

/** One instance of a spout, from its creation to its end. */
final class SpoutRun extends InstanceRun implements ISpoutOutputCollector {
    private static final int MAX_PER_CALL = 10_000;
    private static final int MAX_CHECKED = 100;

    private final ISpout spout;
    private final Map<Object, List<Object>> pending = new LinkedHashMap<>();
    private boolean active;
    private int inThisCall;

    SpoutRun(ComponentEnvironment stage, ViolationCollector findings, CallGuard guarded, boolean pushesBack) {
        super(stage, findings, guarded, pushesBack);
        this.spout = (ISpout) stage.instance();
    }

    boolean open() {
        return guarded.call("open", () -> spout.open(stage.conf(), stage.context(), new SpoutOutputCollector(this)));
    }

    void activate() {
        synchronized (this) {
            active = true;
        }
        guarded.call("activate", spout::activate);
    }

    void deactivate() {
        guarded.call("deactivate", spout::deactivate);
        synchronized (this) {
            active = false;
        }
    }

    /** Calls nextTuple a number of times. */
    void next(int times) {
        for (int i = 0; i < times; i++) {
            synchronized (this) {
                inThisCall = 0;
            }
            guarded.call("nextTuple", spout::nextTuple);
        }
    }

    void ack(Object id) {
        forget(id);
        guarded.call("ack", () -> spout.ack(id));
    }

    void fail(Object id) {
        forget(id);
        guarded.call("fail", () -> spout.fail(id));
    }

    private synchronized void forget(Object id) {
        pending.remove(id);
    }

    void close() {
        guarded.call("close", spout::close);
    }

    /** Returns the ids of pending messages, oldest first. */
    synchronized List<Object> ids() {
        return new ArrayList<>(pending.keySet());
    }

    /** Returns the values of pending messages by id. */
    synchronized Map<Object, List<Object>> pending() {
        return new LinkedHashMap<>(pending);
    }

    boolean isOver() {
        return guarded.isOver();
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> tuple, Object messageId) {
        emitting(streamId, tuple, messageId, false);
        return List.of();
    }

    @Override
    public void emitDirect(int taskId, String streamId, List<Object> tuple, Object messageId) {
        emitting(streamId, tuple, messageId, true);
    }

    private void emitting(String stream, List<Object> tuple, Object messageId, boolean direct) {
        if (inThisCall < MAX_CHECKED) {
            pushBack();
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            if (!active) {
                findings.add(
                        Rule.RESTS_WHEN_INACTIVE, "the tuple " + tuple + " was emitted while the spout was not active");
            }
            inThisCall++;
            if (inThisCall == MAX_PER_CALL) {
                findings.add(
                        Rule.EMITS_LITTLE_AT_ONCE,
                        "one call of nextTuple emits at least " + MAX_PER_CALL
                                + " tuples: acks, fails and back-pressure wait until the call returns");
                guarded.giveUp();
                throw new IllegalStateException("nextTuple emits too many tuples in one call");
            }
            if (stage.mayEmit(stream, tuple, direct, findings) && inThisCall <= MAX_CHECKED) {
                values.emitted(stream, tuple);
            }
            if (messageId != null && pending.put(messageId, new ArrayList<>(tuple)) != null) {
                findings.add(
                        Rule.DISTINCT_MESSAGE_IDS,
                        "two messages are pending with the id " + messageId + ": an ack cannot tell them apart");
            }
        }
    }

    @Override
    public synchronized long getPendingCount() {
        return pending.size();
    }

    @Override
    public void flush() {}

    /** Does nothing: a spout may report errors without violating a rule. */
    @Override
    public void reportError(Throwable error) {}
}
