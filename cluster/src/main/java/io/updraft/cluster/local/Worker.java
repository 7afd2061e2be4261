package io.updraft.cluster.local;

import io.updraft.cluster.link.LinkOptions;
import io.updraft.cluster.link.Traffic;
import io.updraft.cluster.local.ControlMessage.Activate;
import io.updraft.cluster.local.ControlMessage.AskQuiet;
import io.updraft.cluster.local.ControlMessage.AskState;
import io.updraft.cluster.local.ControlMessage.AskSwitched;
import io.updraft.cluster.local.ControlMessage.Assignment;
import io.updraft.cluster.local.ControlMessage.Deactivate;
import io.updraft.cluster.local.ControlMessage.Died;
import io.updraft.cluster.local.ControlMessage.Peers;
import io.updraft.cluster.local.ControlMessage.Quiet;
import io.updraft.cluster.local.ControlMessage.Ready;
import io.updraft.cluster.local.ControlMessage.StartFailed;
import io.updraft.cluster.local.ControlMessage.State;
import io.updraft.cluster.local.ControlMessage.Stop;
import io.updraft.cluster.local.ControlMessage.Switched;
import io.updraft.cluster.local.ControlMessage.Switches;
import io.updraft.cluster.signal.ExitWatch;
import io.updraft.cluster.worker.WorkerEngine;
import io.updraft.cluster.worker.WorkerSpec;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.ExitCalled;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.ProgramFiles;
import io.updraft.storm.TopologyContexts;
import io.updraft.storm.WorkerPlace;
import io.updraft.transport.Address;
import io.updraft.transport.TransportException;
import io.updraft.transport.security.Credentials;
import io.updraft.transport.session.Peer;
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
final class Worker {
    private static final Logger LOG = LoggerFactory.getLogger(Worker.class);
    private static final String HERE = "127.0.0.1";
    private static final long TELL_SECONDS = 2;

    private final ControlChannel control;
    private final int worker;
    private final long incarnation;
    private final FailureSample failures;
    private final Orders orders;
    /** Counted down when the coordinator has been notified of user code that called {@code System.exit}. */
    private final CountDownLatch exitTold = new CountDownLatch(1);

    private volatile WorkerEngine engine;

    Worker(ControlChannel control, int worker, long incarnation) {
        this.control = control;
        this.worker = worker;
        this.incarnation = incarnation;
        this.failures = new FailureSample(control);
        this.orders = new Orders(control, () -> Runtime.getRuntime().halt(WorkerExit.ORPHANED));
        Thread.setDefaultUncaughtExceptionHandler(this::onUncaught);
        Runtime.getRuntime().addShutdownHook(new Thread(this::onExit, "updraft-exit"));
    }

    int run() {
        try {
            if (!(orders.next() instanceof Assignment assignment)) {
                return WorkerExit.ORPHANED;
            }
            return start(assignment) ? obey() : WorkerExit.NOT_STARTED;
        } catch (IOException e) {
            LOG.error("lost the coordinator: {}", e.getMessage());
            return WorkerExit.ORPHANED;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return WorkerExit.ORPHANED;
        } finally {
            orders.end();
        }
    }

    private boolean start(Assignment assignment) throws IOException {
        try {
            engine = engineOf(assignment);
        } catch (Exception | LinkageError e) {
            LOG.error("worker {} could not start", worker, e);
            control.send(new StartFailed(meaningOf(e)));
            return false;
        }
        control.send(new Ready(engine.address()));
        return true;
    }

    private WorkerEngine engineOf(Assignment assigned) throws JarRunException, TransportException {
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
                        new Peer(assigned.id(), worker, incarnation),
                        Credentials.of(assigned.secret()),
                        HERE,
                        new Address(HERE, 0)));
        return WorkerEngine.start(spec, failures, this::onDeath, Worker::onLinkFailure);
    }

    private int obey() throws IOException, InterruptedException {
        while (true) {
            ControlMessage order = orders.next();
            if (order instanceof Stop) {
                engine.close();
                failures.end(); // closing components may have failed
                control.send(new State(0, engine.snapshot()));
                return WorkerExit.STOPPED;
            }
            obey(order);
        }
    }

    private void obey(ControlMessage order) throws IOException {
        if (order instanceof Peers peers) {
            engine.setPeers(peers.workers());
        } else if (order instanceof Activate) {
            engine.activate();
        } else if (order instanceof Deactivate) {
            engine.deactivate();
        } else if (order instanceof AskState ask) {
            control.send(new State(ask.question(), engine.snapshot()));
        } else if (order instanceof AskQuiet ask) {
            control.send(quiet(ask.question()));
        } else if (order instanceof Switches wanted) {
            engine.switches().set(wanted.levels(), wanted.debug());
        } else if (order instanceof AskSwitched ask) {
            engine.switches().done().thenRun(() -> tellSwitched(ask.question()));
        } else {
            throw new IOException("the coordinator sent an unexpected message: "
                    + order.getClass().getSimpleName());
        }
    }

    /** Runs on the thread of the last task that has applied the settings, or of a timer. */
    private void tellSwitched(long question) {
        try {
            control.send(new Switched(question));
        } catch (IOException e) {
            LOG.debug("lost the coordinator", e);
        }
    }

    private Quiet quiet(long question) {
        try {
            Traffic traffic = engine.traffic();
            boolean idle = traffic.quiet() && engine.isIdle();
            return new Quiet(question, idle, traffic.sent(), traffic.received());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Quiet(question, false, 0, 0);
        }
    }

    /** A shutdown hook: reports which component has called {@code System.exit}, if a component called it. */
    private void onExit() {
        new ExitWatch((thread, stack) -> {
                    WorkerEngine running = engine;
                    if (running != null && running.exitCalled(thread, stack)) {
                        awaitExitTold();
                    }
                })
                .look();
    }

    private void awaitExitTold() {
        try {
            exitTold.await(TELL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs on a thread of the engine or of the link. After an OutOfMemoryError the process is unreliable, so it ends. */
    private void onDeath(ErrorReport report) {
        try {
            control.send(new Died(report));
        } catch (IOException e) {
            LOG.error("cannot notify the coordinator that {} died", report.componentId(), e);
        } finally {
            if (report.error() instanceof ExitCalled) {
                exitTold.countDown();
            }
            if (report.error() instanceof OutOfMemoryError) {
                Runtime.getRuntime().halt(WorkerExit.OUT_OF_MEMORY);
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
                .halt(failure instanceof OutOfMemoryError ? WorkerExit.OUT_OF_MEMORY : WorkerExit.LINK_FAILED);
    }

    private static String meaningOf(Throwable failure) {
        String message = failure.getMessage();
        String text = message == null ? failure.toString() : message;
        return text.lines().findFirst().orElse(failure.toString());
    }
}
