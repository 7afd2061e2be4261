package io.updraft.storm.instrument;

import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.Map;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.Time;

/**
 * When a bolt began to execute the tuples that are timed. Bounded, since a bolt need never ack. Safe from any thread, for so are
 * acks.
 */
final class Starts {

    private static final int MOST = 65_536;

    private final Map<Tuple, Long> since = new IdentityHashMap<>();

    synchronized void put(Tuple input, long nowMs) {
        if (since.size() >= MOST) {
            Iterator<Tuple> any = since.keySet().iterator();
            any.next();
            any.remove();
        }
        since.put(input, nowMs);
    }

    /** Milliseconds since then, or {@link Watcher#NOT_SAMPLED}. The tuple is forgotten. */
    synchronized long take(Tuple input) {
        Long start = since.remove(input);
        return start == null ? Watcher.NOT_SAMPLED : Time.deltaMs(start);
    }
}
