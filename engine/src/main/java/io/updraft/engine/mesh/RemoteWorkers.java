package io.updraft.engine.mesh;

import io.updraft.engine.tuple.Batch;
import java.util.BitSet;

/**
 * The other workers of a topology, seen from an engine that runs one worker's part of the plan: batches go out, batches come
 * in, workers join and are lost. The caller, called the <em>gateway</em>, carries the batches over the network.
 *
 * <pre>
 *   loop 0 --ring--+                                           +--ring--&gt; loop 0
 *   loop 1 --ring--+--poll(w)--&gt; gateway ~~ network ~~ gateway --deliver--+--ring--&gt; loop 1
 *   this worker                                                             worker w
 * </pre>
 *
 * <p><b>Thread.</b> All methods except the two counters belong to one thread, the gateway thread. The engine calls
 * {@code WorkerOptions.wakeGateway} when a batch is put into an empty ring and when the load of this worker changes. Before the
 * gateway sleeps, it must call {@link #hasOutgoing} for every worker that it can send to, and compare {@link #loadVersion}.
 *
 * <p><b>Duties of the gateway.</b> From {@link #peerJoined} to {@link #peerLost} the gateway sends each batch to its worker
 * whole, once and in the order polled. It delivers batches from that worker in the same way. When the connection is lost, the
 * gateway drops every batch that it polled for that worker and that may not have been delivered. It never sends such a batch
 * again: a tuple or ack that arrives twice would corrupt the tuple tree. Then it does the following, in this order:
 * <ol>
 *   <li>It calls {@link #peerLost} here until that returns true. It delivers nothing else before.
 *   <li>It notifies every other joined worker of the loss, in order with all other messages to that worker. Each of those
 *       workers calls {@link #failInFlight}: the trees of its spouts may have had tuples on the lost connection too.
 * </ol>
 * Both ends of a connection do so, even when the process at the other end is still the same.
 *
 * <p><b>Result.</b> Every tree that may have lost a tuple or an ack fails and can be replayed. A tree that fails was not
 * complete. A tree with a known loss never completes, whatever arrives late. This is conservative: the engine does not record
 * which trees have tuples on a connection, so all trees in flight fail.
 *
 * <p><b>While a worker is away</b> (at the start, until it has joined, and after it is lost) batches for it wait here and go to
 * its successor. Components that send to that worker get no turns, so few tuples collect.
 */
public interface RemoteWorkers {

    /** {@return this worker's number in the plan} */
    int worker();

    /** {@return the number of workers, this one included} */
    int workers();

    /**
     * Takes the next batch for a worker. The batch belongs to the caller, and so do the tuples' positions in their trees. The
     * values are shared with the component that emitted them, as everywhere in Storm, and must not be changed.
     *
     * @param worker another worker
     * @return a batch that is not empty; null when there is no batch now or the worker has not joined
     */
    Batch poll(int worker);

    /**
     * Returns whether a batch is ready for a worker. After this has returned false, the engine wakes the gateway when a batch
     * is ready.
     *
     * @param worker another worker
     * @return whether {@link #poll} would return a batch
     */
    boolean hasOutgoing(int worker);

    /**
     * Offers a batch from another worker to the engine.
     *
     * @param batch tuples for tasks of this worker and acks and fails for its spouts; belongs to the engine once taken
     * @return false when there is no room; nothing was taken, and another attempt is worthwhile within a millisecond
     * @throws IllegalArgumentException when an entry is not for this worker or is not valid; nothing was taken
     */
    boolean deliver(Batch batch);

    /**
     * Limits how many tuples may wait here for a worker. The engine counts tuples, but only the gateway knows their size in
     * bytes. The initial limit is the capacity.
     *
     * @param worker another worker
     * @param tuples the approximate limit; raised to one batch for each loop, lowered to the capacity
     */
    void setOutgoingRoom(int worker, int tuples);

    /**
     * Limits how many delivered batches may wait for a loop before {@link #deliver} refuses more. The initial limit is the
     * capacity.
     *
     * @param batches the limit; at least 1, at most the capacity
     */
    void setIncomingRoom(int batches);

    /**
     * Reports that a worker can receive batches from now on. Its process may be the previous one or a new one. Idempotent.
     *
     * @param worker another worker
     */
    void peerJoined(int worker);

    /**
     * Reports that a worker, or the connection to it, is lost, with all batches under way. All trees in flight of this worker's
     * spouts fail. The spouts receive the failures soon after, on their own threads. Apart from that, idempotent.
     *
     * @param worker another worker
     * @return false when there was no room to notify all spouts; call again before any other batch is delivered
     */
    boolean peerLost(int worker);

    /**
     * Fails all trees in flight of this worker's spouts, because another worker has lost tuples that may belong to them.
     *
     * @return false when there was no room to notify all spouts; call again before any other batch is delivered
     */
    boolean failInFlight();

    /**
     * Returns the version of this worker's load.
     *
     * @return a number that changes whenever {@link #load} changes; read the version before the load
     */
    long loadVersion();

    /**
     * Returns the load of this worker, for {@link #setLoad} of the other workers. The engine defines the meaning of each bit;
     * all workers of a plan agree on it.
     *
     * @return the state now
     */
    BitSet load();

    /**
     * Stores the load of another worker. Only the newest state counts. The engine forgets the load when the worker is lost.
     *
     * @param worker another worker, joined
     * @param load the value of {@link #load} there
     */
    void setLoad(int worker, BitSet load);

    /** {@return tuples polled since the start; from any thread} */
    long tuplesSent();

    /** {@return tuples delivered since the start; from any thread} */
    long tuplesReceived();
}
