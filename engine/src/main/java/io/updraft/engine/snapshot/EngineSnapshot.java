package io.updraft.engine.snapshot;

import java.util.List;

/**
 * The state of a running topology at one moment.
 *
 * @param uptimeNanos time since the start, nanoseconds
 * @param active whether the spouts are active
 * @param components the components, in the order of the plan
 * @param edges all subscriptions
 * @param loopBusyNanos time that each event loop has worked, nanoseconds
 * @param inFlightTrees tuple trees in flight in all spouts
 * @param recentErrors the newest errors, oldest first; bounded in number
 * @param calls calls of user code that are {@linkplain CallInProgress#isStuck stuck}, the longest first
 * @param keyed the distribution of the tuples of each fields grouping with several target tasks that was busy in the last minute
 * @param moves the newest moves of executors and workers, oldest first; bounded in number
 * @param lastSeen where the oldest message in flight of each spout is, if it is in flight for a second, and where messages timed
 *     out
 */
public record EngineSnapshot(
        long uptimeNanos,
        boolean active,
        List<ComponentSnapshot> components,
        List<EdgeSnapshot> edges,
        long[] loopBusyNanos,
        long inFlightTrees,
        List<ErrorReport> recentErrors,
        List<CallInProgress> calls,
        List<KeyedStream> keyed,
        List<Move> moves,
        List<LastSeen> lastSeen) {

    /** {@return the keys that skew the distribution of a grouping, by grouping, the heaviest first} */
    public List<HotKey> skewedKeys() {
        return keyed.stream().flatMap(stream -> stream.skewedKeys().stream()).toList();
    }

    /**
     * {@return the busy share of each event loop since an earlier snapshot, from 0 to 1}
     *
     * @param before the earlier snapshot; null for the start of the topology
     */
    public double[] loopBusySince(EngineSnapshot before) {
        long[] old = before == null ? new long[0] : before.loopBusyNanos;
        double nanos = Math.max(1, uptimeNanos - (before == null ? 0 : before.uptimeNanos));
        double[] busy = new double[loopBusyNanos.length];
        for (int loop = 0; loop < busy.length; loop++) {
            long earlier = loop < old.length ? old[loop] : 0;
            long all = loopBusyNanos[loop];
            // The counters of a restarted worker begin at zero.
            busy[loop] = (earlier > all ? all : all - earlier) / nanos;
        }
        return busy;
    }

    /**
     * {@return the same state with other components}
     *
     * @param others the components
     */
    public EngineSnapshot withComponents(List<ComponentSnapshot> others) {
        return new EngineSnapshot(
                uptimeNanos,
                active,
                others,
                edges,
                loopBusyNanos,
                inFlightTrees,
                recentErrors,
                calls,
                keyed,
                moves,
                lastSeen);
    }
}
