package io.updraft.storm.instrument;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.storm.tuple.Tuple;

/** Follows the tuples of one message through the bolts. Safe to use from any thread. */
final class MessageTrace {
    /** The maximum number of tuples followed at the same time; a message may have any number. */
    private static final int MAX_TUPLES = 1_000;

    private static final int MAX_NAMED = 3;

    private final List<Object> values;
    private final Consumer<String> seen;

    /** Tuples that their bolt has neither acked nor failed. */
    private final Map<Tuple, Holder> held = new IdentityHashMap<>();

    /** The id of the message's tree, read from its first tuple; null before that. */
    private volatile Long root;

    private boolean ended;

    /** The bolt that has a tuple. */
    private record Holder(String place, boolean executing) {
        @Override
        public String toString() {
            return place + (executing ? ", which is executing it" : ", which keeps it without ack or fail");
        }
    }

    /** Follows the message that is emitted with the given list of values, compared by identity. */
    MessageTrace(List<Object> values, Consumer<String> seen) {
        this.values = values;
        this.seen = seen;
    }

    void executing(Tuple input, String place) {
        if (isOurs(input)) {
            synchronized (this) {
                if (held.size() < MAX_TUPLES) {
                    held.put(input, new Holder(place, true));
                    reportPlace();
                }
            }
        }
    }

    /**
     * Returns whether a tuple belongs to the message. Only the spout's own tuple is recognized by its values, because a bolt
     * may emit the same list for other messages too. All others are recognized by the tree's id.
     */
    private boolean isOurs(Tuple input) {
        Long rootId = root;
        if (rootId != null) {
            return input.getMessageId().getAnchorsToIds().containsKey(rootId);
        }
        if (input.getValues() == values) {
            input.getMessageId().getAnchorsToIds().keySet().forEach(only -> root = only);
        }
        return root != null;
    }

    synchronized void executed(Tuple input) {
        Holder holder = held.get(input);
        if (holder != null) {
            held.put(input, new Holder(holder.place, false));
            reportPlace();
        }
    }

    synchronized void settled(Tuple input, String how) {
        Holder holder = held.remove(input);
        if (holder == null) {
            return;
        }
        if (held.isEmpty()) {
            reportPlace(holder.place + ", which has " + how + " it");
        } else {
            reportPlace();
        }
    }

    private void reportPlace() {
        Set<String> holders = new TreeSet<>();
        held.values().forEach(holder -> holders.add(holder.toString()));
        int more = holders.size() - MAX_NAMED;
        String named =
                String.join("; and in ", holders.stream().limit(MAX_NAMED).toList());
        reportPlace(more > 0 ? named + "; and in " + more + " others" : named);
    }

    private void reportPlace(String where) {
        if (!ended) {
            seen.accept(where);
        }
    }

    synchronized void end() {
        ended = true;
        held.clear();
    }
}
