package io.updraft.cluster.link;

import io.updraft.engine.mesh.RemoteWorkers;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.MessengerOptions;
import io.updraft.transport.session.PeerIdentity;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.Config;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;

/** One of three workers: a link whose engine is replaced by a test that sends and receives batches. */
final class LinkedWorker implements RemoteWorkers, AutoCloseable {

    static final int WORKERS = 3;
    static final Credentials SECRET = secret("a secret of 16 or more bytes");

    /** Set before it is opened. */
    String topology = "words-1";

    String host = "127.0.0.1";
    Address at = new Address("127.0.0.1", 0);
    Credentials credentials = SECRET;
    long incarnation = 1;

    final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    final Set<Integer> joined = ConcurrentHashMap.newKeySet();
    final List<Object> received = new CopyOnWriteArrayList<>();
    final List<Integer> rooms = new CopyOnWriteArrayList<>();

    private final int worker;
    private final Map<Integer, Queue<Batch>> outgoing = new ConcurrentHashMap<>();
    private Plan plan;
    private WorkerLink link;

    LinkedWorker(int worker) {
        this.worker = worker;
        conf.put(Config.TOPOLOGY_WORKERS, WORKERS);
        // Frames are counted: none may be lost because a thread got no processor for a while.
        conf.put(MessengerOptions.SILENCE, 60_000);
        conf.put(Config.STORM_MESSAGING_NETTY_MIN_SLEEP_MS, 10);
        conf.put(Config.STORM_MESSAGING_NETTY_MAX_SLEEP_MS, 50);
    }

    static Credentials secret(String text) {
        return Credentials.of(text.getBytes(StandardCharsets.UTF_8));
    }

    LinkedWorker with(Map<String, Object> more) {
        conf.putAll(more);
        return this;
    }

    LinkedWorker open() throws TransportException {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new TestWordSpout(), WORKERS);
        builder.setBolt("sink", new TestWordCounter(), WORKERS).shuffleGrouping("source");
        plan = Planner.plan(
                "words", topology, builder.createTopology(), conf, EngineSettings.of(conf), Assignment.even(WORKERS));
        link = WorkerLink.open(
                new LinkOptions(conf, new PeerIdentity(topology, worker, incarnation), credentials, host, at),
                error -> {
                    throw new AssertionError(error.error());
                },
                failure -> {
                    throw new AssertionError(failure);
                });
        link.start(
                this, plan, new GeneralTopologyContext(plan.topology(), conf, Map.of(), Map.of(), Map.of(), topology));
        return this;
    }

    PeerAddress address() {
        return new PeerAddress(worker, incarnation, link.endpoints());
    }

    void reach(PeerAddress... peers) {
        link.setPeers(List.of(peers));
    }

    boolean isConnected() throws InterruptedException {
        return link.isConnected();
    }

    /** Sends a word to the first task of another worker. */
    void send(int to, String word) {
        ExecutorPlan sink = executor("sink", to);
        Origin origin = Origin.of("source", "default", plan.component("source").taskIds()[0], new Fields("word"), null);
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(origin, new Values(word)), sink.taskIds()[0]);
        outgoing.computeIfAbsent(to, key -> new ConcurrentLinkedQueue<>()).add(batch);
        link.wake();
    }

    /** Sends a report for the first spout of another worker. */
    void report(int to) {
        ExecutorPlan source = executor("source", to);
        Batch batch = new Batch();
        batch.addReport(Batch.ACK, source.index(), 1, 1);
        outgoing.computeIfAbsent(to, key -> new ConcurrentLinkedQueue<>()).add(batch);
        link.wake();
    }

    private ExecutorPlan executor(String component, int worker) {
        return plan.executors().stream()
                .filter(executor -> executor.worker() == worker
                        && executor.componentIndex() == plan.components().indexOf(plan.component(component)))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
        }
    }

    @Override
    public int worker() {
        return worker;
    }

    @Override
    public int workers() {
        return WORKERS;
    }

    @Override
    public Batch poll(int to) {
        return outgoing.containsKey(to) ? outgoing.get(to).poll() : null;
    }

    @Override
    public boolean hasOutgoing(int to) {
        return outgoing.containsKey(to) && !outgoing.get(to).isEmpty();
    }

    @Override
    public boolean deliver(Batch batch) {
        for (int i = 0; i < batch.tupleCount(); i++) {
            received.add(batch.tuple(i).getValues().get(0));
        }
        return true;
    }

    @Override
    public void peerJoined(int peer) {
        joined.add(peer);
    }

    @Override
    public boolean peerLost(int peer) {
        joined.remove(peer);
        return true;
    }

    @Override
    public boolean failInFlight() {
        return true;
    }

    @Override
    public long loadVersion() {
        return 0;
    }

    @Override
    public BitSet load() {
        return new BitSet();
    }

    @Override
    public void setOutgoingRoom(int peer, int tuples) {}

    @Override
    public void setIncomingRoom(int batches) {
        rooms.add(batches);
    }

    @Override
    public void setLoad(int peer, BitSet load) {
        // Nobody asks for it.
    }

    @Override
    public long tuplesSent() {
        return 0;
    }

    @Override
    public long tuplesReceived() {
        return received.size();
    }
}
