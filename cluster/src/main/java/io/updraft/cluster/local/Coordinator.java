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
 * The workers of one topology as others see them: all methods may be called from any thread. All state belongs to one
 * thread, {@code updraft-workers}; what comes from callers, processes and sockets is handed to it.
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
     * Creates a coordinator; nothing is started yet.
     *
     * @param run what is to be run
     * @param commands how each worker is started, in their order
     * @param output where workers are heard
     * @param failures is told of failures of user code
     * @param past what was before
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
     * @throws IOException when one of them could not start; the message is one line for people. Nothing is left behind
     */
    void start() throws IOException {
        try {
            launch();
            slots.allReady().get();
        } catch (InterruptedException e) {
            abandon();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while workers were started", e);
        } catch (ExecutionException e) {
            abandon();
            throw new IOException(e.getCause().getMessage(), e);
        } catch (IOException | RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    /**
     * Starts all workers and does not wait for them: this very plan has run before. Those that end are started again.
     *
     * @throws IOException when they could not say that they are there. Nothing is left behind
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

    /** Lets workers that are being started stop, and does not wait for that: {@link #start} fails. */
    void cancel() {
        owner.post(slots::stopAll);
    }

    private void abandon() {
        boolean interrupted = Thread.interrupted(); // nothing is to be left behind all the same
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
     * Tells all workers, and those that come later, what is switched.
     *
     * @param limitNanos how long to wait at the most until those that can answer have done so
     */
    void setSwitches(Switches wanted, long limitNanos) throws InterruptedException {
        owner.call(() -> {
            slots.setSwitches(wanted);
            return null;
        });
        ask(AskSwitched::new, limitNanos);
    }

    /**
     * Asks all workers something and waits for the answers of those that can answer.
     *
     * @param question makes the message from the question's number
     * @param limitNanos how long to wait at the most
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

    /** Has workers told what is switched when they are ready. */
    void keepSwitches(Switches wanted) {
        owner.post(() -> slots.setSwitches(wanted));
    }

    /** {@return what all workers say to a question whether they are quiet; null when one has not answered} */
    List<Quiet> quiet(long question) {
        return owner.call(() -> Questions.quiet(slots.all(), question));
    }

    /** {@return all that is known of what the workers did and do} */
    EngineSnapshot snapshot() {
        return owner.call(() -> merge.merge(
                System.nanoTime() - past.startedNanos(),
                slots.isActive(),
                Stream.concat(
                                Stream.ofNullable(past.counted()),
                                slots.all().stream().map(WorkerSlot::known).filter(Objects::nonNull))
                        .toList()));
    }

    /** {@return what has become of each worker, in their order} */
    List<WorkerStatus> statuses() {
        return owner.call(() -> slots.all().stream().map(WorkerSlot::status).toList());
    }

    /** {@return the processes of the workers that live} */
    List<Long> pids() {
        return owner.call(() -> slots.all().stream()
                .filter(slot -> slot.process != null && slot.process.isAlive())
                .map(slot -> slot.process.pid())
                .toList());
    }

    /** {@return what the workers did, for those that take their place; they have ended} */
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
            LOG.warn("the control socket could not be removed", e);
        }
    }

    /** Lets the thread go; nothing can be asked any more. */
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
