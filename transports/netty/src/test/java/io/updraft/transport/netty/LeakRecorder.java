package io.updraft.transport.netty;

import io.netty.util.ResourceLeakDetector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Netty's leak detector, which records leaks instead of logging them. The build names it in
 * {@code io.netty.customResourceLeakDetector}.
 *
 * @param <T> the type of the tracked resource
 */
public final class LeakRecorder<T> extends ResourceLeakDetector<T> {

    static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    /**
     * For Netty.
     *
     * @param type what is watched
     * @param samplingInterval ignored on the level paranoid
     */
    public LeakRecorder(Class<?> type, int samplingInterval) {
        super(type, samplingInterval);
    }

    /**
     * For older parts of Netty.
     *
     * @param type what is watched
     * @param samplingInterval ignored on the level paranoid
     * @param maxActive not used any more
     */
    public LeakRecorder(Class<?> type, int samplingInterval, long maxActive) {
        super(type, samplingInterval);
    }

    @Override
    protected boolean needReport() {
        return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
        LEAKS.add(type + ": " + records);
    }

    @Override
    protected void reportUntracedLeak(String type) {
        LEAKS.add(type);
    }
}
