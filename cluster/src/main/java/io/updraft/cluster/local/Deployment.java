package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.AskSettingsApplied;
import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.cluster.local.ControlMessage.IdleReport;
import io.updraft.cluster.local.ControlMessage.LiveConfig;
import io.updraft.cluster.local.ControlMessage.WorkerAssignment;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.Move;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.storm.program.ProgramFiles;
import io.updraft.transport.HostService;
import io.updraft.transport.TransportException;
import io.updraft.transport.TransportNames;
import io.updraft.transport.TransportOptions;
import io.updraft.transport.Transports;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A topology laid out on workers, from their start to their end: the coordinator of these workers. Each rebalance of a topology
 * replaces its deployment by a new one.
 *
 * <p>Each deployment has its own secret, control socket and incarnations. No process of an earlier deployment can join.
 *
 * <p>All methods may be called from any thread. One thread, {@code updraft-workers-<id>}, owns all state; calls and events of
 * processes and sockets are handed to this thread.
 */
final class Deployment implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);
    private static final int SECRET_BYTES = 32;
    /** A worker closes its components within eleven seconds. */
    private static final long STOP_SECONDS = 13;

    private static final long KILL_SECONDS = 5;

    /**
     * What the topology did in earlier deployments: when it was started, by {@link System#nanoTime()}, and its counts since
     * then, with nothing in flight; null for the first deployment.
     */
    record EarlierCounts(long startedNanos, EngineSnapshot counted) {}

    private final WorkerLayout layout;
    private final EarlierCounts earlier;
    /** The resources that the transports of the workers share on this host, if any. They live in this process. */
    private final Optional<HostService> shared;

    private final CoordinatorThread owner;
    private final WorkerSlots slots;
    private final SnapshotMerge merge;
    private final Object asking = new Object();
    private ControlServer server;

    /**
     * Creates a deployment; no worker is started yet.
     *
     * @param onDeath receives the failure that ends the topology; called by the coordinator's thread
     * @throws InvalidTopology when the resources that workers share cannot be opened
     */
    Deployment(
            WorkerLayout layout,
            EngineOptions options,
            WorkerSettings settings,
            Consumer<ErrorReport> onDeath,
            EarlierCounts earlier) {
        Plan plan = layout.plan();
        this.layout = layout;
        this.earlier = earlier;
        shared = openShared(plan);
        try {
            Map<String, Object> whole = new HashMap<>(plan.conf());
            shared.ifPresent(service -> whole.putAll(service.options()));
            owner = new CoordinatorThread("updraft-workers-" + plan.id());
            WorkerAssignment assignment = assignment(plan, whole, options, settings);
            slots = new WorkerSlots(layout, assignment, owner, settings.output(), options.onError(), onDeath);
            merge = new SnapshotMerge(plan);
        } catch (RuntimeException | Error e) {
            shared.ifPresent(HostService::close);
            throw e;
        }
    }

    private static Optional<HostService> openShared(Plan plan) {
        if (plan.workers() == 1) {
            return Optional.empty();
        }
        try {
            return Transports.openHostService(TransportNames.of(plan.conf()).local(), TransportOptions.of(plan.conf()));
        } catch (TransportException | IllegalArgumentException e) {
            throw new InvalidTopology("topology '" + plan.name() + "': " + e.getMessage(), e);
        }
    }

    private static WorkerAssignment assignment(
            Plan plan, Map<String, Object> conf, EngineOptions options, WorkerSettings settings) {
        ProgramFiles program = settings.program();
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return new WorkerAssignment(
                options.name(),
                options.id(),
                plan.workers(),
                Utils.thriftSerialize(plan.topology()),
                JSONValue.toJSONString(conf),
                program.jar().map(Deployment::absolute).orElse(null),
                program.libraries().stream().map(Deployment::absolute).toList(),
                secret,
                options.seed());
    }

    private static String absolute(Path file) {
        return file.toAbsolutePath().toString();
    }

    /**
     * Starts the workers and waits until each is ready. With restarts, for a plan that has run before, it does not wait, and a
     * worker that cannot be started is tried again, like a worker that ends.
     *
     * @throws InvalidTopology when a worker or the control socket cannot be started; no process and no file is left behind
     */
    void start(boolean withRestarts) {
        try {
            server = ControlServer.open(this::serve);
            owner.run(() -> slots.startAll(server.path(), withRestarts));
            if (!withRestarts) {
                awaitReady();
            }
        } catch (IOException e) {
            abandon();
            throw new InvalidTopology("topology '" + layout.plan().name() + "': " + e.getMessage(), e);
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    private void awaitReady() throws IOException {
        try {
            slots.allReady().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while workers were starting", e);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e);
        }
    }

    private void abandon() {
        boolean interrupted = Thread.interrupted(); // the workers must stop nevertheless
        try {
            stop();
        } finally {
            close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    WorkerLayout layout() {
        return layout;
    }

    void setActive(boolean active) {
        owner.run(() -> slots.setActive(active));
    }

    /** Sets the runtime settings of all workers, also those that start later. Waits for the workers that can answer. */
    void setSettings(LiveConfig settings, long limitNanos) throws InterruptedException {
        owner.run(() -> slots.setSettings(settings));
        ask(AskSettingsApplied::new, limitNanos);
    }

    /** Sends a question to all workers and waits for those that can answer. {@return the number of the question} */
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
    void keepSettings(LiveConfig settings) {
        owner.post(() -> slots.setSettings(settings));
    }

    /** {@return the answers of all workers to a question whether they are quiet; null when a worker has not answered} */
    List<IdleReport> quiet(long question) {
        return owner.call(() -> WorkerQueries.quiet(slots.all(), question));
    }

    /** {@return the answers to a question about dead letters, of the workers that have answered} */
    List<DeadLetterReport> letters(long question) {
        return owner.call(() -> WorkerQueries.letters(slots.all(), question));
    }

    /** {@return the dead letters that workers have reported, also of workers that have ended} */
    List<LetterRecord> letters() {
        return owner.call(() -> slots.all().stream()
                .flatMap(slot -> slot.letters.all().stream())
                .toList());
    }

    EngineSnapshot snapshot() {
        return owner.call(() -> merge.merge(
                System.nanoTime() - earlier.startedNanos(),
                slots.isActive(),
                Stream.concat(
                                Stream.ofNullable(earlier.counted()),
                                slots.all().stream().map(WorkerSlot::read).filter(Objects::nonNull))
                        .toList(),
                slots.moves().recent()));
    }

    /** Notes that the workers replace those of another deployment. */
    void note(Move move) {
        slots.moves().add(move);
    }

    List<WorkerStatus> statuses() {
        return owner.call(() -> slots.all().stream().map(WorkerSlot::status).toList());
    }

    /** Kills the process of a worker, which then starts again. {@return whether there is such a process} */
    boolean restart(long pid, String by) {
        return owner.call(() -> slots.restart(pid, by));
    }

    List<Long> pids() {
        return owner.call(() -> slots.all().stream()
                .filter(slot -> slot.process != null && slot.process.isAlive())
                .map(slot -> slot.process.pid())
                .toList());
    }

    /** {@return the counts of the workers for the next deployment; the workers have ended} */
    EarlierCounts earlier() {
        return new EarlierCounts(earlier.startedNanos(), SnapshotMerge.ended(snapshot()));
    }

    /** Stops workers that are starting, without waiting for them. {@link #start} fails then. */
    void cancel() {
        owner.post(slots::stopAll);
    }

    /** Stops the workers; those that do not stop within 13 seconds are killed. The last state can still be queried. */
    void stop() {
        try {
            owner.post(slots::stopAll);
            if (!await(slots.allStopped(), STOP_SECONDS)) {
                owner.post(slots::killAll);
                await(slots.allStopped(), KILL_SECONDS);
            }
            closeServer();
        } finally {
            shared.ifPresent(HostService::close);
        }
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

    /** Ends the coordinator's thread. Later calls run on the calling thread; the last state can still be queried. */
    @Override
    public void close() {
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

    private void serve(ControlChannel channel) {
        CompletableFuture<Void> messagesHandled = new CompletableFuture<>();
        try (channel) {
            if (channel.receive() instanceof Hello hello) {
                WorkerAssignment assignment = owner.call(() -> slots.assign(hello, channel, messagesHandled));
                if (assignment != null) {
                    channel.send(assignment);
                    receiveAll(channel, hello.worker(), hello.incarnation());
                }
            }
        } catch (IOException e) {
            LOG.debug("a connection to a worker has ended", e);
        } finally {
            messagesHandled.complete(null);
        }
    }

    /** Hands the messages of a worker to the coordinator's thread. Runs on the connection's own thread. */
    private void receiveAll(ControlChannel channel, int worker, long incarnation) {
        String failure = null;
        try {
            for (ControlMessage message = channel.receive(); message != null; message = channel.receive()) {
                ControlMessage received = message;
                owner.post(() -> slots.onMessage(worker, incarnation, received));
            }
        } catch (SocketException | ClosedChannelException e) {
            LOG.debug("the connection of worker {} is closed", worker, e);
        } catch (IOException e) {
            failure = e.getMessage();
        }
        String reason = failure;
        owner.post(() -> slots.onChannelClosed(worker, incarnation, reason));
    }
}
