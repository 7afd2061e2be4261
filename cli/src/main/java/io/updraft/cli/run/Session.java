package io.updraft.cli.run;

import io.updraft.cli.log.LogFile;
import io.updraft.cli.view.View;
import io.updraft.cli.view.ViewMode;
import io.updraft.cluster.signal.Signals;
import io.updraft.engine.api.CallNotReturned;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.api.ExitCalled;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.SubmitterDoor;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a program, from its start to the end of its last topology.
 *
 * <p>The thread that calls {@link #run()} waits for events and decides. The program's {@code main} and the drain run on their own
 * threads. A run ends when {@code main} has returned and all topologies have ended. A signal or {@code --for} drains first, then
 * ends the run. The failure of a topology or of the program ends the run, too.
 *
 * <p>With a Nimbus port the run is a server and goes on without topologies. When a topology dies, one line reports the death; the
 * topology stays until its owner kills it.
 */
public final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final long LOOK_MILLIS = 20;
    private static final long PATIENCE_WITH_MAIN_MILLIS = 10_000;
    private static final long QUIET_PATIENCE_MILLIS = 1_000;

    private final RunRequest request;

    /** What has happened, as an action for the thread that waits in {@link #run()}. */
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    private final AtomicInteger signals = new AtomicInteger();
    private final UpdraftCluster cluster;
    private final Topologies topologies;
    private volatile View view;
    private volatile boolean over;
    private volatile Thread main;
    private volatile boolean anyError;
    private boolean logTold;
    private boolean programEnded;
    private volatile boolean stopping;
    private UserError failure;

    /** The exit code of a drain that has ended; null before. */
    private Integer drained;

    private long endNanos;
    private boolean limited;

    /** Creates a run; does not start the program. */
    public Session(RunRequest request) {
        this.request = request;
        UpdraftCluster.Builder builder = new UpdraftCluster.Builder();
        if (request.workers()) {
            builder.withEngines(WorkerProcesses.starter(line -> view.tell(line)));
        }
        cluster = builder.withDaemonConf(
                        request.services().beneath(request.config().daemon()))
                .withDrainLimit(Duration.ZERO)
                .withErrorListener(this::onError)
                .withDeathListener((name, report) -> events.add(() -> onDeath(name, report)))
                .build();
        topologies = new Topologies(cluster, isServer());
    }

    /**
     * Runs the program.
     *
     * @return the exit code of the process
     * @throws UserError when the program cannot be run, the program fails, or a topology dies
     * @throws InterruptedException when the calling thread is interrupted
     */
    @SuppressWarnings("try") // The door is not used in the block; it must only be open.
    public int run() throws InterruptedException {
        try (JarRunner runner = open(request.program());
                Services services = Services.open(cluster, request);
                SubmitterDoor door = SubmitterDoor.open(cluster, request.config())) {
            view = request.view().open();
            if (runner != null) {
                runner.tell(line -> view.tell("updraft: " + line));
            }
            services.told().forEach(view::tell);
            return runWith(runner);
        } catch (JarRunException e) {
            throw JarErrors.toUserError(e);
        }
    }

    private static JarRunner open(Program program) throws JarRunException {
        if (program == null) {
            return null;
        }
        return program.jar().isPresent() ? JarRunner.open(program.jar().get()) : JarRunner.openClassPath();
    }

    private boolean isServer() {
        return request.services().nimbus() != null;
    }

    private int runWith(JarRunner runner) throws InterruptedException {
        Ticker ticker = new Ticker(request.interval(), () -> view.show(topologies.look(stopping)));
        try {
            for (String signal : List.of("INT", "TERM", "HUP")) {
                Signals.handle(signal, () -> onSignal(signal));
            }
            new ExitGuard(this::holdsExit, () -> events.add(this::onProgramEnd), this::onExitCalled);
            if (runner != null) {
                startMain(runner);
            }
            int exitCode = awaitEnd();
            cluster.close();
            ticker.stop();
            awaitMain();
            return finish(exitCode);
        } finally {
            ticker.stop();
            over = true;
            cluster.close();
            view.close();
        }
    }

    private void onError(String name, ErrorReport report) {
        anyError = true;
        // The topology has ended, so its errors no longer appear in the view.
        if (report.error() instanceof CallNotReturned) {
            view.tell("updraft: topology '" + name + "', " + report.where() + ": "
                    + report.error().getMessage() + "; the call is abandoned");
        }
    }

    // The first signal drains. A second signal, or any signal during a drain, stops at once.
    private void onSignal(String signal) {
        if (signals.incrementAndGet() == 1 && !stopping) {
            events.add(() -> stop("SIG" + signal));
        } else {
            view.close();
            System.err.println(
                    "updraft: stopped at once; tuples in flight are lost unless the spouts' source replays them");
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }

    // Called when the program exits the JVM, or when no thread keeps the JVM alive. Topologies in clusters that the
    // program has made itself end with the program, as in Storm.
    private boolean holdsExit() {
        if (!over && (stopping || isServer() || !cluster.topologyNames().isEmpty())) {
            return true;
        }
        view.close();
        if (!over) {
            tellSummary();
        }
        return false;
    }

    // Runs on the thread that blocks the exit. In a cluster, the exit ends the program and the topologies go on.
    private void onExitCalled(Thread thread, StackTraceElement[] stack) {
        if (thread != main && !over && !topologies.exitCalled(thread, stack)) {
            view.tell("updraft: thread '" + thread.getName() + "' belongs to no component: "
                    + ExitCalled.by(stack).getMessage() + "; the topologies go on, as in a cluster");
        }
    }

    private void startMain(JarRunner runner) {
        // Not a daemon: threads inherit that, and the program's non-daemon threads show that the program still runs.
        main = new Thread(() -> runMain(runner), "main of " + request.program().mainClass());
        main.start();
    }

    private void runMain(JarRunner runner) {
        try {
            Program program = request.program();
            runner.run(cluster, program.mainClass(), program.arguments());
            events.add(this::onProgramEnd);
        } catch (JarRunException e) {
            events.add(() -> onFailure(JarErrors.toUserError(e)));
        } catch (RuntimeException | Error e) {
            events.add(() -> onFailure(new UserError(ExitCode.FAILED, "internal error: " + e, e)));
        }
    }

    private int awaitEnd() throws InterruptedException {
        while (true) {
            Runnable event = events.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            boolean alive = look();
            tellLog();
            if (event != null) {
                event.run();
            }
            if (drained != null) {
                return drained;
            }
            if (limited && System.nanoTime() - endNanos >= 0) {
                stop("--for is over");
            }
            if (!stopping && !alive && (programEnded && events.isEmpty() && !isServer() || failure != null)) {
                return ExitCode.OK;
            }
        }
    }

    private boolean look() {
        boolean alive = topologies.discover();
        topologies.farewells().forEach(view::tell);
        if (topologies.anySeen() && request.limit() != null && !limited) {
            limited = true;
            endNanos = System.nanoTime() + request.limit().toNanos();
        }
        return alive;
    }

    private void tellLog() {
        if (anyError && !logTold) {
            logTold = true;
            view.tell("updraft: user code failed; stack traces go to " + LogFile.path());
        }
    }

    private void onProgramEnd() {
        programEnded = true;
    }

    private void onDeath(String topology, ErrorReport report) {
        UserError error = JarErrors.ofDeath(topology, report);
        if (isServer()) {
            view.tell("updraft: " + error.getMessage());
        } else {
            onFailure(error);
        }
    }

    private void onFailure(UserError error) {
        LOG.error("{}", error.getMessage(), error.getCause());
        programEnded |= main != null && !main.isAlive();
        if (stopping || failure != null) {
            return;
        }
        failure = error;
        if (topologies.discover()) {
            stop("after a failure");
        }
    }

    private void stop(String why) {
        if (stopping) {
            return;
        }
        stopping = true;
        if (topologies.anySeen()) {
            view.tell("updraft: " + why + ": draining for at most "
                    + request.drain().toMillis() / 1e3 + " s (Ctrl-C stops at once)");
        }
        Thread drainer = new Thread(this::drain, "updraft-drain");
        drainer.setDaemon(true);
        drainer.start();
    }

    private void drain() {
        boolean clean = false;
        try {
            clean = topologies.drain(request.drain(), line -> view.tell("updraft: " + line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            int exitCode = clean ? ExitCode.OK : ExitCode.NOT_DRAINED;
            events.add(() -> drained = exitCode);
        }
    }

    /** Waits for the program's {@code main}, which may print results after its topologies have ended. */
    private void awaitMain() throws InterruptedException {
        if (main == null || ExitGuard.isHolding() || signals.get() > 0 && !topologies.anySeen()) {
            return;
        }
        main.join(QUIET_PATIENCE_MILLIS);
        if (main.isAlive()) {
            view.tell("updraft: the topologies have ended; waiting for the program's main (at most "
                    + PATIENCE_WITH_MAIN_MILLIS / 1_000 + " s)");
            main.join(PATIENCE_WITH_MAIN_MILLIS);
        }
    }

    private void tellSummary() {
        List<String> lines = request.view() == ViewMode.NONE ? topologies.lost() : topologies.summary();
        lines.forEach(view::tell);
    }

    private int finish(int exitCode) {
        tellSummary();
        tellLog();
        if (failure != null) {
            throw failure;
        }
        return signals.get() > 0 && !topologies.anySeen() && !isServer() ? ExitCode.INTERRUPTED : exitCode;
    }
}
