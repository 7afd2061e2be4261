package io.updraft.cluster.link;

import io.updraft.cluster.codec.BatchDecoder;
import io.updraft.cluster.codec.BatchEncoder;
import io.updraft.cluster.codec.CodecException;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.Plan;
import io.updraft.transport.session.Loss;
import io.updraft.transport.session.Peer;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.apache.storm.task.GeneralTopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one other worker, over all connections to it and all processes that it has been. Gateway's thread only.
 *
 * <p>Encoder and decoder begin anew with each connection, since each has a dictionary that both ends build up together.
 */
final class PeerLink implements SessionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** Frames to one worker before the next has its turn. */
    private static final int MOST_AT_ONCE = 64;

    /** What may wait for the worker here before it is written. */
    private static final long OUTGOING_BYTES = 8 * 1024 * 1024;

    private static final long NEVER = Long.MIN_VALUE;

    private final Gateway gateway;
    private final Messengers messengers;
    private final int worker;
    private final BatchEncoder encoder;
    private final BatchDecoder decoder;
    private final Room outgoing = new Room(OUTGOING_BYTES);
    private final ArrayDeque<Inbound> inbound = new ArrayDeque<>();
    private final ArrayDeque<Batch> reports = new ArrayDeque<>();

    /** Where it is, if this side opens the session. */
    private PeerAddress address;

    private Session session;
    private boolean open;
    private boolean joined;
    private boolean blocked;
    private int losses;
    private long loadSent = NEVER;
    private BitSet loadBeforeJoin;
    private long sent;
    private long received;

    /** Something that has arrived; without a batch, the news of a loss. */
    private record Inbound(Session session, Batch batch, int bytes) {

        boolean hasTuples() {
            return batch != null && batch.tupleCount() > 0;
        }
    }

    PeerLink(Gateway gateway, Messengers messengers, int worker, Plan plan, GeneralTopologyContext context) {
        this.gateway = gateway;
        this.messengers = messengers;
        this.worker = worker;
        encoder = new BatchEncoder(plan, Session.MAX_FRAME, gateway.frameBytes(), gateway::onRefused);
        decoder = new BatchDecoder(plan, gateway.remote().worker(), context, gateway::onRefused);
    }

    int worker() {
        return worker;
    }

    long sent() {
        return sent;
    }

    long received() {
        return received;
    }

    boolean isOpen() {
        return open;
    }

    boolean isQuiet() {
        return inbound.isEmpty() && reports.isEmpty() && losses == 0 && encoder.frame() == null;
    }

    /** {@return whether something that has arrived waits for room in the engine} */
    boolean isStuck() {
        return !inbound.isEmpty();
    }

    boolean hasOutgoing() {
        return joined
                && !blocked
                && (losses > 0
                        || !reports.isEmpty()
                        || gateway.remote().hasOutgoing(worker)
                        || gateway.remote().loadVersion() != loadSent);
    }

    /** Sends a report beside those of the engine. */
    void send(Batch report) {
        reports.add(report);
    }

    /** Tells the worker that something of its trees may be lost; not one that is away, for all of its trees are. */
    void tellLost() {
        if (joined) {
            losses++;
        }
    }

    /** Opens the session to where the worker is now, or closes it if it is nowhere. */
    void reach(PeerAddress now) {
        if (now == null ? address == null : now.equals(address)) {
            return;
        }
        address = now;
        leave("worker " + worker + (now == null ? " is gone" : " was started again"));
        if (now != null) {
            session = messengers.connect(now, this);
        }
    }

    /** {@return whether a later start of the worker is connected} Each transport by itself knows only of its own peers. */
    boolean isOutdated(Peer peer) {
        return open && peer.incarnation() < session.peer().incarnation();
    }

    private void leave(String why) {
        if (session != null) {
            Session before = session;
            lose(why);
            session = null;
            before.close();
        }
    }

    // ---- the session -----------------------------------------------------------------------------------------

    @Override
    public void onOpen(Session opened) {
        if (opened != session) {
            leave("worker " + worker + " has come another way");
        }
        session = opened;
        open = true;
        blocked = false;
        LOG.info("worker {} is connected", worker);
    }

    @Override
    public void onFrame(Session from, ByteBuffer frame) {
        int bytes = frame.remaining();
        if (ControlFrames.isLoad(frame)) {
            onLoad(ControlFrames.load(frame));
            from.release(bytes);
        } else if (ControlFrames.isLost(frame)) {
            inbound.add(new Inbound(from, null, bytes));
        } else {
            onBatch(from, frame, bytes);
        }
    }

    private void onBatch(Session from, ByteBuffer frame, int bytes) {
        try {
            inbound.add(new Inbound(from, decoder.decode(frame), bytes));
        } catch (CodecException e) {
            LOG.error("worker {} sent what is no frame; the connection is closed", worker, e);
            from.release(bytes);
            reconnect();
        }
    }

    private void onLoad(BitSet load) {
        if (joined) {
            gateway.remote().setLoad(worker, load);
        } else {
            loadBeforeJoin = load;
        }
    }

    @Override
    public void onWritable(Session writable) {
        blocked = false;
    }

    @Override
    public void onLost(Session lost, Loss loss) {
        if (lost != session) {
            return; // it was left before
        }
        if (loss.refused()) {
            LOG.warn("worker {} and this one do not get along: {}", worker, loss.reason());
        }
        lose(loss.reason());
    }

    /** Forgets all that belongs to the connection, and lets the engine and the others know. */
    private void lose(String why) {
        if (!open) {
            return;
        }
        LOG.info("worker {} is not connected any more: {}", worker, why);
        open = false;
        joined = false;
        inbound.forEach(item -> item.session().release(item.bytes()));
        inbound.clear();
        reports.clear();
        losses = 0;
        loadSent = NEVER;
        loadBeforeJoin = null;
        sent = 0;
        received = 0;
        encoder.drop();
        encoder.reset();
        decoder.reset();
        gateway.onLost(this);
    }

    /** Begins anew with a worker with which no understanding is possible over this connection. */
    private void reconnect() {
        PeerAddress where = address;
        address = null;
        leave("what it sent could not be read");
        if (where != null) {
            reach(where);
        }
    }

    // ---- work ------------------------------------------------------------------------------------------------

    int doWork() {
        if (!joined && !join()) {
            return 0;
        }
        int done = deliver();
        return done + (blocked ? 0 : send());
    }

    /** The engine must have heard of the loss before it hears that the worker is back. */
    private boolean join() {
        if (!open || gateway.isHeldUp()) {
            return false;
        }
        joined = true;
        gateway.remote().peerJoined(worker);
        if (loadBeforeJoin != null) {
            gateway.remote().setLoad(worker, loadBeforeJoin);
            loadBeforeJoin = null;
        }
        return true;
    }

    private int deliver() {
        int done = 0;
        while (!gateway.isHeldUp() && !inbound.isEmpty()) {
            Inbound next = inbound.peek();
            boolean hasTuples = next.hasTuples(); // once it is taken the batch is the engine's
            if (next.batch() == null) {
                inbound.remove();
                gateway.failInFlight();
            } else if (isTaken(next.batch())) {
                inbound.remove();
            } else {
                break;
            }
            received++;
            if (hasTuples) { // frames of reports are short, and say nothing of how long those of tuples are
                gateway.noteTuples(next.bytes());
            }
            next.session().release(next.bytes());
            done++;
        }
        return done;
    }

    private boolean isTaken(Batch batch) {
        return batch.isEmpty() || gateway.remote().deliver(batch);
    }

    private int send() {
        int done = 0;
        while (done < MOST_AT_ONCE && sendNext()) {
            done++;
        }
        if (done > 0) {
            session.flush();
        }
        return done;
    }

    private boolean sendNext() {
        if (losses > 0) {
            return offer(ControlFrames.lost()) && countLoss();
        }
        long load = gateway.remote().loadVersion();
        if (load != loadSent) {
            boolean taken = offer(ControlFrames.load(gateway.remote().load()));
            loadSent = taken ? load : loadSent;
            return taken;
        }
        ByteBuffer frame = frame();
        int length = frame == null ? 0 : frame.remaining();
        if (frame == null || !offer(frame)) {
            return false;
        }
        noteSent(length);
        encoder.sent();
        sent++;
        return true;
    }

    private void noteSent(int length) {
        if (encoder.tuples() > 0) {
            gateway.remote().setOutgoingRoom(worker, outgoing.after(length, encoder.tuples()));
        }
    }

    private boolean countLoss() {
        losses--;
        sent++;
        return true;
    }

    /** {@return the next frame of the batch in hand or of the next batch, or null if there is nothing to send} */
    private ByteBuffer frame() {
        ByteBuffer frame = encoder.frame();
        while (frame == null) {
            Batch next = reports.poll();
            next = next == null ? gateway.remote().poll(worker) : next;
            if (next == null) {
                return null;
            }
            encoder.start(next);
            frame = encoder.frame();
        }
        return frame;
    }

    private boolean offer(ByteBuffer frame) {
        if (session.offer(frame)) {
            return true;
        }
        blocked = true;
        return false;
    }
}
