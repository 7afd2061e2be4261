package io.updraft.engine.emit;

import io.updraft.engine.turn.TurnThread;
import java.util.List;
import org.apache.storm.spout.ISpoutOutputCollector;

/** The engine's own collector beneath the wrapped collector of a spout. Calls in the spout's turn take the quick path. */
final class UnwrappedSpoutCollector implements ISpoutOutputCollector {

    /** The detour of the executor that has the task now. */
    private volatile TurnThread detour;

    private final SpoutCollector quick;

    UnwrappedSpoutCollector(TurnThread detour, SpoutCollector quick) {
        this.detour = detour;
        this.quick = quick;
    }

    void moveTo(TurnThread next) {
        detour = next;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (!detour.resumeQuickPath()) {
            return quick.emitOutside(streamId, values, messageId);
        }
        try {
            return quick.emit(streamId, values, messageId);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public void emitDirect(int task, String streamId, List<Object> values, Object messageId) {
        if (!detour.resumeQuickPath()) {
            quick.emitDirectOutside(task, streamId, values, messageId);
            return;
        }
        try {
            quick.emitDirect(task, streamId, values, messageId);
        } finally {
            detour.leaveQuickPath();
        }
    }

    @Override
    public long getPendingCount() {
        return quick.getPendingCount();
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
