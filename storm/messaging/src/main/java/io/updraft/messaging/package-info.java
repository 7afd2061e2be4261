/**
 * Updraft's transports in the workers of a stock Storm cluster. {@code storm.messaging.transport} names one of the contexts of
 * this package, and the jars are in {@code extlib}; nothing else changes.
 *
 * <pre>{@code
 *   transfer thread            updraft-messaging              updraft-messaging            executors
 *   (Storm's)                  (one for each worker)          (of the other worker)        (Storm's)
 *   +----------------+        +---------------------+        +--------------------+       +---------+
 *   | Outbound.send  |--queue-| Outbound.pump       | frames | Inbound.onFrame    |-recv--| queues  |
 *   |                |        |   queued messages   |------->|   tuples           |       |         |
 *   | loads, back-   |<-------|   loads, pressure   |<-------| load, pressure     |<------| timers  |
 *   | pressure flags |        +---------------------+        +--------------------+       +---------+
 *   +----------------+
 * }</pre>
 *
 * <p>The thread {@code updraft-messaging} owns the transport and everything in it; Storm's threads only add to queues.
 * {@code Frames} documents the frames. Connecting, authentication, credit and reconnecting are done by the session:
 * {@link io.updraft.transport.session}.
 */
package io.updraft.messaging;
