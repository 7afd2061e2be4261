package io.updraft.cluster.local;

import io.updraft.cluster.link.Endpoints;
import io.updraft.cluster.local.ControlMessage.DeadLetterReport;
import io.updraft.cluster.local.ControlMessage.EngineFailed;
import io.updraft.cluster.local.ControlMessage.IdleReport;
import io.updraft.cluster.local.ControlMessage.StateReport;
import io.updraft.cluster.local.ExitReason.LeftFiles;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.Move;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.DeathRecord;
import io.updraft.observe.process.FullHeap;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.process.WorkerStatus.State;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One worker of the plan and its current process. Owned by the coordinator's thread. */
final class WorkerSlot {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerSlot.class);

    /** A worker that owes an answer for longer is shown as silent. */
    private static final long SILENT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final String NO_PROCESS = "no process";

    final int worker;
    final WorkerCommand command;
    final RestartDelay backOff;
    State state = State.DOWN;
    long incarnation;
    WorkerProcess process;
    private ControlSender orders;

    /** Completes when all messages of the process have been handled. */
    CompletableFuture<Void> messagesHandled = CompletableFuture.completedFuture(null);

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

    /** Who has asked for a restart of the process, and where, in a few words; null for nobody. */
    private String restartedBy;

    /** The failure because of which the process will end, if it has reported one. */
    ErrorReport endedBy;

    /** Who was last seen to hold most of the heap of a process that has run out of memory, or soon may; else null. */
    HeapHolder holder;

    private long askedAt;
    private long askedNanos;
    private long answered;
    IdleReport quiet;

    /** The newest report of dead letters, or null. */
    DeadLetterReport letterReport;

    /** The dead letters of all processes of the worker. */
    final WorkerLetters letters;

    private EngineSnapshot earlier;
    private EngineSnapshot now;

    /** What the process used when it last reported; null if it has not, or has ended. */
    private JvmUsage usage;

    private boolean heapFull;

    private long earlierPid;

    WorkerSlot(int worker, WorkerCommand command, RestartDelay backOff, WorkerLetters letters) {
        this.worker = worker;
        this.command = command;
        this.backOff = backOff;
        this.letters = letters;
    }

    /** Starts the next process of the worker, and clears the state of the previous one. */
    void launch(Path control, WorkerOutput output) throws IOException {
        incarnation++;
        Map<String, String> environment = Map.of(
                WorkerMain.CONTROL,
                control.toString(),
                WorkerMain.INCARNATION,
                String.valueOf(incarnation),
                // Otherwise UCX intercepts memory calls, including the JVM's. UCX reads this setting from the
                // environment only.
                "UCX_MEM_EVENTS",
                "n");
        begin(WorkerProcess.start(command.words(), environment, "[worker " + worker + "] ", output));
    }

    private void begin(WorkerProcess started) {
        restarts += process == null ? 0 : 1;
        earlierPid = process == null ? 0 : process.pid();
        process = started;
        enter(State.STARTING);
        startedNanos = System.nanoTime();
        startedMillis = System.currentTimeMillis();
        startFailure = null;
        restartedBy = null;
        endedBy = null;
        holder = null;
        address = null;
        orders = null;
        messagesHandled = CompletableFuture.completedFuture(null);
        askedAt = 0;
        answered = 0;
        quiet = null;
        letterReport = null;
    }

    /** {@return that the process has ended, for the history} */
    Move ended(String components) {
        return move(lastEndMillis, components, process(process.pid()), NO_PROCESS, lastEnd);
    }

    /** {@return that the worker runs in a new process, for the history} */
    Move restarted(String components) {
        String reason = earlierPid == 0 ? "it had not started" : "restarted after the end of " + process(earlierPid);
        return move(System.currentTimeMillis(), components, NO_PROCESS, process(process.pid()), reason);
    }

    private Move move(long millis, String components, String from, String to, String reason) {
        return new Move(millis, "worker " + worker + " (" + components + ")", from, to, reason);
    }

    private static String process(long pid) {
        return "process " + pid;
    }

    void kill() {
        killed = true;
        process.kill();
    }

    /** Kills the process, which then starts again. {@code by} says who has asked for it. */
    void killToRestart(String by) {
        restartedBy = by;
        process.kill();
    }

    /** {@return whether the process was killed because it was no longer wanted} */
    boolean isKilled() {
        return killed;
    }

    void enter(State next) {
        state = next;
        stateNanos = System.nanoTime();
    }

    /** Notes that the process has ended. {@code reason} is the reason in a few words; null if the coordinator stopped the process. */
    void end(State after, String reason) {
        enter(after);
        if (reason != null) {
            String component = culprit(reason.equals(ExitReason.brief(WorkerExitCode.OUT_OF_MEMORY)));
            lastEnd = restartedBy != null
                    ? "restarted " + restartedBy
                    : component == null ? reason : reason + " in " + component;
            lastEndMillis = System.currentTimeMillis();
        }
        address = null;
        if (now != null) {
            earlier = SnapshotMerge.retire(earlier, now);
            now = null;
        }
        usage = null;
        heapFull = false;
        letters.onEnd();
        closeChannel();
    }

    /** {@return the component that has ended the process: the one that filled its memory, or whose code has failed; or null} */
    private String culprit(boolean outOfMemory) {
        if (outOfMemory && holder != null) {
            return holder.component();
        }
        return endedBy == null ? null : endedBy.componentId();
    }

    /**
     * Removes the previous heap dump of this worker, so that a worker that keeps running out of memory does not fill the disk.
     */
    void keepNewestHeap(Path heapDump) {
        if (heapDump == null) {
            return;
        }
        if (lastHeapDump != null
                && !lastHeapDump.equals(heapDump)
                && !lastHeapDump.toFile().delete()) {
            LOG.warn("cannot remove {}", lastHeapDump);
        }
        lastHeapDump = heapDump;
    }

    /** Builds the line that says which worker has ended, why, and which component caused it. */
    String describeEnd(int exitCode, LeftFiles traces, String components) {
        String subject = "worker " + worker + " (pid " + process.pid() + ") ";
        if (restartedBy != null) {
            return subject + "was restarted " + restartedBy + "; it ran " + components;
        }
        if (startFailure != null) {
            return subject + "could not start: " + startFailure;
        }
        String reason = ExitReason.of(exitCode, traces);
        if (endedBy != null) {
            return subject + reason + place(endedBy, components) + largestComponents(exitCode);
        }
        if (state == State.STARTING) {
            String complaint = process.complaint();
            return subject + "could not start: it " + reason
                    + (complaint.isEmpty() ? "" : "; its first error line: " + complaint);
        }
        String guess = ExitReason.isUsers(exitCode) ? " (did a component call System.exit?)" : "";
        return subject + reason + guess + "; it ran " + components + largestComponents(exitCode);
    }

    /** Says who filled the memory. A process that the kernel or a user kills with a full heap is not blamed on a component. */
    private String largestComponents(int exitCode) {
        return holder == null || exitCode != WorkerExitCode.OUT_OF_MEMORY
                ? ""
                : "; " + HeapHolder.size(holder.bytes()) + " of its heap are held by " + holder.describe();
    }

    /** Keeps what is known of the process, for people who look later. The argument says how it has ended. */
    void recordDeath(String event) {
        DeathDirectory deaths = command.deaths();
        if (deaths != null) {
            try {
                new DeathRecord("worker-" + worker, process.pid(), startedMillis, event, latest(), command.log())
                        .writeTo(deaths);
            } catch (IOException | RuntimeException e) {
                LOG.warn("what was last seen of worker {} cannot be kept: {}", worker, e.toString());
            }
        }
    }

    private static String place(ErrorReport report, String components) {
        String failure = report.during() + ": " + report.error().getMessage();
        if (report.componentId() == null) {
            return " in " + failure + "; it ran " + components;
        }
        if (report.componentId().equals(ErrorReport.ENGINE)) {
            return " in the engine's thread " + failure;
        }
        String task = report.taskId() == ErrorReport.NO_TASK ? "" : "task " + report.taskId() + ", ";
        return " in component '" + report.componentId() + "', " + task + failure;
    }

    void connect(ControlChannel channel) {
        orders = new ControlSender(channel, worker);
    }

    boolean isConnected() {
        return orders != null;
    }

    void closeChannel() {
        if (orders != null) {
            orders.close();
        }
    }

    /** Sends an order without waiting. If the worker cannot be reached, its death will be noticed soon. */
    void send(ControlMessage message) {
        if (state == State.RUNNING) {
            orders.send(message);
        }
    }

    /**
     * Sends a question, unless the worker still owes an answer: then it is stopped or busy, and questions would only pile up.
     * {@return whether an answer will come}
     */
    boolean ask(long question, ControlMessage message) {
        if (state != State.RUNNING || answered < askedAt) {
            return false;
        }
        askedAt = question;
        askedNanos = System.nanoTime();
        send(message);
        return true;
    }

    void onAnswer(long question) {
        answered = Math.max(answered, question);
    }

    void onLetters(DeadLetterReport report) {
        letterReport = report;
        letters.onReport(report.letters());
    }

    void onState(StateReport report) {
        now = report.snapshot();
        usage = report.usage();
        heapFull = report.heapFull();
        holder = report.holder();
    }

    /** Several threads may fail at the same time; the failure of a component says most. */
    void onLastWords(EngineFailed died) {
        if (endedBy == null || endedBy.componentId() == null) {
            endedBy = died.report();
        }
        holder = died.holder() == null ? holder : died.holder();
    }

    /** {@return the counts of all processes of this worker, or null} */
    EngineSnapshot latest() {
        return now == null ? earlier : SnapshotMerge.continued(earlier, now);
    }

    /**
     * {@return the same, with latencies only of the time since the last call}. A worker that has not reported since then, because
     * it does not answer, has none.
     */
    EngineSnapshot read() {
        EngineSnapshot all = latest();
        if (now != null) {
            now = now.withComponents(now.components().stream()
                    .map(ComponentSnapshot::withoutIntervalLatencies)
                    .toList());
        }
        return all;
    }

    WorkerStatus status() {
        long now = System.nanoTime();
        boolean silent = state == State.RUNNING && answered < askedAt && now - askedNanos > SILENT_NANOS;
        return new WorkerStatus(
                worker,
                process == null ? 0 : process.pid(),
                silent ? State.SILENT : state,
                now - (silent ? askedNanos : stateNanos),
                restarts,
                lastEnd,
                lastEndMillis,
                usage,
                heapFull && usage != null ? FullHeap.of(usage.old(), holder) : null);
    }

    /**
     * Computes the wait before a worker is restarted. The wait doubles with each death, with jitter, until a worker has run for a
     * while.
     */
    static final class RestartDelay {
        static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
        static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);

        /** After a process has run for this long, the waits start again at {@link #FIRST_NANOS}. */
        static final long RESET_NANOS = TimeUnit.SECONDS.toNanos(60);

        private final SplittableRandom random;
        private long next = FIRST_NANOS;

        RestartDelay(long seed) {
            random = new SplittableRandom(seed);
        }

        /** Returns the wait after a death, between half of the current wait and all of it, from how long the process has run. */
        long afterDeath(long livedNanos) {
            if (livedNanos >= RESET_NANOS) {
                next = FIRST_NANOS;
            }
            long wait = next / 2 + random.nextLong(next / 2 + 1);
            next = Math.min(2 * next, MAX_NANOS);
            return wait;
        }
    }
}
