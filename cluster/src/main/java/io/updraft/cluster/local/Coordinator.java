package io.updraft.cluster.local;

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
import io.updraft.cluster.local.ControlMessage.WorkerAddress;
import io.updraft.cluster.local.WorkerSlot.State;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.metrics.EngineSnapshot;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the workers of one topology, watches them and starts those that end again. All state belongs to one thread,
 * {@code updraft-workers}; what comes from processes and sockets is handed to it.
 */
final class Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    private static final long START_SECONDS = 60;
    /** A worker closes its components within eleven seconds. */
    private static final long STOP_SECONDS = 13;

    private static final long KILL_SECONDS = 5;

    private final Run run;
    private final Map<String, Object> conf;
    private final WorkerSettings settings;
    private final Consumer<ErrorReport> onError;
    private final Consumer<ErrorReport> onDeath;
    private final ScheduledThreadPoolExecutor events;
    private final List<WorkerSlot> slots = new ArrayList<>();
    private final CompletableFuture<Void> allReady = new CompletableFuture<>();
    private final CompletableFuture<Void> allStopped = new CompletableFuture<>();
    private final SnapshotMerge merge;
    private final long startedNanos = System.nanoTime();
    private final Object asking = new Object();
    private ControlServer server;
    private boolean active;
    private boolean everActive;
    private boolean stopping;
    private boolean dead;
    /** Whether all workers were running once: from then on one that ends is started again. */
    private boolean up;

    private long questions;
    private Set<Integer> awaited = new HashSet<>();
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);

    Coordinator(
            Run run,
            Map<String, Object> conf,
            WorkerSettings settings,
            Consumer<ErrorReport> onError,
            Consumer<ErrorReport> onDeath) {
        this.run = run;
        this.conf = conf;
        this.settings = settings;
        this.onError = onError;
        this.onDeath = onDeath;
        this.merge = new SnapshotMerge(run.plan());
        events = new ScheduledThreadPoolExecutor(1, job -> {
            Thread thread = new Thread(job, "updraft-workers-" + run.plan().id());
            thread.setDaemon(true);
            return thread;
        });
        events.setRemoveOnCancelPolicy(true);
    }

    /**
     * Starts all workers and waits until each of them is ready.
     *
     * @throws IOException when one of them could not start; the message is one line for people. Nothing is left behind
     */
    void start() throws IOException {
        try {
            server = ControlServer.open(this::serve);
            call(() -> {
                for (int worker = 0; worker < run.workers(); worker++) {
                    WorkerCommand command =
                            WorkerCommand.of(settings, conf, run.plan().id(), worker, run.workers());
                    slots.add(new WorkerSlot(worker, command, new BackOff(System.nanoTime() + worker)));
                }
                slots.forEach(this::launch);
                return null;
            });
            allReady.get();
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while workers were started", e);
        } catch (ExecutionException | CompletionException e) {
            close();
            throw new IOException(e.getCause().getMessage(), e);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    void setActive(boolean wanted) {
        call(() -> {
            active = wanted && !dead;
            everActive |= active;
            slots.forEach(slot -> slot.send(active ? new Activate() : new Deactivate()));
            return null;
        });
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
            Future<Void> done = call(() -> askAll(question));
            try {
                done.get(limitNanos, TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.debug("not all workers have answered");
            }
            return call(() -> questions);
        }
    }

    /** {@return what all workers say to a question whether they are quiet; null when one has not answered} */
    List<Quiet> quiet(long question) {
        return call(() -> {
            boolean all = slots.stream()
                    .allMatch(slot ->
                            slot.state == State.RUNNING && slot.quiet != null && slot.quiet.question() == question);
            return all ? slots.stream().map(slot -> slot.quiet).toList() : null;
        });
    }

    /** {@return all that is known of what the workers did and do} */
    EngineSnapshot snapshot() {
        return call(() -> merge.merge(
                System.nanoTime() - startedNanos,
                active,
                slots.stream().map(WorkerSlot::known).filter(Objects::nonNull).toList()));
    }

    /** {@return the processes of the workers that live} */
    List<Long> pids() {
        return call(() -> slots.stream()
                .filter(slot -> slot.process != null && slot.process.isAlive())
                .map(slot -> slot.process.pid())
                .toList());
    }

    /** Stops all workers, and kills those that do not stop. To be called once. */
    void close() {
        call(() -> {
            stopping = true;
            slots.forEach(this::stop);
            checkStopped();
            return null;
        });
        if (!await(allStopped, STOP_SECONDS)) {
            call(() -> {
                slots.stream().filter(slot -> slot.process != null).forEach(slot -> slot.process.kill());
                return null;
            });
            await(allStopped, KILL_SECONDS);
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
        events.shutdownNow();
    }

    // ---- on the coordinator's thread -------------------------------------------------------------------------

    private void launch(WorkerSlot slot) {
        if (stopping) {
            return;
        }
        slot.incarnation++;
        long incarnation = slot.incarnation;
        try {
            slot.begin(WorkerProcess.start(
                    slot.command.words(),
                    Map.of(
                            WorkerMain.CONTROL,
                            server.path().toString(),
                            WorkerMain.INCARNATION,
                            "" + incarnation,
                            // UCX hooks into memory calls otherwise, and so into the JVM's; it reads this from here
                            // only.
                            "UCX_MEM_EVENTS",
                            "n"),
                    "[worker " + slot.worker + "] ",
                    settings.output()));
        } catch (IOException e) {
            onNoProcess(slot, "worker " + slot.worker + " cannot be started: " + e.getMessage());
            return;
        }
        slot.process
                .onExit()
                .thenAccept(code ->
                        post(() -> slot.heardOut.thenRun(() -> post(() -> onExit(slot, incarnation, code)))));
        events.schedule(() -> guarded(() -> checkReady(slot, incarnation)), START_SECONDS, TimeUnit.SECONDS);
    }

    private void onNoProcess(WorkerSlot slot, String why) {
        if (up) {
            restart(slot, why, 0);
        } else {
            failStart(why);
        }
    }

    private void restart(WorkerSlot slot, String why, long livedNanos) {
        long wait = slot.backOff.afterDeath(livedNanos);
        tell(why + "; it is started again in " + TimeUnit.NANOSECONDS.toMillis(wait) + " ms");
        events.schedule(() -> guarded(() -> launch(slot)), wait, TimeUnit.NANOSECONDS);
    }

    private void checkReady(WorkerSlot slot, long incarnation) {
        if (slot.incarnation == incarnation && slot.state == State.STARTING) {
            slot.startFailure = "it was not ready after " + START_SECONDS + " s";
            slot.process.kill();
        }
    }

    /** {@return what to tell a worker that has connected, or null when it is none of ours} */
    private Assignment welcome(Hello hello, ControlChannel channel, CompletableFuture<Void> heardOut) {
        if (hello.worker() < 0 || hello.worker() >= slots.size()) {
            return null;
        }
        WorkerSlot slot = slots.get(hello.worker());
        boolean expected = slot.state == State.STARTING
                && slot.incarnation == hello.incarnation()
                && slot.process.pid() == hello.pid()
                && slot.channel == null;
        if (!expected || stopping) {
            return null;
        }
        slot.channel = channel;
        slot.heardOut = heardOut;
        return run.assignment();
    }

    private void onMessage(WorkerSlot slot, long incarnation, ControlMessage message) {
        if (slot.incarnation != incarnation) {
            return;
        }
        if (message instanceof Ready ready) {
            onReady(slot, ready);
        } else if (message instanceof StartFailed failed) {
            slot.startFailure = failed.message();
        } else if (message instanceof ControlMessage.State state) {
            slot.onSnapshot(state.snapshot());
            onAnswer(slot, state.question());
        } else if (message instanceof Quiet quiet) {
            slot.quiet = quiet;
            onAnswer(slot, quiet.question());
        } else if (message instanceof Failed failed) {
            onFailed(slot, failed.report());
        } else if (message instanceof Died died) {
            onDied(slot, died.report());
        }
    }

    private void onReady(WorkerSlot slot, Ready ready) {
        slot.state = State.RUNNING;
        slot.address = ready.address();
        if (up) {
            tell("worker " + slot.worker + " (pid " + slot.process.pid() + ") runs again");
        }
        tellPeers();
        if (everActive) {
            // Components are opened at the first activation.
            slot.send(new Activate());
            if (!active) {
                slot.send(new Deactivate());
            }
        }
        if (stopping) {
            slot.send(new Stop());
        }
        if (slots.stream().allMatch(each -> each.state == State.RUNNING)) {
            up = true;
            allReady.complete(null);
        }
    }

    private void tellPeers() {
        List<WorkerAddress> known = slots.stream()
                .filter(slot -> slot.state == State.RUNNING && slot.address != null)
                .map(WorkerSlot::whereabouts)
                .toList();
        slots.forEach(slot -> slot.send(new Peers(known)));
    }

    private Future<Void> askAll(LongFunction<ControlMessage> question) {
        questions++;
        awaited = new HashSet<>();
        answers = new CompletableFuture<>();
        for (WorkerSlot slot : slots) {
            if (slot.ask(questions, question.apply(questions))) {
                awaited.add(slot.worker);
            }
        }
        checkAnswers();
        return answers;
    }

    private void onAnswer(WorkerSlot slot, long question) {
        slot.onAnswer(question);
        if (question == questions) {
            awaited.remove(slot.worker);
            checkAnswers();
        }
    }

    private void checkAnswers() {
        if (awaited.isEmpty()) {
            answers.complete(null);
        }
    }

    private void onFailed(WorkerSlot slot, ErrorReport report) {
        LOG.warn(
                "worker {}: component '{}', task {}, {}: {}",
                slot.worker,
                report.componentId(),
                report.taskId(),
                report.during(),
                report.consequence(),
                report.error());
        onError.accept(report);
    }

    private void onDied(WorkerSlot slot, ErrorReport report) {
        if (report.error() instanceof WorkerFailure failure && failure.isOutOfMemory()) {
            slot.outOfMemory = report;
            return;
        }
        if (!dead) {
            dead = true;
            active = false;
            slots.forEach(each -> each.send(new Deactivate()));
            // Not on this thread: whoever hears of it may ask for something that this thread has to do.
            Thread teller = new Thread(() -> onDeath.accept(report), "updraft-death");
            teller.setDaemon(true);
            teller.start();
        }
    }

    private void onExit(WorkerSlot slot, long incarnation, int code) {
        if (slot.incarnation != incarnation) {
            return;
        }
        long lived = System.nanoTime() - slot.startedNanos;
        String what = describe(slot, code);
        slot.end(stopping ? State.STOPPED : State.DOWN);
        awaited.remove(slot.worker);
        checkAnswers();
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

    private void tellUnlessStopped(WorkerSlot slot, int code, String what) {
        if (code != WorkerExit.STOPPED && slot.startFailure == null && up) {
            tell(what + ", while it was being stopped");
        }
    }

    /** Which worker, what has become of it, and whose it was. */
    private String describe(WorkerSlot slot, int code) {
        String who = "worker " + slot.worker + " (pid " + slot.process.pid() + ") ";
        if (slot.startFailure != null) {
            return who + "could not start: " + slot.startFailure;
        }
        String why = ExitReason.of(code, slot.command.heapDumpOf(slot.process.pid(), slot.startedMillis));
        if (slot.outOfMemory != null) {
            ErrorReport report = slot.outOfMemory;
            return who + why + " in component '" + report.componentId() + "', task " + report.taskId() + ", "
                    + report.during() + ": " + report.error().getMessage();
        }
        if (slot.state == State.STARTING) {
            String said = slot.process.complaint();
            return who + "could not start: it " + why + (said.isEmpty() ? "" : "; it said: " + said);
        }
        return who + why + "; it ran " + run.componentsOf(slot.worker);
    }

    private void failStart(String why) {
        allReady.completeExceptionally(new IOException(why));
        if (slots.stream().anyMatch(slot -> slot.state == State.RUNNING)) {
            LOG.error("{}", why);
        }
    }

    private void stop(WorkerSlot slot) {
        switch (slot.state) {
            case RUNNING -> slot.send(new Stop());
            case STARTING -> slot.process.kill();
            default -> slot.state = State.STOPPED;
        }
    }

    private void checkStopped() {
        if (slots.stream().allMatch(slot -> slot.state == State.STOPPED)) {
            allStopped.complete(null);
        }
    }

    private void tell(String line) {
        LOG.warn("{}", line);
        settings.output().tell("updraft: " + line);
    }

    private void onChannelClosed(WorkerSlot slot, long incarnation, String why) {
        if (slot.incarnation != incarnation || slot.process == null || !slot.process.isAlive()) {
            return;
        }
        if (why != null) {
            tell("worker " + slot.worker + " is killed: " + why);
        }
        // It exits when it notices; one that cannot is killed.
        WorkerProcess process = slot.process;
        events.schedule(process::kill, why == null ? KILL_SECONDS : 0, TimeUnit.SECONDS);
    }

    // ---- threads of connections ------------------------------------------------------------------------------

    /** Serves one connection to its end, on its own thread. */
    private void serve(ControlChannel channel) {
        CompletableFuture<Void> heardOut = new CompletableFuture<>();
        try (channel) {
            if (channel.receive() instanceof Hello hello) {
                Assignment assignment = call(() -> welcome(hello, channel, heardOut));
                if (assignment != null) {
                    channel.send(assignment);
                    listen(channel, slots.get(hello.worker()), hello.incarnation());
                }
            }
        } catch (IOException e) {
            LOG.debug("a connection to a worker has ended", e);
        } finally {
            heardOut.complete(null);
        }
    }

    private void listen(ControlChannel channel, WorkerSlot slot, long incarnation) {
        String why = null;
        try {
            for (ControlMessage message = channel.receive(); message != null; message = channel.receive()) {
                ControlMessage received = message;
                post(() -> onMessage(slot, incarnation, received));
            }
        } catch (SocketException | ClosedChannelException e) {
            LOG.debug("worker {} is gone", slot.worker, e);
        } catch (IOException e) {
            why = e.getMessage();
        }
        String reason = why;
        post(() -> onChannelClosed(slot, incarnation, reason));
    }

    // ---- from any thread -------------------------------------------------------------------------------------

    private void post(Runnable work) {
        try {
            events.execute(() -> guarded(work));
        } catch (RejectedExecutionException e) {
            LOG.debug("too late for an event: everything is over");
        }
    }

    private static void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.error("an event of the workers could not be dealt with", e);
        }
    }

    private <T> T call(Callable<T> work) {
        try {
            return events.submit(work).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the workers' coordinator", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        }
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
