package io.updraft.storm.instrument;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Time;

/**
 * The times at which a bolt began to execute the timed tuples. Bounded, because a bolt may never ack. Safe to use from any
 * thread, because acks may come from any thread.
 */
final class ExecuteStartTimes {

    private static final int MAX_TUPLES = 65_536;

    private final Map<Tuple, Long> since = new IdentityHashMap<>();

    synchronized void put(Tuple input, long nowMs) {
        if (since.size() >= MAX_TUPLES) {
            Iterator<Tuple> any = since.keySet().iterator();
            any.next();
            any.remove();
        }
        since.put(input, nowMs);
    }

    /** Returns the milliseconds since the start of a tuple, or {@link Watcher#NOT_SAMPLED}. Removes the tuple. */
    synchronized long take(Tuple input) {
        Long start = since.remove(input);
        return start == null ? Watcher.NOT_SAMPLED : Time.deltaMs(start);
    }
}
