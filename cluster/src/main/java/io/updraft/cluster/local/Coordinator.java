package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskSwitched;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.engine.metrics.EngineSnapshot;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the workers of one topology. All methods may be called from any thread. One thread, {@code updraft-workers-<id>}, owns
 * all state; calls and events of processes and sockets are handed to this thread.
 */
final class Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    /** A worker closes its components within eleven seconds. */
    private static final long STOP_SECONDS = 13;

    private static final long KILL_SECONDS = 5;

    private final OwnerThread owner;
    private final WorkerSlots slots;
    private final SnapshotMerge merge;
    private final Past past;
    private final Object asking = new Object();
    private ControlServer server;

    /**
     * Creates a coordinator; no worker is started yet.
     *
     * @param run the plan and the assignment of the topology
     * @param commands the command of each worker, in the order of their numbers
     * @param output receives the output of workers
     * @param failures receives failures of user code
     * @param past the counts of earlier deployments of the topology
     */
    Coordinator(Run run, List<WorkerCommand> commands, WorkerOutput output, FailureTeller failures, Past past) {
        owner = new OwnerThread("updraft-workers-" + run.plan().id());
        slots = new WorkerSlots(run, commands, owner, output, failures);
        this.past = past;
        merge = new SnapshotMerge(run.plan());
    }

    /**
     * Starts all workers and waits until each of them is ready.
     *
     * @throws IOException when a worker could not start; the message is one readable line. No process and no file is left
     *     behind
     */
    void start() throws IOException {
        try {
            launch();
            slots.allReady().get();
        } catch (InterruptedException e) {
            abandon();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while workers were starting", e);
        } catch (ExecutionException e) {
            abandon();
            throw new IOException(e.getCause().getMessage(), e);
        } catch (IOException | RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    /**
     * Starts all workers without waiting for them, because this plan has run before. Workers that end are restarted.
     *
     * @throws IOException when the control socket cannot be created. No process and no file is left behind
     */
    void startAnyway() throws IOException {
        try {
            owner.call(() -> {
                slots.restartFromTheStart();
                return null;
            });
            launch();
        } catch (IOException | RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    private void launch() throws IOException {
        server = ControlServer.open(new Reception(owner, slots)::serve);
        owner.call(() -> {
            slots.startAll(server.path());
            return null;
        });
    }

    /** Stops workers that are starting, without waiting for them. {@link #start} fails then. */
    void cancel() {
        owner.post(slots::stopAll);
    }

    private void abandon() {
        boolean interrupted = Thread.interrupted(); // the workers must stop nevertheless
        try {
            close();
        } finally {
            shutDown();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void setActive(boolean wanted) {
        owner.call(() -> {
            slots.setActive(wanted);
            return null;
        });
    }

    /**
     * Sets the runtime settings of all workers, including those that start later.
     *
     * @param limitNanos longest wait for the workers that can answer
     */
    void setSwitches(Switches wanted, long limitNanos) throws InterruptedException {
        owner.call(() -> {
            slots.setSwitches(wanted);
            return null;
        });
        ask(AskSwitched::new, limitNanos);
    }

    /**
     * Sends a question to all workers and waits for the answers of those that can answer.
     *
     * @param question creates the message from the question's number
     * @param limitNanos longest wait
     * @return the question's number
     */
    long ask(LongFunction<ControlMessage> question, long limitNanos) throws InterruptedException {
        synchronized (asking) { // one question at a time
            Future<Void> done = owner.call(() -> slots.questions().ask(slots.all(), question));
            try {
                done.get(limitNanos, TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug("not all workers have answered");
            }
            return owner.call(() -> slots.questions().last());
        }
    }

    /** Sets the runtime settings that workers receive when they are ready. Does not wait. */
    void keepSwitches(Switches wanted) {
        owner.post(() -> slots.setSwitches(wanted));
    }

    /** {@return the answers of all workers to a question whether they are quiet; null when a worker has not answered} */
    List<Quiet> quiet(long question) {
        return owner.call(() -> Questions.quiet(slots.all(), question));
    }

    /** {@return the merged state of all workers, past and present} */
    EngineSnapshot snapshot() {
        return owner.call(() -> merge.merge(
                System.nanoTime() - past.startedNanos(),
                slots.isActive(),
                Stream.concat(
                                Stream.ofNullable(past.counted()),
                                slots.all().stream().map(WorkerSlot::known).filter(Objects::nonNull))
                        .toList()));
    }

    /** {@return the status of each worker, in the order of their numbers} */
    List<WorkerStatus> statuses() {
        return owner.call(() -> slots.all().stream().map(WorkerSlot::status).toList());
    }

    /** {@return the process ids of the workers that are alive} */
    List<Long> pids() {
        return owner.call(() -> slots.all().stream()
                .filter(slot -> slot.process != null && slot.process.isAlive())
                .map(slot -> slot.process.pid())
                .toList());
    }

    /** {@return the counts of the workers for the next deployment; the workers have ended} */
    Past past() {
        return new Past(past.startedNanos(), SnapshotMerge.ended(snapshot()));
    }

    /** Stops all workers, and kills those that do not stop. */
    void close() {
        owner.post(slots::stopAll);
        if (!await(slots.allStopped(), STOP_SECONDS)) {
            owner.post(slots::killAll);
            await(slots.allStopped(), KILL_SECONDS);
        }
        closeServer();
    }

    private void closeServer() {
        try {
            if (server != null) {
                server.close();
            }
        } catch (IOException e) {
            LOG.warn("cannot remove the control socket", e);
        }
    }

    /** Ends the coordinator's thread. Later calls run on the calling thread. */
    void shutDown() {
        owner.shutDown();
    }

    private static boolean await(CompletableFuture<Void> future, long seconds) {
        try {
            future.get(seconds, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
