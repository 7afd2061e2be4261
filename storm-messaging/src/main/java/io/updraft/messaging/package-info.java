/**
 * Updraft's transports in the workers of a stock Storm cluster: {@code storm.messaging.transport} names one of the contexts
 * of this package, the jars are in {@code extlib}, and nothing else changes.
 *
 * <pre>{@code
 *   transfer thread            updraft-messaging              updraft-messaging            executors
 *   (Storm's)                  (ours, one a worker)           (of the other worker)        (Storm's)
 *   +----------------+        +---------------------+        +--------------------+       +---------+
 *   | Outbound.send  |--queue-| Outbound.pump       | frames | Inbound.onFrame    |-recv--| queues  |
 *   |                |        |   all that is queued|------->|   tuples           |       |         |
 *   | loads, back-   |<-------|   loads, pressure   |<-------| load, pressure     |<------| timers  |
 *   | pressure flags |        +---------------------+        +--------------------+       +---------+
 *   +----------------+
 * }</pre>
 *
 * <p>The thread {@code updraft-messaging} owns the transport and everything in it; Storm's threads only put things into
 * queues. How frames look is in {@code Frames}. Connecting, proving who one is, credit and reconnecting are the session's
 * affair: {@link io.updraft.transport.session}.
 */
package io.updraft.messaging;
