package io.updraft.storm.window;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.windowing.WindowLifecycleListener;
import org.apache.storm.windowing.WindowManager;

/**
 * A sliding window over a count of tuples: the last {@code length} tuples, every {@code slide} tuples. Calls its listener
 * exactly as Storm's {@link WindowManager} with a {@code CountEvictionPolicy} and a {@code CountTriggerPolicy} does, even when
 * the listener throws. Storm's manager keeps an event for each tuple in a concurrent queue, counts it in two atomic numbers and
 * reads the clock, because a timer thread closes time windows. A count window is closed by the thread that adds the tuple, so
 * this class needs none of that.
 *
 * <p>Used by one thread at a time.
 */
final class CountWindow<T> {

    private final WindowLifecycleListener<T> listener;
    private final int length;
    private final int slide;

    private final ArrayDeque<T> kept = new ArrayDeque<>();

    /** Tuples that have expired since the last window, reported with the next window. */
    private List<T> expired = new ArrayList<>();

    private int sinceWindow;
    private int sinceLook;
    private int unseen;

    CountWindow(WindowLifecycleListener<T> listener, int length, int slide) {
        this.listener = listener;
        this.length = length;
        this.slide = slide;
    }

    void add(T tuple) {
        kept.add(tuple);
        unseen++;
        if (++sinceWindow >= slide) {
            close();
            // Reset only now: after an exception of the listener the next tuple closes a window too, as in Storm.
            sinceWindow = 0;
        }
        if (++sinceLook >= WindowManager.EXPIRE_EVENTS_THRESHOLD) {
            expire();
        }
    }

    private void close() {
        expire();
        List<T> gone = expired;
        expired = new ArrayList<>();
        List<T> all = new ArrayList<>(kept);
        List<T> added = new ArrayList<>(all.subList(Math.max(0, all.size() - unseen), all.size()));
        unseen = 0;
        if (!all.isEmpty()) {
            listener.onActivation(all, added, gone, System.currentTimeMillis());
        }
    }

    private void expire() {
        sinceLook = 0;
        if (kept.size() <= length) {
            return;
        }
        List<T> gone = new ArrayList<>(kept.size() - length);
        while (kept.size() > length) {
            gone.add(kept.poll());
        }
        expired.addAll(gone);
        listener.onExpiry(gone);
    }
}
