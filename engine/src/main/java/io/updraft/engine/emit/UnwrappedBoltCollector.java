package io.updraft.engine.emit;

import io.updraft.engine.turn.TurnThread;
import java.util.Collection;
import java.util.List;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.tuple.Tuple;

/** The engine's own collector beneath the wrapped collector of a bolt. Calls in the bolt's turn take the quick path. */
final class UnwrappedBoltCollector implements IOutputCollector {

    /** The detour of the executor that has the task now. */
    private volatile TurnThread detour;

    private final BoltCollector quick;
    private final UserThreadCalls outside;

    UnwrappedBoltCollector(TurnThread detour, BoltCollector quick, UserThreadCalls outside) {
        this.detour = detour;
        this.quick = quick;
        this.outside = outside;
    }

    void moveTo(TurnThread next) {
        detour = next;
    }

    @Override
    public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (!detour.resumeQuickPath()) {
            return outside.emit(streamId, anchors, values);
        }
        try {
            return quick.emit(streamId, anchors, values);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void emitDirect(int task, String streamId, Collection<Tuple> anchors, List<Object> values) {
        if (!detour.resumeQuickPath()) {
            outside.emitDirect(task, streamId, anchors, values);
            return;
        }
        try {
            quick.emitDirect(task, streamId, anchors, values);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void ack(Tuple input) {
        if (!detour.resumeQuickPath()) {
            outside.ack(input);
            return;
        }
        try {
            quick.ack(input);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void fail(Tuple input) {
        if (!detour.resumeQuickPath()) {
            outside.fail(input);
            return;
        }
        try {
            quick.fail(input);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void resetTimeout(Tuple input) {
        if (!detour.resumeQuickPath()) {
            outside.resetTimeout(input);
            return;
        }
        try {
            quick.resetTimeout(input);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void reportError(Throwable error) {
        quick.reportError(error);
    }

    @Override
    public void flush() {
        quick.flush();
    }
}
