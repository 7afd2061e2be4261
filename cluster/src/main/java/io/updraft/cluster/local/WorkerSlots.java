package io.updraft.cluster.local;

import io.updraft.cluster.link.PeerAddress;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.Deactivate;
import io.updraft.cluster.local.ControlMessage.Died;
import io.updraft.cluster.local.ControlMessage.Failed;
import io.updraft.cluster.local.ControlMessage.Hello;
import io.updraft.cluster.local.ControlMessage.Peers;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Ready;
import io.updraft.cluster.local.ControlMessage.StartFailed;
import io.updraft.cluster.local.ControlMessage.Stop;
import io.updraft.cluster.local.ControlMessage.Switched;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.cluster.local.ExitReason.Traces;
import io.updraft.cluster.local.WorkerStatus.State;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    private static final long LAST_WORDS_SECONDS = 2;

    private final Plan plan;
    private final Assignment assignment;
    private final OwnerThread owner;
    private final WorkerOutput output;
    private final FailureTeller failures;
    private final Questions questions = new Questions();
    private final List<WorkerSlot> slots;
    private final CompletableFuture<Void> allReady = new CompletableFuture<>();
    private final CompletableFuture<Void> allStopped = new CompletableFuture<>();
    private final int startSeconds;
    private Path control;
    private Switches switches = Switches.NONE;
    private boolean active;
    private boolean everActive;
    private boolean stopping;
    /** Whether all workers were running at the same time once: from then on a worker that ends is restarted. */
    private boolean up;

    WorkerSlots(Layout layout, Assignment assignment, OwnerThread owner, WorkerOutput output, FailureTeller failures) {
        this.plan = layout.plan();
        this.assignment = assignment;
        this.owner = owner;
        this.output = output;
        this.failures = failures;
        this.startSeconds = WorkerConf.startSeconds(plan.conf());
        this.slots = IntStream.range(0, layout.workers())
                .mapToObj(worker ->
                        new WorkerSlot(worker, layout.commands().get(worker), new BackOff(System.nanoTime() + worker)))
                .toList();
    }

    List<WorkerSlot> all() {
        return slots;
    }

    Questions questions() {
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

    void startAll(Path socket) {
        control = socket;
        slots.forEach(this::launch);
    }

    /** Enables restarts from now on, although the workers have never run at the same time. */
    void restartFromTheStart() {
        up = true;
    }

    void setActive(boolean wanted) {
        active = wanted && !failures.isDead();
        everActive |= active;
        slots.forEach(slot -> slot.send(active ? new Activate() : new Deactivate()));
    }

    void setSwitches(Switches wanted) {
        switches = wanted;
        slots.forEach(slot -> slot.send(wanted));
    }

    void stopAll() {
        stopping = true;
        allReady.completeExceptionally(new IOException("its workers are being stopped"));
        slots.forEach(this::stop);
        checkStopped();
    }

    void killAll() {
        slots.stream().filter(slot -> slot.state != State.STOPPED).forEach(slot -> {
            tell("worker " + slot.worker + " (pid " + slot.process.pid() + ") does not stop and is killed; it ran "
                    + componentsOf(slot.worker));
            slot.kill();
        });
    }

    private void stop(WorkerSlot slot) {
        switch (slot.state) {
            case RUNNING -> slot.send(new Stop());
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
                .thenAccept(code -> owner.post(() -> slot.heardOut
                        .copy()
                        .completeOnTimeout(null, LAST_WORDS_SECONDS, TimeUnit.SECONDS)
                        .thenRun(() -> owner.post(() -> onExit(slot, incarnation, code)))));
        owner.postLater(() -> checkReady(slot, incarnation), TimeUnit.SECONDS.toNanos(startSeconds));
    }

    private void onNoProcess(WorkerSlot slot, String why) {
        if (up) {
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
    Assignment welcome(Hello hello, ControlChannel channel, CompletableFuture<Void> heardOut) {
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
        slot.heardOut = heardOut;
        return assignment;
    }

    private void onReady(WorkerSlot slot, Ready ready) {
        slot.enter(State.RUNNING);
        slot.address = ready.address();
        if (stopping) {
            slot.send(new Stop());
            return;
        }
        if (up) {
            tell("worker " + slot.worker + " (pid " + slot.process.pid() + ") runs again");
        }
        tellPeers();
        slot.send(switches);
        if (everActive) {
            // Components are opened at the first activation.
            slot.send(new Activate());
            if (!active) {
                slot.send(new Deactivate());
            }
        }
        if (slots.stream().allMatch(each -> each.state == State.RUNNING)) {
            up = true;
            allReady.complete(null);
        }
    }

    private void tellPeers() {
        List<PeerAddress> known = slots.stream()
                .filter(slot -> slot.state == State.RUNNING && slot.address != null)
                .map(slot -> new PeerAddress(slot.worker, slot.incarnation, slot.address))
                .toList();
        slots.forEach(slot -> slot.send(new Peers(known)));
    }

    // ---- messages from workers ---------------------------------------------------------------------------------

    void onMessage(int worker, long incarnation, ControlMessage message) {
        WorkerSlot slot = slots.get(worker);
        if (slot.incarnation != incarnation || slot.state == State.DOWN || slot.state == State.STOPPED) {
            return; // too late: the end of this process has been handled
        }
        if (message instanceof Ready ready) {
            onReady(slot, ready);
        } else if (message instanceof StartFailed failed) {
            slot.startFailure = failed.message();
        } else if (message instanceof ControlMessage.State state) {
            slot.onSnapshot(state.snapshot());
            questions.onAnswer(slot, state.question());
        } else if (message instanceof Quiet quiet) {
            slot.quiet = quiet;
            questions.onAnswer(slot, quiet.question());
        } else if (message instanceof Switched switched) {
            questions.onAnswer(slot, switched.question());
        } else if (message instanceof Failed failed) {
            failures.onFailed(worker, failed.report());
        } else if (message instanceof Died died) {
            onDied(slot, died.report());
        }
    }

    private void onDied(WorkerSlot slot, ErrorReport report) {
        if (report.error() instanceof WorkerFailure failure && (failure.isOutOfMemory() || failure.isExit())) {
            slot.endedBy = report;
            killUnlessEnded(slot);
        } else if (failures.onDied(report)) {
            setActive(false);
        }
    }

    /** Kills the process if it has not ended in time: a user's shutdown hook may hang. */
    private void killUnlessEnded(WorkerSlot slot) {
        WorkerProcess process = slot.process;
        owner.postLater(
                () -> {
                    if (process.isAlive()) {
                        tell("worker " + slot.worker + " (pid " + process.pid() + ") does not end within " + END_SECONDS
                                + " s and is killed");
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
            tell("worker " + slot.worker + " is killed: " + why);
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
        Traces traces = slot.command.tracesOf(slot.process, slot.startedMillis);
        String what = DeathNotice.of(slot, code, traces, componentsOf(slot.worker));
        slot.keepNewestHeap(traces.heapDump());
        boolean wanted = stopping && (code == WorkerExit.STOPPED || slot.isKilled());
        slot.end(stopping ? State.STOPPED : State.DOWN, wanted ? null : ExitReason.brief(code));
        questions.onGone(slot);
        if (stopping) {
            tellUnlessStopped(slot, code, what);
            checkStopped();
        } else if (!up) {
            failStart(what);
        } else {
            tellPeers();
            restart(slot, what, lived);
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

    private void tellUnlessStopped(WorkerSlot slot, int code, String what) {
        if (code != WorkerExit.STOPPED && slot.startFailure == null && !slot.isKilled() && up) {
            tell(what + ", while it was stopping");
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
        tell(why + "; it restarts in " + TimeUnit.NANOSECONDS.toMillis(wait) + " ms");
        owner.postLater(() -> launch(slot), wait);
    }

    private void tell(String line) {
        LOG.warn("{}", line);
        output.tell("updraft: " + LocalTime.now().format(TIME) + " " + line);
    }
}
