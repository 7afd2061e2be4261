package io.updraft.engine.loop;

import java.util.List;
import org.apache.storm.spout.ISpoutOutputCollector;

/** The engine's own collector beneath the wrapped collector of a spout. Calls in the spout's turn take the quick path. */
final class PlainSpoutCalls implements ISpoutOutputCollector {

    /** The detour of the executor that has the task now. */
    private volatile Detour detour;

    private final SpoutCollector quick;

    PlainSpoutCalls(Detour detour, SpoutCollector quick) {
        this.detour = detour;
        this.quick = quick;
    }

    void moveTo(Detour next) {
        detour = next;
    }

    @Override
    public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
        if (!detour.begin()) {
            return quick.emitOutside(streamId, values, messageId);
        }
        try {
            return quick.emit(streamId, values, messageId);
        } finally {
            detour.end();
        }
    }

    @Override
    public void emitDirect(int task, String streamId, List<Object> values, Object messageId) {
        if (!detour.begin()) {
            quick.emitDirectOutside(task, streamId, values, messageId);
            return;
        }
        try {
            quick.emitDirect(task, streamId, values, messageId);
        } finally {
            detour.end();
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
