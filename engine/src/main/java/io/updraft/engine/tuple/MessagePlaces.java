package io.updraft.engine.tuple;

import io.updraft.engine.snapshot.KeyText;
import io.updraft.engine.snapshot.LastSeen;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where the messages of one spout executor are: the oldest one in flight, and those that timed out.
 *
 * <p>Nothing is recorded while a tuple is under way. The tracker has the XOR of the open edges of a tree, and a single edge tells
 * which component created it:
 *
 * <pre>
 *   the edge derived from the root      the spout sent the tuple
 *   an edge of a component              the component sent the tuple
 *   the XOR of both                     the component has received the spout's tuple, has emitted another one that is complete
 *                                       or was emitted by a thread of its own, and has not acked the spout's tuple
 *   any other number                    several edges are open, or the component is unknown; see EdgeOrigins
 * </pre>
 *
 * <p>Belongs to the thread that runs the executor, except {@link #read}.
 */
public final class MessagePlaces {

    /** Trees that may time out at one check and whose edges are looked up. Further ones count as at an unknown place. */
    private static final int MAX_LOOKUPS = 1000;

    /** Roots at which the search for the oldest open tree ends. */
    private static final int MAX_STEPS = 1 << 16;

    /** A message that is in flight for less time is not shown, nanoseconds. */
    private static final long OLD_NANOS = 1_000_000_000L;

    /** The component of a tuple whose edge is derived from its root. */
    private static final String OWN_SPOUT = null;

    private static final Place UNKNOWN = new Place("", false);

    private final TreeTracker tracker;
    private final EdgeOrigins origins;
    private final Map<Place, TimedOut> timedOut = new HashMap<>();
    private int lookups;

    /** The published places, for readers on other threads. */
    private volatile Published published = new Published(null, List.of());

    private record Place(String component, boolean held) {
        LastSeen lastSeen(String spout, long count, String message, long nanos) {
            return new LastSeen(spout, count, message, nanos, component == OWN_SPOUT ? spout : component, held);
        }
    }

    private record Oldest(long root, long since, String message, Place place) {}

    private record PlaceCount(Place place, long count, String message, long nanos) {}

    private record Published(Oldest oldest, List<PlaceCount> timedOut) {}

    /** The messages that timed out at one place. */
    private static final class TimedOut {
        private long count;

        /** The newest message, until its text is made; then null. */
        private Object newest;

        private String text;
        private long nanos;

        private PlaceCount publish(Place place) {
            if (newest != null) {
                text = KeyText.of(newest);
                newest = null;
            }
            return new PlaceCount(place, count, text, nanos);
        }
    }

    MessagePlaces(TreeTracker tracker, EdgeOrigins origins) {
        this.tracker = tracker;
        this.origins = origins;
    }

    /** Counts a tree that has timed out and is still open. */
    void timedOut(long root, long now) {
        Place place = ++lookups > MAX_LOOKUPS ? UNKNOWN : placeOf(root);
        TimedOut all = timedOut.computeIfAbsent(place, key -> new TimedOut());
        all.count++;
        all.newest = tracker.messageId(root);
        all.nanos = now - tracker.since(root);
    }

    /** Publishes the places. Calls {@code toString} of message ids: of the oldest and of the newest ones that timed out. */
    void publish(long now) {
        Oldest oldest = oldest(now);
        if (lookups > 0 || oldest != published.oldest) {
            List<PlaceCount> counts = lookups == 0
                    ? published.timedOut
                    : timedOut.entrySet().stream()
                            .map(entry -> entry.getValue().publish(entry.getKey()))
                            .toList();
            lookups = 0;
            published = new Published(oldest, counts);
        }
    }

    private Oldest oldest(long now) {
        long root = tracker.inFlight() == 0 ? 0 : tracker.first();
        for (int steps = 0; steps < MAX_STEPS && root > 0; steps++, root++) {
            if (tracker.isOpen(root)) {
                long since = tracker.since(root);
                return now - since < OLD_NANOS ? null : new Oldest(root, since, textOf(root), placeOf(root));
            }
        }
        return null;
    }

    private String textOf(long root) {
        Oldest before = published.oldest;
        return before != null && before.root == root ? before.message : KeyText.of(tracker.messageId(root));
    }

    private Place placeOf(long root) {
        long first = tracker.edgeOf(root);
        long open = tracker.openEdges(root);
        if (open == first) {
            return new Place(OWN_SPOUT, false);
        }
        String sender = origins.componentOf(open);
        if (sender != null) {
            return new Place(sender, false);
        }
        String holder = origins.componentOf(open ^ first);
        return holder == null ? UNKNOWN : new Place(holder, true);
    }

    /**
     * Reads the published places, at most a second old. May be called from any thread.
     *
     * @param spout the id of the spout
     * @param now the time, nanoseconds
     * @return the oldest message in flight, if there is one that is older than a second, and the messages that timed out by place
     */
    public Stream<LastSeen> read(String spout, long now) {
        Published last = published;
        Stream<LastSeen> counts =
                last.timedOut.stream().map(each -> each.place.lastSeen(spout, each.count, each.message, each.nanos));
        Oldest oldest = last.oldest;
        return oldest == null
                ? counts
                : Stream.concat(Stream.of(oldest.place.lastSeen(spout, 0, oldest.message, now - oldest.since)), counts);
    }
}
