package io.updraft.cluster.link;

import io.updraft.cluster.codec.BatchDecoder;
import io.updraft.cluster.codec.BatchEncoder;
import io.updraft.cluster.codec.CodecException;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.Batch;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.Session;
import io.updraft.transport.session.SessionHandler;
import io.updraft.transport.session.SessionLoss;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.BitSet;
import org.apache.storm.task.GeneralTopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The link to one other worker, across all connections to the worker and all restarts of its process. Gateway's thread only.
 *
 * <p>The encoder and the decoder are reset for each connection, because both ends of a connection build up a common dictionary.
 */
final class PeerLink implements SessionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);

    /** Most frames sent to one worker before the next worker has its turn. */
    private static final int MAX_FRAMES_AT_ONCE = 64;

    /** Most bytes of tuples that may wait here to be sent to the worker. */
    private static final long OUTGOING_BYTES = 8 * 1024 * 1024;

    private static final long NEVER = Long.MIN_VALUE;

    private final Gateway gateway;
    private final Messengers messengers;
    private final int worker;
    private final BatchEncoder encoder;
    private final BatchDecoder decoder;
    private final QueueLimit outgoing = new QueueLimit(OUTGOING_BYTES);
    private final ArrayDeque<Received> inbound = new ArrayDeque<>();
    private final ArrayDeque<Batch> reports = new ArrayDeque<>();

    /** The addresses of the other worker, if this side opens the session. */
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

    /** A batch that has arrived, or, without a batch, the notice of a lost connection. */
    private record Received(Session session, Batch batch, int bytes) {
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

    /** {@return whether a batch that has arrived waits for room in the engine} */
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

    /** Sends a report in addition to those of the engine. */
    void send(Batch report) {
        reports.add(report);
    }

    /**
     * Notifies the worker that tuples of its trees may be lost. A worker that is not connected is not notified, because its own
     * loss fails all of its trees.
     */
    void reportLoss() {
        if (joined) {
            losses++;
        }
    }

    /** Opens the session to the current address of the worker, or closes the session if the address is null. */
    void setAddress(PeerAddress now) {
        if (now == null ? address == null : now.equals(address)) {
            return;
        }
        address = now;
        closeSession("worker " + worker + (now == null ? " has ended" : " was restarted"));
        if (now != null) {
            session = messengers.connect(now, this);
        }
    }

    /** {@return whether a later start of the worker is connected} Each transport checks this for its own peers only. */
    boolean isOutdated(PeerIdentity peer) {
        return open && peer.incarnation() < session.peer().incarnation();
    }

    private void closeSession(String why) {
        if (session != null) {
            Session before = session;
            clearConnection(why);
            session = null;
            before.close();
        }
    }

    // ---- the session -----------------------------------------------------------------------------------------

    @Override
    public void onOpen(Session opened) {
        if (opened != session) {
            closeSession("worker " + worker + " has connected over another session");
        }
        session = opened;
        open = true;
        blocked = false;
        LOG.info("worker {} is connected", worker);
    }

    @Override
    public void onFrame(Session sender, ByteBuffer frame) {
        int bytes = frame.remaining();
        if (ControlFrames.isLoad(frame)) {
            onLoad(ControlFrames.load(frame));
            sender.release(bytes);
        } else if (ControlFrames.isLost(frame)) {
            inbound.add(new Received(sender, null, bytes));
        } else {
            onBatch(sender, frame, bytes);
        }
    }

    private void onBatch(Session sender, ByteBuffer frame, int bytes) {
        try {
            inbound.add(new Received(sender, decoder.decode(frame), bytes));
        } catch (CodecException e) {
            LOG.error("worker {} sent a malformed frame; closing the connection", worker, e);
            sender.release(bytes);
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
    public void onLost(Session lost, SessionLoss loss) {
        if (lost != session) {
            return; // this side has left that session already
        }
        if (loss.refused()) {
            LOG.warn("worker {} refused the connection, or was refused: {}", worker, loss.reason());
        }
        clearConnection(loss.reason());
    }

    /** Clears all state of the connection, and notifies the engine and the other workers. */
    private void clearConnection(String why) {
        if (!open) {
            return;
        }
        LOG.info("worker {} is no longer connected: {}", worker, why);
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

    private void reconnect() {
        PeerAddress target = address;
        address = null;
        closeSession("its frame was malformed");
        if (target != null) {
            setAddress(target);
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

    /**
     * Reports the worker as joined. The engine must process the loss of the worker before it learns that the worker is back.
     */
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
            Received next = inbound.peek();
            boolean hasTuples = next.hasTuples(); // read before the engine takes the batch and owns it
            if (next.batch() == null) {
                inbound.remove();
                gateway.failInFlight();
            } else if (isTaken(next.batch())) {
                inbound.remove();
            } else {
                break;
            }
            received++;
            if (hasTuples) { // frames of reports only would distort the mean size
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
        while (done < MAX_FRAMES_AT_ONCE && sendNext()) {
            done++;
        }
        if (done > 0) {
            session.flush();
        }
        return done;
    }

    private boolean sendNext() {
        if (losses > 0) {
            boolean accepted = offer(ControlFrames.lost());
            losses -= accepted ? 1 : 0;
            sent += accepted ? 1 : 0;
            return accepted;
        }
        long load = gateway.remote().loadVersion();
        if (load != loadSent) {
            boolean accepted = offer(ControlFrames.load(gateway.remote().load()));
            loadSent = accepted ? load : loadSent;
            return accepted;
        }
        ByteBuffer frame = frame();
        int length = frame == null ? 0 : frame.remaining();
        if (frame == null || !offer(frame)) {
            return false;
        }
        if (encoder.tuples() > 0) {
            gateway.remote().setOutgoingRoom(worker, outgoing.limitAfter(length, encoder.tuples()));
        }
        encoder.sent();
        sent++;
        return true;
    }

    /** {@return the next frame of the current batch or of the next batch, or null if there is nothing to send} */
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
