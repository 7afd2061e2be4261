package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.WorkerAddress;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One worker of the plan, whatever process it is at the moment. Owned by the coordinator's thread. */
final class WorkerSlot {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlot.class);

    /** One that owes an answer for longer is shown as silent. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What has become of it. */
    enum State {
        /** Its process was started and is not ready. */
        STARTING,
        /** Its engine runs. */
        RUNNING,
        /** It has ended and is about to be started again. */
        DOWN,
        /** It has ended for good. */
        STOPPED
    }

    final int worker;
    final WorkerCommand command;
    final BackOff backOff;
    State state = State.DOWN;
    long incarnation;
    WorkerProcess process;
    private ControlSender orders;

    /** Completes when all that the process has said over its channel was taken in. */
    CompletableFuture<Void> heardOut = CompletableFuture.completedFuture(null);

    Endpoints address;
    long startedNanos;
    private long stateNanos = System.nanoTime();
    private int restarts;
    private String lastEnd;
    private long lastEndMillis;
    private Path lastHeapDump;
    private boolean killed;
    long startedMillis;
    String startFailure;
    /** The failure of which the process is about to end, if it has told one. */
    ErrorReport endedBy;

    private long asked;
    private long askedNanos;
    private long answered;
    Quiet quiet;
    private EngineSnapshot past;
    private EngineSnapshot now;

    WorkerSlot(int worker, WorkerCommand command, BackOff backOff) {
        this.worker = worker;
        this.command = command;
        this.backOff = backOff;
    }

    /**
     * Starts its next process, and forgets the one before.
     *
     * @param control where the process finds the coordinator
     * @param output takes what it prints
     */
    void launch(Path control, WorkerOutput output) throws IOException {
        incarnation++;
        Map<String, String> environment = Map.of(
                WorkerMain.CONTROL,
                control.toString(),
                WorkerMain.INCARNATION,
                String.valueOf(incarnation),
                // UCX hooks into memory calls otherwise, and so into the JVM's; it reads this from here only.
                "UCX_MEM_EVENTS",
                "n");
        begin(WorkerProcess.start(command.words(), environment, "[worker " + worker + "] ", output));
    }

    private void begin(WorkerProcess started) {
        restarts += process == null ? 0 : 1;
        process = started;
        enter(State.STARTING);
        startedNanos = System.nanoTime();
        startedMillis = System.currentTimeMillis();
        startFailure = null;
        endedBy = null;
        address = null;
        orders = null;
        heardOut = CompletableFuture.completedFuture(null);
        asked = 0;
        answered = 0;
        quiet = null;
    }

    /** Kills the process because it is not wanted any more. */
    void kill() {
        killed = true;
        process.kill();
    }

    /** {@return whether it was killed because it was not wanted any more} */
    boolean isKilled() {
        return killed;
    }

    void enter(State next) {
        state = next;
        stateNanos = System.nanoTime();
    }

    /**
     * Takes note that the process has ended.
     *
     * @param after what is to become of the worker now
     * @param why in a few words; null if it was told to
     */
    void end(State after, String why) {
        enter(after);
        if (why != null) {
            lastEnd = why;
            lastEndMillis = System.currentTimeMillis();
        }
        address = null;
        if (now != null) {
            past = SnapshotMerge.retire(past, now);
            now = null;
        }
        closeChannel();
    }

    /** A worker that runs out of memory again and again would fill the disk: the heap of its process before is removed. */
    void keepNewestHeap(Path heapDump) {
        if (heapDump == null) {
            return;
        }
        if (lastHeapDump != null
                && !lastHeapDump.equals(heapDump)
                && !lastHeapDump.toFile().delete()) {
            LOG.warn("{} could not be removed", lastHeapDump);
        }
        lastHeapDump = heapDump;
    }

    /** Takes the connection by which the process gets its orders; there is none yet. */
    void connect(ControlChannel channel) {
        orders = new ControlSender(channel, worker);
    }

    /** {@return whether the process has connected} */
    boolean isConnected() {
        return orders != null;
    }

    void closeChannel() {
        if (orders != null) {
            orders.close();
        }
    }

    /** Sends an order; a worker that cannot be reached is about to be found dead. Does not wait for one that stands still. */
    void send(ControlMessage message) {
        if (state == State.RUNNING) {
            orders.send(message);
        }
    }

    /**
     * Asks, unless the worker still owes an answer: then it is stopped or busy, and more questions would only pile up.
     *
     * @return whether an answer is to come
     */
    boolean ask(long question, ControlMessage message) {
        if (state != State.RUNNING || answered < asked) {
            return false;
        }
        asked = question;
        askedNanos = System.nanoTime();
        send(message);
        return true;
    }

    void onAnswer(long question) {
        answered = Math.max(answered, question);
    }

    void onSnapshot(EngineSnapshot snapshot) {
        now = snapshot;
    }

    /** {@return all that is known of what this worker did, or null} */
    EngineSnapshot known() {
        return now == null ? past : SnapshotMerge.continued(past, now);
    }

    /** {@return what an operator wants to know of it} */
    WorkerStatus status() {
        long now = System.nanoTime();
        boolean silent = state == State.RUNNING && answered < asked && now - askedNanos > SILENT_NANOS;
        return new WorkerStatus(
                worker,
                process == null ? 0 : process.pid(),
                silent ? WorkerStatus.State.SILENT : WorkerStatus.State.valueOf(state.name()),
                now - (silent ? askedNanos : stateNanos),
                restarts,
                lastEnd,
                lastEndMillis);
    }

    WorkerAddress whereabouts() {
        return new WorkerAddress(worker, incarnation, address);
    }
}
