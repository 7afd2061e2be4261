package io.updraft.engine.snapshot;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where a message of a spout was seen last: the oldest message in flight, or the messages that timed out at one place.
 *
 * <p>The place is the component that sent the tuple for which the message waits. The tuple is with a bolt downstream of that
 * component: queued there, or executed and neither acked nor failed. Usually that is a subscriber. If bolts emit exactly one
 * tuple for the one that they receive, and ack that in the same turn, the new tuple takes the place of the old one; it then
 * counts as sent by the component that sent the old one, and may be further downstream. Only where the engine measures how long the
 * bolt takes for the tuple does the new one count as sent by the bolt.
 *
 * @param spout the spout
 * @param timedOut messages that have timed out there since the start; 0 for the oldest message in flight
 * @param message the message id as a short text; of messages that timed out, that of the newest one of a process
 * @param nanos how long this message is in flight, or was when it timed out, since its emit or since its timeout was restarted,
 *     nanoseconds
 * @param component the component; empty if the message waits for several tuples, or if its place is not known
 * @param held whether the component itself holds the tuple: it has emitted another tuple for it, and neither acked nor failed it
 */
public record LastSeen(String spout, long timedOut, String message, long nanos, String component, boolean held) {

    private record Place(String spout, String component, boolean held) {}

    /** {@return whether this is the oldest message in flight of its spout} */
    public boolean isInFlight() {
        return timedOut == 0;
    }

    /**
     * Merges the places of several executors or processes.
     *
     * @param all places, in any order
     * @return the oldest message in flight of each spout, and the sums of the messages that timed out, for each place
     */
    public static List<LastSeen> merge(Stream<LastSeen> all) {
        Map<String, LastSeen> oldest = new LinkedHashMap<>();
        Map<Place, LastSeen> timedOut = new LinkedHashMap<>();
        all.forEach(each -> {
            if (each.isInFlight()) {
                oldest.merge(each.spout, each, LastSeen::older);
            } else {
                timedOut.merge(new Place(each.spout, each.component, each.held), each, LastSeen::plus);
            }
        });
        return Stream.concat(
                        oldest.values().stream(),
                        timedOut.values().stream()
                                .sorted(Comparator.comparingLong(LastSeen::timedOut)
                                        .reversed()))
                .toList();
    }

    private static LastSeen older(LastSeen a, LastSeen b) {
        return a.nanos >= b.nanos ? a : b;
    }

    private LastSeen plus(LastSeen later) {
        return new LastSeen(spout, timedOut + later.timedOut, later.message, later.nanos, component, held);
    }
}
