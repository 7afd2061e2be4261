package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.cluster.link.LinkOptions;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.RunningCode;
import io.updraft.observe.death.HeapWatch;
import io.updraft.observe.inspection.ThreadOwners;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.signal.ExitWatch;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.context.TopologyContexts;
import io.updraft.storm.context.WorkerPlace;
import io.updraft.storm.program.ProgramFiles;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.PeerIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker, from its assignment to its end. The thread that calls {@link #run}, the main thread of the process, carries out the
 * coordinator's orders. The thread {@code updraft-orders} reads the orders, and ends the process when the coordinator is gone.
 * Failures are reported on the thread on which they happened.
 */
final class AssignedWorker implements ThreadOwners {
    private static final Logger LOG = LoggerFactory.getLogger(AssignedWorker.class);
    private static final Address HERE = Address.loopback(0);
    private static final long REPORT_SECONDS = 2;
    private static final int MAX_TRIES = 5;

    private final ControlChannel control;
    private final int worker;
    private final long incarnation;
    private final FailureReporter failures;
    private final OrderQueue orders;
    /** Counted down when the coordinator has been notified of user code that called {@code System.exit}. */
    private final CountDownLatch exitReported = new CountDownLatch(1);

    private volatile WorkerEngine engine;
    private LetterReporter letters;

    AssignedWorker(ControlChannel control, int worker, long incarnation) {
        this.control = control;
        this.worker = worker;
        this.incarnation = incarnation;
        this.failures = new FailureReporter(control);
        this.orders = new OrderQueue(control, () -> Runtime.getRuntime().halt(WorkerExitCode.ORPHANED));
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        Runtime.getRuntime().addShutdownHook(new Thread(this::onExit, "updraft-exit"));
    }

    int run() {
        try {
            if (!(orders.next() instanceof ControlMessage.WorkerAssignment assignment)) {
                return WorkerExitCode.ORPHANED;
            }
            return start(assignment) ? carryOut() : WorkerExitCode.NOT_STARTED;
        } catch (IOException e) {
            LOG.error("lost the coordinator: {}", e.getMessage());
            return WorkerExitCode.ORPHANED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WorkerExitCode.ORPHANED;
        } catch (OutOfMemoryError e) {
            onFull(Thread.currentThread(), e);
            return WorkerExitCode.OUT_OF_MEMORY;
        } finally {
            orders.end();
        }
    }

    @Override
    public Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        WorkerEngine running = engine;
        return running == null ? Map.of() : running.codeOf(stacks);
    }

    @Override
    public Map<String, Set<String>> componentClasses() {
        WorkerEngine running = engine;
        return running == null ? Map.of() : running.componentClasses();
    }

    private boolean start(ControlMessage.WorkerAssignment assignment) throws IOException {
        try {
            engine = engineOf(assignment);
        } catch (Exception | LinkageError e) {
            LOG.error("worker {} could not start", worker, e);
            control.send(new ControlMessage.StartFailed(firstLineOf(e)));
            return false;
        }
        control.send(new ControlMessage.Started(engine.address()));
        letters = new LetterReporter(engine.topology()::deadLetters, control::send);
        return true;
    }

    private WorkerEngine engineOf(ControlMessage.WorkerAssignment assigned) throws JarRunException, TransportException {
        ProgramFiles program = new ProgramFiles(
                Optional.ofNullable(assigned.jar()).map(Path::of),
                assigned.behind().stream().map(Path::of).toList());
        if (!program.isEmpty()) {
            // The class loader stays open: a topology may load classes for as long as it runs.
            Thread.currentThread().setContextClassLoader(JarRunner.open(program).loader());
        }
        Map<String, Object> conf = Utils.parseJson(assigned.conf());
        WorkerSpec spec = new WorkerSpec(
                assigned.name(),
                assigned.id(),
                Utils.thriftDeserialize(StormTopology.class, assigned.topology()),
                conf,
                io.updraft.engine.plan.Assignment.even(assigned.workers()),
                worker,
                Math.toIntExact(incarnation),
                assigned.seed() + worker,
                new TopologyContexts(WorkerPlace.local(worker)),
                new LinkOptions(
                        conf,
                        new PeerIdentity(assigned.id(), worker, incarnation),
                        Credentials.of(assigned.secret()),
                        HERE.host(),
                        HERE));
        return WorkerEngine.start(spec, failures, this::onDeath, this::onLinkFailure);
    }

    private int carryOut() throws IOException, InterruptedException {
        while (true) {
            ControlMessage order = orders.next();
            if (order instanceof ControlMessage.Stop) {
                engine.close();
                Thread.interrupted(); // a worker hook may have left an interrupt, which would cut the last reports off
                failures.end(); // closing components may have failed
                letters.end();
                sendState(0);
                return WorkerExitCode.STOPPED;
            }
            carryOut(order);
        }
    }

    private void carryOut(ControlMessage order) throws IOException {
        if (order instanceof ControlMessage.Peers peers) {
            engine.setPeers(peers.workers());
        } else if (order instanceof ControlMessage.Activate || order instanceof ControlMessage.Deactivate) {
            engine.setActive(order instanceof ControlMessage.Activate);
        } else if (order instanceof ControlMessage.AskState ask) {
            sendState(ask.question());
        } else if (order instanceof ControlMessage.AskIdle ask) {
            control.send(quiet(ask.question()));
        } else if (order instanceof ControlMessage.AskDeadLetters ask) {
            control.send(LetterReports.answer(engine.topology(), ask));
        } else if (order instanceof ControlMessage.LiveConfig config) {
            engine.settings().set(config.levels(), config.debug());
        } else if (order instanceof ControlMessage.AskSettingsApplied ask) {
            engine.settings().applied().thenRun(() -> reportSettingsApplied(ask.question()));
        } else {
            throw new IOException("the coordinator sent an unexpected message: "
                    + order.getClass().getSimpleName());
        }
    }

    /** Runs on the thread of the last task that has applied the settings, or of a timer. */
    private void reportSettingsApplied(long question) {
        try {
            control.send(new ControlMessage.SettingsApplied(question));
        } catch (IOException e) {
            LOG.debug("lost the coordinator", e);
        }
    }

    private void sendState(long question) throws IOException {
        control.send(new ControlMessage.StateReport(
                question, engine.snapshot(), JvmUsage.now(), HeapWatch.full() != null, HeapWatch.lastHolder()));
    }

    private ControlMessage.IdleReport quiet(long question) {
        try {
            Traffic traffic = engine.traffic();
            return new ControlMessage.IdleReport(question, traffic.quiet(), traffic.sent(), traffic.received());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new ControlMessage.IdleReport(question, false, 0, 0);
        }
    }

    /** A shutdown hook: reports which component has called {@code System.exit}, if a component called it. */
    private void onExit() {
        new ExitWatch((thread, stack) -> {
                    WorkerEngine running = engine;
                    try {
                        if (running != null && running.exitCalled(thread, stack)) {
                            exitReported.await(REPORT_SECONDS, TimeUnit.SECONDS);
                        }
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                })
                .look();
    }

    /** Runs on a thread of the engine or of the link. After an OutOfMemoryError the process is unreliable, so it ends. */
    private void onDeath(ErrorReport report) {
        try {
            sendLastWords(report);
        } catch (IOException e) {
            LOG.error("cannot notify the coordinator that {} died", report.componentId(), e);
        } finally {
            if (report.error() instanceof ExitCalled) {
                exitReported.countDown();
            }
            if (report.error() instanceof OutOfMemoryError) {
                MemoryWatch.awaitWritten();
                Runtime.getRuntime().halt(WorkerExitCode.OUT_OF_MEMORY);
            }
        }
    }

    /** In a full heap a message may not find room at once: other threads still allocate, and collections free some. */
    private void sendLastWords(ErrorReport report) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                control.send(new ControlMessage.EngineFailed(report, HeapWatch.lastHolder()));
                return;
            } catch (OutOfMemoryError e) {
                if (tries == MAX_TRIES) {
                    throw e;
                }
            }
        }
    }

    /**
     * Runs on the failed thread, for example a thread of user code. After an OutOfMemoryError the process is unreliable, so it
     * ends.
     */
    private void onUncaught(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            onFull(thread, failure);
        }
        LOG.error("thread '{}' has ended", thread.getName(), failure);
        WorkerMain.print(thread, failure);
    }

    /** Runs on the link's thread. A worker without a link is useless: it exits and is restarted. */
    private void onLinkFailure(Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            onFull(Thread.currentThread(), failure);
        }
        Runtime.getRuntime().halt(WorkerExitCode.LINK_FAILED);
    }

    /**
     * Ends the process after a thread that runs no component has met an OutOfMemoryError. Runs on that thread, which may have no
     * memory before its first call has released some.
     */
    private void onFull(Thread thread, Throwable error) {
        try {
            MemoryWatch.processFailed(thread, error);
            StackTraceElement[] stack = error.getStackTrace();
            String during = "thread '" + thread.getName() + "'" + (stack.length == 0 ? "" : " at " + stack[0]);
            onDeath(new ErrorReport(
                    System.currentTimeMillis(), null, ErrorReport.NO_TASK, during, error, "the worker ends"));
        } finally {
            MemoryWatch.awaitWritten();
            Runtime.getRuntime().halt(WorkerExitCode.OUT_OF_MEMORY);
        }
    }

    private static String firstLineOf(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.toString() : message;
        return text.lines().findFirst().orElse(failure.toString());
    }

    /**
     * Reports failures of user code to the coordinator, on a thread of its own. When failures are more frequent than this thread
     * can report, the rest is dropped here and only counted by the engine. The thread that reports a failure never waits.
     */
    private static final class FailureReporter implements Consumer<ErrorReport> {
        private static final int MAX_WAITING = 64;
        private static final long PAUSE_MILLIS = 10;
        private static final long END_MILLIS = 800;
        private static final ErrorReport END = new ErrorReport(0, null, ErrorReport.NO_TASK, null, null, null);

        private final CountDownLatch ending = new CountDownLatch(1);
        private final BlockingQueue<ErrorReport> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
        private final ControlChannel control;
        private final Thread thread;

        FailureReporter(ControlChannel control) {
            this.control = control;
            thread = DaemonThreads.create("updraft-failures", this::sendAll);
            thread.start();
        }

        @Override
        public void accept(ErrorReport report) {
            waiting.offer(report);
        }

        /** Sends the failures so far, without pauses, and waits for it, 1.6 s at most. Later ones are dropped. */
        void end() throws InterruptedException {
            ending.countDown();
            if (waiting.offer(END, END_MILLIS, TimeUnit.MILLISECONDS)) {
                thread.join(END_MILLIS);
            }
        }

        private void sendAll() {
            try {
                for (ErrorReport next = waiting.take(); next != END; next = waiting.take()) {
                    control.send(new ControlMessage.UserCodeFailed(next));
                    ending.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS); // at most a hundred failures a second
                }
            } catch (IOException e) {
                // The main thread notices the lost connection as well, and ends the process.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * The orders of the coordinator to a worker. They are read on their own thread, {@code updraft-orders}. The worker therefore
     * notices a lost coordinator at once, even while user code blocks its main thread.
     */
    static final class OrderQueue {
        private final BlockingQueue<ControlMessage> waiting = new LinkedBlockingQueue<>();
        private final ControlChannel control;
        private final Runnable onLost;
        private volatile boolean over;

        /**
         * Starts to read orders; nobody else may receive from the connection. {@code onLost} is called once when the connection is
         * lost, unless {@link #end} was called before.
         */
        OrderQueue(ControlChannel control, Runnable onLost) {
            this.control = control;
            this.onLost = onLost;
            DaemonThreads.start("updraft-orders", this::read);
        }

        ControlMessage next() throws InterruptedException {
            return waiting.take();
        }

        void end() {
            over = true;
        }

        private void read() {
            String why = "the connection was closed";
            try {
                for (ControlMessage order = control.receive(); order != null; order = control.receive()) {
                    waiting.add(order);
                }
            } catch (IOException e) {
                why = String.valueOf(e.getMessage());
            } catch (RuntimeException e) {
                // The main thread would wait for orders forever.
                why = e.toString();
            }
            if (!over) {
                LOG.error("lost the coordinator: {}", why);
                onLost.run();
            }
        }
    }
}
