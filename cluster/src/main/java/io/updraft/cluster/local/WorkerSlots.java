package io.updraft.cluster.local;

import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.local.ExitReason.LeftFiles;
import io.updraft.cluster.local.WorkerSlot.RestartDelay;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.run.RunningTask;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.MoveLog;
import io.updraft.observe.process.WorkerFailure;
import io.updraft.observe.process.WorkerStatus.State;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers of one topology: starts them, handles their messages, and restarts those that end. Owned by the coordinator's
 * thread.
 */
final class WorkerSlots {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlots.class);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
    private static final long KILL_SECONDS = 5;

    /**
     * Longest time between a worker's report that it will end and its end. It may write a heap dump before, or run shutdown
     * hooks.
     */
    private static final long END_SECONDS = 60;

    /** Longest wait for the remaining messages of a dead worker: a child process of the worker may hold its socket open. */
    private static final long LAST_MESSAGES_SECONDS = 2;

    private final Plan plan;
    private final ControlMessage.WorkerAssignment assignment;
    private final CoordinatorThread owner;
    private final WorkerOutput output;
    private final Consumer<ErrorReport> onError;
    private final Consumer<ErrorReport> onDeath;
    private final WorkerQueries questions = new WorkerQueries();
    private final List<WorkerSlot> slots;
    private final MoveLog moves = new MoveLog();
    private final CompletableFuture<Void> allReady = new CompletableFuture<>();
    private final CompletableFuture<Void> allStopped = new CompletableFuture<>();
    private final int startSeconds;
    private Path control;
    private ControlMessage.LiveConfig switches = ControlMessage.LiveConfig.NONE;
    private boolean active;
    private boolean everActive;
    private boolean stopping;
    /** Whether a worker's engine has failed: no spout may emit any more. */
    private boolean dead;
    /** Whether all workers were running at the same time once: from then on a worker that ends is restarted. */
    private boolean everReady;

    WorkerSlots(
            WorkerLayout layout,
            ControlMessage.WorkerAssignment assignment,
            CoordinatorThread owner,
            WorkerOutput output,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath) {
        this.plan = layout.plan();
        this.assignment = assignment;
        this.owner = owner;
        this.output = output;
        this.onError = onError;
        this.onDeath = onDeath;
        this.startSeconds = WorkerConf.startSeconds(plan.conf());
        int kept = EngineSettings.of(plan.conf()).keptDeadLetters();
        this.slots = IntStream.range(0, layout.workers())
                .mapToObj(worker -> new WorkerSlot(
                        worker,
                        layout.commands().get(worker),
                        new RestartDelay(System.nanoTime() + worker),
                        new WorkerLetters(kept)))
                .toList();
    }

    List<WorkerSlot> all() {
        return slots;
    }

    MoveLog moves() {
        return moves;
    }

    WorkerQueries questions() {
        return questions;
    }

    /** {@return a future that completes when all workers run at the same time, and fails when a worker cannot start} */
    CompletableFuture<Void> allReady() {
        return allReady;
    }

    CompletableFuture<Void> allStopped() {
        return allStopped;
    }

    boolean isActive() {
        return active;
    }

    // ---- orders ------------------------------------------------------------------------------------------------

    /** Starts all workers. {@code withRestarts} enables restarts before the workers have run at the same time. */
    void startAll(Path socket, boolean withRestarts) {
        control = socket;
        everReady = withRestarts;
        slots.forEach(this::launch);
    }

    void setActive(boolean requested) {
        active = requested && !dead;
        everActive |= active;
        slots.forEach(slot -> slot.send(active ? new ControlMessage.Activate() : new ControlMessage.Deactivate()));
    }

    void setSettings(ControlMessage.LiveConfig settings) {
        switches = settings;
        slots.forEach(slot -> slot.send(settings));
    }

    void stopAll() {
        stopping = true;
        allReady.completeExceptionally(new IOException("its workers are being stopped"));
        slots.forEach(this::stop);
        checkStopped();
    }

    void killAll() {
        slots.stream().filter(slot -> slot.state != State.STOPPED).forEach(slot -> {
            report("worker " + slot.worker + " (pid " + slot.process.pid() + ") does not stop and is killed; it ran "
                    + componentsOf(slot.worker));
            slot.kill();
        });
    }

    /** Kills the process of a worker, which then starts again. {@return whether there is such a process, and it may} */
    boolean restart(long pid, String by) {
        Optional<WorkerSlot> found = slots.stream()
                .filter(slot -> slot.process != null && slot.process.pid() == pid && slot.process.isAlive())
                .findFirst();
        found.ifPresent(slot -> slot.killToRestart(by));
        return found.isPresent();
    }

    private void stop(WorkerSlot slot) {
        switch (slot.state) {
            case RUNNING -> slot.send(new ControlMessage.Stop());
            case STARTING -> slot.kill();
            default -> slot.enter(State.STOPPED);
        }
    }

    private void checkStopped() {
        if (slots.stream().allMatch(slot -> slot.state == State.STOPPED)) {
            allStopped.complete(null);
        }
    }

    // ---- from start to ready -----------------------------------------------------------------------------------

    private void launch(WorkerSlot slot) {
        if (stopping) {
            return;
        }
        try {
            slot.launch(control, output);
        } catch (IOException e) {
            onNoProcess(slot, "worker " + slot.worker + " cannot be started: " + e.getMessage());
            return;
        }
        long incarnation = slot.incarnation;
        slot.process
                .onExit()
                .thenAccept(code -> owner.post(() -> slot.messagesHandled
                        .copy()
                        .completeOnTimeout(null, LAST_MESSAGES_SECONDS, TimeUnit.SECONDS)
                        .thenRun(() -> owner.post(() -> onExit(slot, incarnation, code)))));
        owner.postLater(() -> checkReady(slot, incarnation), TimeUnit.SECONDS.toNanos(startSeconds));
    }

    private void onNoProcess(WorkerSlot slot, String why) {
        if (everReady) {
            restart(slot, why, 0);
        } else {
            failStart(why);
        }
    }

    private void checkReady(WorkerSlot slot, long incarnation) {
        if (slot.incarnation == incarnation && slot.state == State.STARTING) {
            slot.startFailure = "it was not ready after " + startSeconds + " s (" + WorkerConf.START_TIMEOUT + ")";
            slot.process.kill();
        }
    }

    /** {@return the assignment for a worker that has connected, or null when the worker is not expected} */
    ControlMessage.WorkerAssignment assign(
            ControlMessage.Hello hello, ControlChannel channel, CompletableFuture<Void> messagesHandled) {
        if (hello.worker() < 0 || hello.worker() >= slots.size()) {
            return null;
        }
        WorkerSlot slot = slots.get(hello.worker());
        boolean expected = slot.state == State.STARTING
                && slot.incarnation == hello.incarnation()
                && slot.process.pid() == hello.pid()
                && !slot.isConnected();
        if (!expected || stopping) {
            return null;
        }
        slot.connect(channel);
        slot.messagesHandled = messagesHandled;
        return assignment;
    }

    private void onReady(WorkerSlot slot, ControlMessage.Started ready) {
        slot.enter(State.RUNNING);
        slot.address = ready.address();
        if (stopping) {
            slot.send(new ControlMessage.Stop());
            return;
        }
        if (everReady) {
            report("worker " + slot.worker + " (pid " + slot.process.pid() + ") runs again");
            moves.add(slot.restarted(componentsOf(slot.worker)));
        }
        sendPeers();
        slot.send(switches);
        if (everActive) {
            // Components are opened at the first activation.
            slot.send(new ControlMessage.Activate());
            if (!active) {
                slot.send(new ControlMessage.Deactivate());
            }
        }
        if (slots.stream().allMatch(each -> each.state == State.RUNNING)) {
            everReady = true;
            allReady.complete(null);
        }
    }

    private void sendPeers() {
        List<PeerAddress> peers = slots.stream()
                .filter(slot -> slot.state == State.RUNNING && slot.address != null)
                .map(slot -> new PeerAddress(slot.worker, slot.incarnation, slot.address))
                .toList();
        slots.forEach(slot -> slot.send(new ControlMessage.Peers(peers)));
    }

    // ---- messages from workers ---------------------------------------------------------------------------------

    void onMessage(int worker, long incarnation, ControlMessage message) {
        WorkerSlot slot = slots.get(worker);
        if (slot.incarnation != incarnation || slot.state == State.DOWN || slot.state == State.STOPPED) {
            return; // too late: the end of this process has been handled
        }
        if (message instanceof ControlMessage.Started ready) {
            onReady(slot, ready);
        } else if (message instanceof ControlMessage.StartFailed failed) {
            slot.startFailure = failed.message();
        } else if (message instanceof ControlMessage.StateReport state) {
            slot.onState(state);
            questions.onAnswer(slot, state.question());
        } else if (message instanceof ControlMessage.IdleReport quiet) {
            slot.quiet = quiet;
            questions.onAnswer(slot, quiet.question());
        } else if (message instanceof ControlMessage.DeadLetterReport letters) {
            slot.onLetters(letters);
            questions.onAnswer(slot, letters.question());
        } else if (message instanceof ControlMessage.DeadLettersChanged changed) {
            slot.letters.onChanged(changed.letters());
        } else if (message instanceof ControlMessage.SettingsApplied switched) {
            questions.onAnswer(slot, switched.question());
        } else if (message instanceof ControlMessage.UserCodeFailed failed) {
            onFailed(worker, failed.report());
        } else if (message instanceof ControlMessage.EngineFailed died) {
            onDied(slot, died);
        }
    }

    private void onDied(WorkerSlot slot, ControlMessage.EngineFailed died) {
        if (died.report().error() instanceof WorkerFailure failure && (failure.isOutOfMemory() || failure.isExit())) {
            slot.onLastWords(died);
            killUnlessEnded(slot);
        } else if (!dead) {
            dead = true;
            setActive(false);
            onDeath.accept(died.report());
        }
    }

    private void onFailed(int worker, ErrorReport report) {
        new RunningTask(report.componentId(), report.taskId())
                .log(() -> LOG.warn(
                        "worker {}: component '{}', task {}, {}: {}",
                        worker,
                        report.componentId(),
                        report.taskId(),
                        report.during(),
                        report.consequence(),
                        report.error()));
        onError.accept(report);
    }

    /** Kills the process if it has not ended in time: a user's shutdown hook may hang. */
    private void killUnlessEnded(WorkerSlot slot) {
        WorkerProcess process = slot.process;
        owner.postLater(
                () -> {
                    if (process.isAlive()) {
                        report("worker " + slot.worker + " (pid " + process.pid() + ") does not end within "
                                + END_SECONDS + " s and is killed");
                        process.kill();
                    }
                },
                TimeUnit.SECONDS.toNanos(END_SECONDS));
    }

    void onChannelClosed(int worker, long incarnation, String why) {
        WorkerSlot slot = slots.get(worker);
        if (slot.incarnation != incarnation || slot.process == null || !slot.process.isAlive()) {
            return;
        }
        if (why != null) {
            report("worker " + slot.worker + " is killed: " + why);
        }
        // The worker exits when it notices the closed connection. A worker that cannot exit is killed.
        WorkerProcess process = slot.process;
        owner.postLater(process::kill, why == null ? TimeUnit.SECONDS.toNanos(KILL_SECONDS) : 0);
    }

    // ---- ends --------------------------------------------------------------------------------------------------

    private void onExit(WorkerSlot slot, long incarnation, int code) {
        if (slot.incarnation != incarnation) {
            return;
        }
        long lived = System.nanoTime() - slot.startedNanos;
        LeftFiles traces = slot.command.tracesOf(slot.process, slot.startedMillis);
        String event = slot.describeEnd(code, traces, componentsOf(slot.worker));
        slot.keepNewestHeap(traces.heapDump());
        boolean expected = stopping && (code == WorkerExitCode.STOPPED || slot.isKilled());
        if (!expected) {
            slot.recordDeath(event);
        }
        slot.end(stopping ? State.STOPPED : State.DOWN, expected ? null : ExitReason.brief(code));
        questions.onGone(slot);
        if (stopping) {
            reportUnlessStopped(slot, code, event);
            checkStopped();
        } else if (!everReady) {
            failStart(event);
        } else {
            moves.add(slot.ended(componentsOf(slot.worker)));
            sendPeers();
            restart(slot, event, lived);
        }
    }

    /** {@return the names of a worker's components, for messages} */
    private String componentsOf(int worker) {
        Set<String> names = new TreeSet<>();
        for (ComponentPlan component : plan.components()) {
            for (int executor : component.executors()) {
                ExecutorPlan each = plan.executors().get(executor);
                if (each.worker() == worker) {
                    names.add(component.id());
                }
            }
        }
        return names.isEmpty() ? "no component" : String.join(", ", names);
    }

    private void reportUnlessStopped(WorkerSlot slot, int code, String event) {
        if (code != WorkerExitCode.STOPPED && slot.startFailure == null && !slot.isKilled() && everReady) {
            report(event + ", while it was stopping");
        }
    }

    private void failStart(String why) {
        allReady.completeExceptionally(new IOException(why));
        if (slots.stream().anyMatch(slot -> slot.state == State.RUNNING)) {
            LOG.error("{}", why);
        }
    }

    private void restart(WorkerSlot slot, String why, long livedNanos) {
        long wait = slot.backOff.afterDeath(livedNanos);
        report(why + "; it restarts in " + TimeUnit.NANOSECONDS.toMillis(wait) + " ms");
        owner.postLater(() -> launch(slot), wait);
    }

    private void report(String line) {
        LOG.warn("{}", line);
        output.message("updraft: " + LocalTime.now().format(TIME) + " " + line);
    }
}
