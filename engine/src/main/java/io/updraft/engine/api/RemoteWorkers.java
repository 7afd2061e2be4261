package io.updraft.engine.api;

import io.updraft.engine.mesh.Batch;
import java.util.BitSet;

/**
 * The other workers of the topology, as an engine sees them that runs one worker's part of a plan: batches go out, batches
 * come in, workers join and are lost. How they are reached is the caller's affair, the <em>gateway's</em>.
 *
 * <pre>
 *   loop 0 --ring--+                                           +--ring--&gt; loop 0
 *   loop 1 --ring--+--poll(w)--&gt; gateway ~~ network ~~ gateway --deliver--+--ring--&gt; loop 1
 *   this worker                                                             worker w
 * </pre>
 *
 * <p><b>Thread.</b> All methods belong to one thread, the gateway's, but for the counters. It is woken through
 * {@link WorkerOptions#wakeGateway} when something is put where there was nothing, and when this worker's load changes. Before
 * it sleeps it must ask {@link #hasOutgoing} of every worker that it can send to, and compare {@link #loadVersion}.
 *
 * <p><b>What the gateway owes.</b> From {@link #peerJoined} to {@link #peerLost} it hands on batches to a worker whole, once
 * and in the order in which it polled them, and delivers what comes from there likewise. When the connection is gone, all that
 * was polled for that worker and may not have been delivered there is dropped, never sent again: a tuple or ack that arrives
 * twice would upset the tree. Then, in this order:
 * <ol>
 *   <li>{@link #peerLost} here, until it returns true. Nothing else is delivered before.
 *   <li>every other worker that is joined is told that something was lost, in order with all else that it is sent, and calls
 *       {@link #failInFlight}: the trees of its spouts may have had tuples on the lost connection too.
 * </ol>
 * Both ends of a connection do so, also when the process at the other end is still the same.
 *
 * <p><b>What follows.</b> Every tree that may have lost something fails and can be replayed. A tree that fails was not complete,
 * and a tree whose loss is known never completes, whatever arrives late. This is conservative: nobody knows which trees had
 * tuples on a connection, so all in flight fail.
 *
 * <p><b>While a worker is away</b> (which it is from the start, until it has joined) what is sent to it waits here and goes to
 * its successor; the components that send to it get no turns, so that little comes together.
 */
public interface RemoteWorkers {

    /** {@return this worker's number in the plan} */
    int worker();

    /** {@return the number of workers, this one included} */
    int workers();

    /**
     * Takes the next batch for a worker. It belongs to the caller, and so do the tuples' places in their trees; the values are
     * shared with whoever emitted them, as everywhere in Storm, and must not be changed.
     *
     * @param worker another worker
     * @return a batch that is not empty, or null when there is none now or the worker is not joined
     */
    Batch poll(int worker);

    /**
     * Looks whether there is something to poll. After it has said no, the gateway is woken when there is.
     *
     * @param worker another worker
     * @return whether {@link #poll} would return a batch
     */
    boolean hasOutgoing(int worker);

    /**
     * Takes a batch from another worker, or not.
     *
     * @param batch tuples for tasks of this worker and reports for its spouts; the engine's once it was taken
     * @return false when there is no room: nothing was taken, and it is worth trying again within a millisecond
     * @throws IllegalArgumentException when something in it is not for this worker or means nothing; nothing was taken
     */
    boolean deliver(Batch batch);

    /**
     * Says how many tuples may wait here for a worker: the engine counts tuples, but only the gateway knows how long they are.
     * At first as many as there is place for.
     *
     * @param worker another worker
     * @param tuples about as many; less than a batch of each loop counts as that, and more than there is place for as that
     */
    void setOutgoingRoom(int worker, int tuples);

    /**
     * Says how many batches that were delivered may wait for a loop, before {@link #deliver} takes no more. At first as many as
     * there is place for.
     *
     * @param batches the number; at least 1 are allowed, and no more than there is place for
     */
    void setIncomingRoom(int batches);

    /**
     * A worker can be sent to from now on, whether it is the process that it was or another. Idempotent.
     *
     * @param worker another worker
     */
    void peerJoined(int worker);

    /**
     * A worker is gone, or the connection to it, and with it what was under way. All trees in flight of this worker's spouts
     * fail; the spouts hear of it soon, on their own threads. Idempotent but for that.
     *
     * @param worker another worker
     * @return false when there was no room to tell all spouts: to be called again before anything more is delivered
     */
    boolean peerLost(int worker);

    /**
     * Fails all trees in flight of this worker's spouts, since another worker has lost something that may belong to them.
     *
     * @return false when there was no room to tell all spouts: to be called again before anything more is delivered
     */
    boolean failInFlight();

    /**
     * Names the state of this worker's load.
     *
     * @return a number that changes whenever {@link #load} does; to be read before it
     */
    long loadVersion();

    /**
     * Says what the other workers should know of the load of this one, for their {@link #setLoad}. What each bit means is the
     * engine's affair; all workers of a plan agree on it.
     *
     * @return the state now
     */
    BitSet load();

    /**
     * Hears of the load of another worker. Only the newest state counts. Forgotten when the worker is lost.
     *
     * @param worker another worker, joined
     * @param load what {@link #load} said there
     */
    void setLoad(int worker, BitSet load);

    /** {@return tuples polled since the start; from any thread} */
    long tuplesSent();

    /** {@return tuples delivered since the start; from any thread} */
    long tuplesReceived();
}
