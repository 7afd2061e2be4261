package io.updraft.observe.view;

import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.LastSeen;

/**
 * A message of a spout that has been in flight for long, or has timed out.
 *
 * @param spout the spout
 * @param message the id of the message
 * @param inFlight whether it is still in flight
 * @param timedOut how many messages have timed out in the same place
 * @param seconds how long it has been in flight
 * @param place where it is or was
 */
public record MessageView(String spout, String message, boolean inFlight, long timedOut, double seconds, String place) {
    static MessageView of(LastSeen seen, EngineSnapshot now) {
        return new MessageView(
                seen.spout(),
                seen.message(),
                seen.isInFlight(),
                seen.timedOut(),
                seen.nanos() / 1e9,
                TupleHolders.place(seen, now));
    }
}
