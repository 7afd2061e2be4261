package io.updraft.cluster.local;

import io.updraft.cluster.control.ControlChannel;
import io.updraft.cluster.control.ControlMessage;
import io.updraft.cluster.control.ControlMessage.Activate;
import io.updraft.cluster.control.ControlMessage.AskIdle;
import io.updraft.cluster.control.ControlMessage.AskSettingsApplied;
import io.updraft.cluster.control.ControlMessage.AskState;
import io.updraft.cluster.control.ControlMessage.Deactivate;
import io.updraft.cluster.control.ControlMessage.EngineFailed;
import io.updraft.cluster.control.ControlMessage.IdleReport;
import io.updraft.cluster.control.ControlMessage.LiveConfig;
import io.updraft.cluster.control.ControlMessage.Peers;
import io.updraft.cluster.control.ControlMessage.SettingsApplied;
import io.updraft.cluster.control.ControlMessage.StartFailed;
import io.updraft.cluster.control.ControlMessage.Started;
import io.updraft.cluster.control.ControlMessage.StateReport;
import io.updraft.cluster.control.ControlMessage.Stop;
import io.updraft.cluster.control.ControlMessage.WorkerAssignment;
import io.updraft.cluster.control.WorkerExitCode;
import io.updraft.cluster.link.LinkOptions;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.signal.ExitWatch;
import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.ExitCalled;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker, from its assignment to its end. The thread that calls {@link #run}, the main thread of the process, carries out the
 * coordinator's orders. The thread {@code updraft-orders} reads the orders, and ends the process when the coordinator is gone.
 * Failures are reported on the thread on which they happened.
 */
final class LocalWorker {
    private static final Logger LOG = LoggerFactory.getLogger(LocalWorker.class);
    private static final String HERE = "127.0.0.1";
    private static final long REPORT_SECONDS = 2;

    private final ControlChannel control;
    private final int worker;
    private final long incarnation;
    private final FailureReporter failures;
    private final OrderQueue orders;
    /** Counted down when the coordinator has been notified of user code that called {@code System.exit}. */
    private final CountDownLatch exitReported = new CountDownLatch(1);

    private volatile WorkerEngine engine;

    LocalWorker(ControlChannel control, int worker, long incarnation) {
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
            if (!(orders.next() instanceof WorkerAssignment assignment)) {
                return WorkerExitCode.ORPHANED;
            }
            return start(assignment) ? carryOut() : WorkerExitCode.NOT_STARTED;
        } catch (IOException e) {
            LOG.error("lost the coordinator: {}", e.getMessage());
            return WorkerExitCode.ORPHANED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WorkerExitCode.ORPHANED;
        } finally {
            orders.end();
        }
    }

    private boolean start(WorkerAssignment assignment) throws IOException {
        try {
            engine = engineOf(assignment);
        } catch (Exception | LinkageError e) {
            LOG.error("worker {} could not start", worker, e);
            control.send(new StartFailed(firstLineOf(e)));
            return false;
        }
        control.send(new Started(engine.address()));
        return true;
    }

    private WorkerEngine engineOf(WorkerAssignment assigned) throws JarRunException, TransportException {
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
                        HERE,
                        new Address(HERE, 0)));
        return WorkerEngine.start(spec, failures, this::onDeath, LocalWorker::onLinkFailure);
    }

    private int carryOut() throws IOException, InterruptedException {
        while (true) {
            ControlMessage order = orders.next();
            if (order instanceof Stop) {
                engine.close();
                failures.end(); // closing components may have failed
                control.send(new StateReport(0, engine.snapshot()));
                return WorkerExitCode.STOPPED;
            }
            carryOut(order);
        }
    }

    private void carryOut(ControlMessage order) throws IOException {
        if (order instanceof Peers peers) {
            engine.setPeers(peers.workers());
        } else if (order instanceof Activate) {
            engine.activate();
        } else if (order instanceof Deactivate) {
            engine.deactivate();
        } else if (order instanceof AskState ask) {
            control.send(new StateReport(ask.question(), engine.snapshot()));
        } else if (order instanceof AskIdle ask) {
            control.send(quiet(ask.question()));
        } else if (order instanceof LiveConfig wanted) {
            engine.settings().set(wanted.levels(), wanted.debug());
        } else if (order instanceof AskSettingsApplied ask) {
            engine.settings().applied().thenRun(() -> reportSettingsApplied(ask.question()));
        } else {
            throw new IOException("the coordinator sent an unexpected message: "
                    + order.getClass().getSimpleName());
        }
    }

    /** Runs on the thread of the last task that has applied the settings, or of a timer. */
    private void reportSettingsApplied(long question) {
        try {
            control.send(new SettingsApplied(question));
        } catch (IOException e) {
            LOG.debug("lost the coordinator", e);
        }
    }

    private IdleReport quiet(long question) {
        try {
            Traffic traffic = engine.traffic();
            boolean idle = traffic.quiet() && engine.isIdle();
            return new IdleReport(question, idle, traffic.sent(), traffic.received());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IdleReport(question, false, 0, 0);
        }
    }

    /** A shutdown hook: reports which component has called {@code System.exit}, if a component called it. */
    private void onExit() {
        new ExitWatch((thread, stack) -> {
                    WorkerEngine running = engine;
                    if (running != null && running.exitCalled(thread, stack)) {
                        awaitExitReported();
                    }
                })
                .look();
    }

    private void awaitExitReported() {
        try {
            exitReported.await(REPORT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs on a thread of the engine or of the link. After an OutOfMemoryError the process is unreliable, so it ends. */
    private void onDeath(ErrorReport report) {
        try {
            control.send(new EngineFailed(report));
        } catch (IOException e) {
            LOG.error("cannot notify the coordinator that {} died", report.componentId(), e);
        } finally {
            if (report.error() instanceof ExitCalled) {
                exitReported.countDown();
            }
            if (report.error() instanceof OutOfMemoryError) {
                Runtime.getRuntime().halt(WorkerExitCode.OUT_OF_MEMORY);
            }
        }
    }

    /**
     * Runs on the failed thread, for example a thread of user code. After an OutOfMemoryError the process is unreliable, so it
     * ends.
     */
    private void onUncaught(Thread thread, Throwable failure) {
        if (failure instanceof OutOfMemoryError) {
            onDeath(new ErrorReport(
                    System.currentTimeMillis(),
                    null,
                    -1,
                    "thread '" + thread.getName() + "'" + topOf(failure),
                    failure,
                    "the worker ends"));
        }
        LOG.error("thread '{}' has ended", thread.getName(), failure);
        WorkerMain.print(thread, failure);
    }

    private static String topOf(Throwable failure) {
        return failure.getStackTrace().length == 0 ? "" : " at " + failure.getStackTrace()[0];
    }

    /** Runs on the link's thread. A worker without a link is useless: it exits and is restarted. */
    private static void onLinkFailure(Throwable failure) {
        Runtime.getRuntime()
                .halt(failure instanceof OutOfMemoryError ? WorkerExitCode.OUT_OF_MEMORY : WorkerExitCode.LINK_FAILED);
    }

    private static String firstLineOf(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.toString() : message;
        return text.lines().findFirst().orElse(failure.toString());
    }
}
