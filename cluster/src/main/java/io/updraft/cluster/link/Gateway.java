package io.updraft.cluster.link;

import io.updraft.cluster.codec.RefusedTuple;
import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.tuple.Batch;
import io.updraft.transport.TransportException;
import io.updraft.transport.session.NotReadyException;
import io.updraft.transport.session.PeerIdentity;
import io.updraft.transport.session.SessionHandler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.storm.task.GeneralTopologyContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work of the gateway's thread. {@link RemoteWorkers} documents its contract with the engine.
 *
 * <p>Of two workers the one with the lower number opens the session. Tuples, reports and load go both ways through the session.
 */
final class Gateway {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    /** Most bytes of received tuples that may wait for all event loops together. */
    private static final long INCOMING_BYTES = 4 * 1024 * 1024;

    private final LinkOptions options;
    private final Messengers messengers;
    private final Consumer<ErrorReport> onRefused;
    private final int self;
    private final List<PeerLink> links = new ArrayList<>();

    /** Calls that must succeed before anything more is delivered to the engine: each is tried until it returns true. */
    private final ArrayDeque<BooleanSupplier> urgent = new ArrayDeque<>();

    /** Reports for this worker's spouts about tuples that this worker could not send or read. */
    private final ArrayDeque<Batch> ownReports = new ArrayDeque<>();

    private RemoteWorkers remote;
    private Plan plan;

    /** The capacity of each of the engine's event loops. */
    private QueueLimit incoming;

    private boolean stuck;

    /** The numbers of the other workers that can be reached; null until {@link #setPeers}. */
    private Set<Integer> reachable;

    Gateway(LinkOptions options, Messengers messengers, Consumer<ErrorReport> onRefused) {
        this.options = options;
        this.messengers = messengers;
        this.onRefused = onRefused;
        this.self = options.self().worker();
    }

    Endpoints listen() throws TransportException {
        return messengers.listen(this::accept);
    }

    int frameBytes() {
        return options.frameBytes();
    }

    void start(RemoteWorkers engine, Plan topology, GeneralTopologyContext context) {
        remote = engine;
        plan = topology;
        incoming = new QueueLimit(INCOMING_BYTES / topology.loops());
        for (int worker = 0; worker < engine.workers(); worker++) {
            links.add(worker == self ? null : new PeerLink(this, messengers, worker, topology, context));
        }
    }

    void setPeers(List<PeerAddress> peers) {
        Map<Integer, PeerAddress> byWorker =
                peers.stream().collect(Collectors.toMap(PeerAddress::worker, Function.identity()));
        reachable = byWorker.keySet();
        for (PeerLink link : links) {
            if (link != null && link.worker() > self) {
                link.setAddress(byWorker.get(link.worker()));
            }
        }
    }

    Traffic traffic() {
        boolean quiet = urgent.isEmpty() && ownReports.isEmpty();
        long sent = 0;
        long received = 0;
        for (PeerLink link : links) {
            if (link != null) {
                quiet &= link.isQuiet();
                sent += link.sent();
                received += link.received();
            }
        }
        return new Traffic(quiet, sent, received);
    }

    boolean isConnected() {
        return remote != null
                && reachable != null
                && links.stream().allMatch(link -> link == null || link.isOpen() || !reachable.contains(link.worker()));
    }

    int doWork() {
        int done = messengers.doWork();
        if (remote == null) {
            return done;
        }
        done += workOffUrgent() + deliverOwnReports();
        stuck = isHeldUp() || !ownReports.isEmpty();
        for (PeerLink link : links) {
            if (link != null) {
                done += link.doWork();
                stuck |= link.isStuck();
            }
        }
        return done;
    }

    /** {@return whether there is something to send; checked after the gateway has announced that it sleeps} */
    boolean hasOutgoing() {
        for (PeerLink link : links) {
            if (link != null && link.hasOutgoing()) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether a delivery waits for room in the engine} */
    boolean isStuck() {
        return stuck;
    }

    RemoteWorkers remote() {
        return remote;
    }

    /** {@return whether nothing may be delivered to the engine now} */
    boolean isHeldUp() {
        return !urgent.isEmpty();
    }

    /** Updates the engine's room for received tuples after a frame with tuples was delivered. */
    void noteTuples(int bytes) {
        remote.setIncomingRoom(incoming.limitAfter(bytes, 1));
    }

    /** Handles a lost connection: first notifies the engine, then the other workers. */
    void onLost(PeerLink lost) {
        urgent.add(() -> {
            if (!remote.peerLost(lost.worker())) {
                return false;
            }
            for (PeerLink link : links) {
                if (link != null && link != lost) {
                    link.reportLoss();
                }
            }
            return true;
        });
        workOffUrgent();
    }

    /** Fails all tuples in flight, because another worker has lost a connection. */
    void failInFlight() {
        urgent.add(remote::failInFlight);
        workOffUrgent();
    }

    void onRefused(RefusedTuple refusal) {
        onRefused.accept(new ErrorReport(
                System.currentTimeMillis(),
                refusal.tuple().origin().componentId(),
                refusal.tuple().getSourceTask(),
                "transfer to task " + refusal.target(),
                new IllegalArgumentException(refusal.reason(), refusal.cause()),
                "the tuple failed"));
        Batch reports = new Batch();
        refusal.failTrees(reports);
        for (int i = 0; i < reports.reportCount(); i++) {
            Batch report = new Batch();
            report.addReport(reports.kind(i), reports.owner(i), reports.root(i), reports.value(i));
            int worker = plan.executors().get(reports.owner(i)).worker();
            if (worker == self) {
                ownReports.add(report);
            } else {
                links.get(worker).send(report);
            }
        }
    }

    private SessionHandler accept(PeerIdentity peer) {
        if (remote == null) {
            throw new NotReadyException("worker " + self + " is still starting");
        }
        if (peer.worker() < 0 || peer.worker() >= links.size() || peer.worker() >= self) {
            LOG.warn("refused worker {}: only workers with a lower number connect to worker {}", peer.worker(), self);
            return null;
        }
        PeerLink link = links.get(peer.worker());
        if (link.isOutdated(peer)) {
            LOG.warn("refused worker {}: a later start of this worker is already connected", peer.worker());
            return null;
        }
        return link;
    }

    private int workOffUrgent() {
        int done = 0;
        while (!urgent.isEmpty() && urgent.peek().getAsBoolean()) {
            urgent.remove();
            done++;
        }
        return done;
    }

    private int deliverOwnReports() {
        int done = 0;
        while (!isHeldUp() && !ownReports.isEmpty() && remote.deliver(ownReports.peek())) {
            ownReports.remove();
            done++;
        }
        return done;
    }
}
