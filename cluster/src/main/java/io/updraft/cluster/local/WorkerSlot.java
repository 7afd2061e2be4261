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

/** One worker of the plan, whatever process it is at the moment. Owned by the coordinator's thread. */
final class WorkerSlot {

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
    ControlChannel channel;
    /** Completes when all that the process has said over its channel was taken in. */
    CompletableFuture<Void> heardOut = CompletableFuture.completedFuture(null);

    Endpoints address;
    long startedNanos;
    long startedMillis;
    String startFailure;
    ErrorReport outOfMemory;
    private long asked;
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
        process = started;
        state = State.STARTING;
        startedNanos = System.nanoTime();
        startedMillis = System.currentTimeMillis();
        startFailure = null;
        outOfMemory = null;
        address = null;
        channel = null;
        heardOut = CompletableFuture.completedFuture(null);
        asked = 0;
        answered = 0;
        quiet = null;
    }

    /** Takes note that the process has ended. */
    void end(State after) {
        state = after;
        address = null;
        if (now != null) {
            past = SnapshotMerge.retire(past, now);
            now = null;
        }
        closeChannel();
    }

    void closeChannel() {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // It is of no use any more.
            }
        }
    }

    /** Sends an order; a worker that cannot be reached is about to be found dead. */
    void send(ControlMessage message) {
        if (state != State.RUNNING) {
            return;
        }
        try {
            channel.send(message);
        } catch (IOException e) {
            closeChannel();
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

    WorkerAddress whereabouts() {
        return new WorkerAddress(worker, incarnation, address);
    }
}
