package io.updraft.timeseries.bolt;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.storm.tuple.Tuple;

/** Tuples that are not acked yet, by the end of the latest window that contains them. One thread only. */
final class HeldTuples {

    /** The tuples of one window, in an array that doubles when full, so that a tuple needs no object of its own. */
    private static final class WindowTuples {
        final long end;
        Tuple[] tuples = new Tuple[64];
        int size;

        WindowTuples(long end) {
            this.end = end;
        }
    }

    private final TreeMap<Long, WindowTuples> byEnd = new TreeMap<>();
    private WindowTuples last = new WindowTuples(Long.MIN_VALUE);

    void add(long end, Tuple tuple) {
        WindowTuples held = last;
        if (held.end != end) {
            held = byEnd.computeIfAbsent(end, WindowTuples::new);
            last = held;
        }
        if (held.size == held.tuples.length) {
            held.tuples = Arrays.copyOf(held.tuples, held.size * 2);
        }
        held.tuples[held.size++] = tuple;
    }

    /** Releases all tuples whose window ends at or before a time. */
    void release(long time, Consumer<Tuple> to) {
        Iterator<Map.Entry<Long, WindowTuples>> each = byEnd.entrySet().iterator();
        while (each.hasNext()) {
            Map.Entry<Long, WindowTuples> entry = each.next();
            if (entry.getKey() > time) {
                return;
            }
            each.remove();
            last = new WindowTuples(Long.MIN_VALUE);
            passAll(entry.getValue(), to);
        }
    }

    /** Passes all held tuples to a consumer. */
    void forEach(Consumer<Tuple> to) {
        byEnd.values().forEach(held -> passAll(held, to));
    }

    private static void passAll(WindowTuples held, Consumer<Tuple> to) {
        for (int i = 0; i < held.size; i++) {
            to.accept(held.tuples[i]);
        }
    }
}
