package io.updraft.observe.history;

import io.updraft.engine.snapshot.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The histories of a run, in bounded memory. When the limit is reached, the oldest samples are merged into samples of ten
 * seconds; when none is left to merge, the oldest are dropped. Written by the sampler's thread, read by threads that answer
 * requests; all hold the same lock for some milliseconds at most.
 */
public final class Histories {
    /** The largest memory of all samples, bytes. */
    public static final long LIMIT_BYTES = 32L << 20;

    private final long limit;
    private final List<History> all = new ArrayList<>();

    public Histories() {
        this(LIMIT_BYTES);
    }

    Histories(long limit) {
        this.limit = limit;
    }

    synchronized History begin(String name) {
        History history = new History(name);
        all.add(history);
        return history;
    }

    synchronized void add(History to, long endMillis, double seconds, Map<HistorySeries, double[]> sample) {
        to.add(endMillis, seconds, sample);
        while (bytes() > limit && save()) {
            // Once more.
        }
        all.removeIf(history -> history.isEmpty() && history.endedMillis() != 0);
    }

    synchronized void addMoves(History to, List<Move> newest) {
        to.addMoves(newest);
    }

    /** Saves memory once. {@return whether that was possible} */
    private boolean save() {
        History fine = oldest(History::oldestFineMillis);
        if (fine.oldestFineMillis() != Long.MAX_VALUE) {
            fine.makeCoarser();
            return true;
        }
        History old = oldest(History::oldestMillis);
        if (old.oldestMillis() != Long.MAX_VALUE) {
            old.dropOldest();
            return true;
        }
        return false;
    }

    private History oldest(ToLongFunction<History> millis) {
        return all.stream().min(Comparator.comparingLong(millis)).orElseThrow();
    }

    synchronized void end(History history, long millis) {
        history.end(millis);
    }

    synchronized long bytes() {
        return all.stream().mapToLong(History::bytes).sum();
    }

    /** {@return the names of the ended topologies that have a history} */
    public synchronized Set<String> endedNames() {
        return all.stream()
                .filter(history -> history.endedMillis() != 0)
                .map(History::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Reads the histories with a name; all of them if the name is null. */
    synchronized <T> List<T> read(String name, Function<History, T> reader) {
        return all.stream()
                .filter(history -> name == null || history.name().equals(name))
                .map(reader)
                .toList();
    }
}
