package io.updraft.observe.view;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.LastSeen;
import io.updraft.observe.view.TopologySample.ComponentRates;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.storm.utils.Utils;

/** Finds the bolts that may hold the tuples of messages that are in flight or have timed out. */
public final class TupleHolders {
    private static final int MAX_NAMED = 3;
    private static final double NANOS_PER_SECOND = 1e9;

    /** Time after which a bolt should have acked something, seconds. */
    private static final double PATIENCE_SECONDS = 5;

    /** Half of Storm's default message timeout: a message that is in flight for so long may fail, seconds. */
    private static final double LONG_SECONDS = 15;

    private TupleHolders() {}

    /** {@return one line that names the spouts of the trees, and at most three bolts that may hold their tuples} */
    public static String unfinished(List<ComponentSnapshot> components) {
        String spouts = components.stream()
                .filter(component -> component.inFlight() > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(component.inFlight()))
                .collect(Collectors.joining(", "));
        String bolts = bolts(components);
        return "  spouts: " + spouts + (bolts.isEmpty() ? "" : "; their tuples may be in: " + bolts);
    }

    /** {@return at most three bolts that hold tuples, those with the most first; empty if there are none} */
    static String bolts(List<ComponentSnapshot> components) {
        return holders(components)
                .limit(MAX_NAMED)
                .map(component -> component.id() + " (" + description(component) + ")")
                .collect(Collectors.joining(", "));
    }

    /**
     * {@return the bolts that have executed tuples but never acked or failed one, although messages are in flight; with the number
     * of tuples that they hold, and the oldest message in flight. Bolts with windows and batches hold tuples for a while; so all
     * must stand still, or a message must be in flight for long}
     */
    public static String neverAcked(TopologySample sample) {
        boolean tracked = sample.now().inFlightTrees() > 0
                && sample.now().uptimeNanos() / NANOS_PER_SECOND >= PATIENCE_SECONDS
                && (standsStill(sample) || hasOldMessage(sample.now()));
        String bolts = sample.components().stream()
                .map(ComponentRates::now)
                .filter(bolt -> tracked
                        && isOfUser(bolt)
                        && !bolt.spout()
                        && bolt.acked() + bolt.failed() == 0
                        && bolt.executed() > 0)
                .filter(bolt -> bolt.ownThreads() == 0 || bolt.queued() == 0)
                .map(bolt -> bolt.id() + " holds " + QuantityFormat.count(bolt.executed()))
                .collect(Collectors.joining(", "));
        return bolts.isEmpty()
                ? ""
                : oldest(sample.now()).limit(1).reduce(bolts, (all, oldest) -> all + "; the oldest message " + oldest);
    }

    /** Components of Storm, such as that of {@code updraft debug}, ack nothing. */
    private static boolean isOfUser(ComponentSnapshot component) {
        return !Utils.isSystemId(component.id());
    }

    private static boolean standsStill(TopologySample sample) {
        return sample.before() != null
                && sample.components().stream()
                        .filter(component -> isOfUser(component.now()))
                        .allMatch(component -> component.emitted() + component.executed() == 0);
    }

    private static boolean hasOldMessage(EngineSnapshot now) {
        return now.lastSeen().stream()
                .anyMatch(seen -> seen.isInFlight() && seen.nanos() >= LONG_SECONDS * NANOS_PER_SECOND);
    }

    /** {@return for each spout, the longest time first, the oldest message in flight, if it is in flight for some seconds} */
    public static Stream<String> oldest(EngineSnapshot now) {
        return now.lastSeen().stream()
                .filter(seen -> seen.isInFlight() && seen.nanos() >= PATIENCE_SECONDS * NANOS_PER_SECOND)
                .filter(seen ->
                        now.components().stream().anyMatch(c -> c.id().equals(seen.spout()) && c.inFlight() > 0))
                .sorted(Comparator.comparingLong(LastSeen::nanos).reversed())
                .map(seen -> "of " + seen.spout() + " is " + seen.message() + ", in flight for "
                        + QuantityFormat.whole((long) (seen.nanos() / NANOS_PER_SECOND)) + " s: " + place(seen, now));
    }

    /**
     * {@return how many messages have timed out since the start, by spout, and at which places, at most three; empty if none has
     * timed out}
     */
    public static String timedOut(EngineSnapshot now) {
        List<ComponentSnapshot> components = FlowOrder.of(now);
        String spouts = components.stream()
                .filter(component -> component.timedOut() > 0)
                .map(component -> component.id() + " " + QuantityFormat.whole(component.timedOut()))
                .collect(Collectors.joining(", "));
        String places = now.lastSeen().stream()
                .filter(seen -> !seen.isInFlight())
                .limit(MAX_NAMED)
                .map(seen -> QuantityFormat.whole(seen.timedOut()) + " " + place(seen, now) + " (newest: "
                        + seen.message() + ")")
                .collect(Collectors.joining(", "));
        String bolts = places.isEmpty() ? bolts(components) : "";
        return spouts.isEmpty()
                ? ""
                : spouts
                        + (places.isEmpty() ? "" : "; " + places)
                        + (bolts.isEmpty() ? "" : "; tuples may be in " + bolts);
    }

    /** {@return where a message is or was: the component that sent the tuple it waits for, and the bolts that may hold that} */
    static String place(LastSeen seen, EngineSnapshot now) {
        if (seen.held()) {
            return "received and not acked by " + seen.component();
        }
        boolean located = !seen.component().isEmpty();
        Set<String> downstream = located ? downstream(seen.component(), now.edges()) : Set.of();
        String holders = holders(now.components())
                .filter(bolt -> !located || downstream.contains(bolt.id()))
                .limit(MAX_NAMED)
                .map(ComponentSnapshot::id)
                .collect(Collectors.joining(" or "));
        if (located) {
            return "sent by " + seen.component() + (holders.isEmpty() ? "" : ", not acked by " + holders);
        }
        return "in several places" + (holders.isEmpty() ? "" : ", perhaps " + holders);
    }

    /** Returns the components that tuples of a component can reach. */
    private static Set<String> downstream(String component, List<EdgeSnapshot> edges) {
        Set<String> reached = new HashSet<>();
        Deque<String> pending = new ArrayDeque<>(List.of(component));
        while (!pending.isEmpty()) {
            String next = pending.remove();
            edges.stream()
                    .filter(edge -> edge.from().equals(next) && reached.add(edge.to()))
                    .forEach(edge -> pending.add(edge.to()));
        }
        return reached;
    }

    private static Stream<ComponentSnapshot> holders(List<ComponentSnapshot> components) {
        return components.stream()
                .filter(component -> !component.spout() && (notLeft(component) > 0 || component.ownThreads() > 0))
                .sorted(Comparator.comparingLong(TupleHolders::notLeft).reversed());
    }

    private static long notLeft(ComponentSnapshot bolt) {
        return held(bolt) + bolt.queued();
    }

    private static long held(ComponentSnapshot bolt) {
        return Math.max(0, bolt.executed() - bolt.acked() - bolt.failed());
    }

    private static String description(ComponentSnapshot bolt) {
        List<String> parts = new ArrayList<>();
        if (held(bolt) > 0) {
            parts.add(QuantityFormat.whole(held(bolt)) + " executed, neither acked nor failed");
        }
        if (bolt.queued() > 0) {
            parts.add(QuantityFormat.whole(bolt.queued()) + " queued");
        }
        if (bolt.ownThreads() > 0) {
            parts.add("calls block");
        }
        return String.join(", ", parts);
    }
}
