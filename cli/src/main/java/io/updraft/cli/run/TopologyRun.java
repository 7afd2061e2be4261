package io.updraft.cli.run;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.cli.run.RunRequest.TopologyProgram;
import io.updraft.cli.view.TopRequest;
import io.updraft.cli.view.TopologyView;
import io.updraft.cli.view.ViewMode;
import io.updraft.console.Console;
import io.updraft.console.MetricsPort;
import io.updraft.console.operator.RunSockets;
import io.updraft.console.operator.TopologyDetails;
import io.updraft.console.operator.TopologyRequests;
import io.updraft.engine.api.CallNotReturned;
import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.observe.history.HistoryRequest;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.metrics.RunMetrics;
import io.updraft.observe.profile.Profiler;
import io.updraft.observe.signal.Signals;
import io.updraft.observe.view.TopologySample;
import io.updraft.rest.NimbusSource;
import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunner;
import io.updraft.storm.LocalNimbus;
import io.updraft.storm.LogLevels;
import io.updraft.storm.SubmitterRedirect;
import io.updraft.storm.UpdraftCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a program, from its start to the end of its last topology.
 *
 * <p>The thread that calls {@link #run()} waits for events and decides. The program's {@code main} and the drain run on their own
 * threads. A run ends when {@code main} has returned and all topologies have ended. A signal or {@code --for} drains first, then
 * ends the run. The failure of a topology or of the program ends the run, too.
 *
 * <p>With a Nimbus port the run is a server and continues without topologies. When a topology dies, one line reports the death; the
 * topology stays until its owner kills it.
 */
public final class TopologyRun {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyRun.class);
    private static final long POLL_MILLIS = 50;
    private static final long MAIN_WAIT_MILLIS = 10_000;
    private static final long QUIET_MAIN_WAIT_MILLIS = 1_000;
    private static final String END = "the run has ended";
    private static final Duration LOAD_SPAN = Duration.ofSeconds(10);

    private final RunRequest request;
    private final Consumer<List<TopologySample>> onView;

    /** What has happened, as an action for the thread that waits in {@link #run()}. */
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();

    private final StopSignals signals = new StopSignals();
    private final UpdraftCluster cluster;
    private final WatchedTopologies topologies;
    private volatile TopologyView view;
    private volatile RunSockets sockets;
    private volatile boolean ended;
    private volatile Thread main;
    private volatile boolean anyError;
    private boolean logPathPrinted;

    /** Where the console is, until there is a topology to look at: a program that cannot be run has one line, its error. */
    private final List<String> consoleLines = new ArrayList<>();

    /** The names of the topologies that the shell was told last. */
    private List<String> names = List.of();

    private volatile boolean programEnded;
    private volatile boolean stopping;
    private UserError failure;

    /** The exit code of a drain that has ended; null before. */
    private Integer drained;

    private long endNanos;
    private boolean limited;

    /** Creates a run that shows its topologies in the view of the request. */
    public TopologyRun(RunRequest request) {
        this(request, LOAD_SPAN, samples -> {});
    }

    /**
     * Creates a run.
     *
     * @param request the request
     * @param loadSpan the time over which the load is averaged for advice
     * @param onView gets what the view shows, each time before the view is updated, on the thread of the view
     */
    public TopologyRun(RunRequest request, Duration loadSpan, Consumer<List<TopologySample>> onView) {
        this.request = request;
        this.onView = onView;
        UpdraftCluster.Builder builder = new UpdraftCluster.Builder();
        if (request.workers()) {
            builder.withEngines(WorkerProcessStarter.starter(line -> view.print(line), () -> sockets.directory()));
        }
        cluster = builder.withDaemonConf(
                        request.services().addedBelow(request.config().daemon()))
                .withDrainLimit(Duration.ZERO)
                .withErrorListener(this::onError)
                .withDeathListener((name, report) -> events.add(() -> onDeath(name, report)))
                .build();
        topologies = new WatchedTopologies(cluster, isServer(), loadSpan, () -> stopping);
    }

    /**
     * Runs the program.
     *
     * @return the exit code of the process
     * @throws UserError when the program cannot be run, the program fails, or a topology dies
     * @throws InterruptedException when the calling thread is interrupted
     */
    @SuppressWarnings("try") // The redirect is not used in the block; it must only be open.
    public int run() throws InterruptedException {
        OutOfMemoryHandler.writeCapsules("run " + programName());
        try (JarRunner runner = open(request.program());
                ServicePorts services = ServicePorts.open(cluster, request);
                SubmitterRedirect redirect = SubmitterRedirect.open(cluster, request.config());
                MetricsPort metrics = MetricsPorts.open(request.metrics(), metrics());
                RunEndpoints endpoints = openEndpoints()) {
            view = request.view().open();
            if (runner != null) {
                runner.setProgressListener(line -> view.print("updraft: " + line));
            }
            services.listenLines().forEach(view::print);
            if (metrics != null) {
                view.print(metrics.listenLine());
            }
            return runWith(runner, endpoints.console());
        } catch (JarRunException e) {
            throw RunErrors.toUserError(e);
        }
    }

    private RunMetrics metrics() {
        return new RunMetrics(topologies::latest, topologies::sinceSample, isServer());
    }

    private RunEndpoints openEndpoints() {
        Map<String, RequestHandler> handlers = requests();
        sockets = RunSockets.open(RunDescription.ofThisProcess("run", programName(), LogFile.path()), handlers);
        handlers.putAll(TopologyDetails.handlers(topologies));
        return RunEndpoints.open(
                sockets,
                request.ui(),
                request.config().daemon(),
                new Console.Run(
                        "run",
                        programName(),
                        handlers,
                        sockets.directory(),
                        topologies::workers,
                        request.workers() ? topologies::restart : null,
                        NimbusSource.of(new LocalNimbus(cluster)),
                        metrics()),
                request.view(),
                consoleLines::add);
    }

    private Map<String, RequestHandler> requests() {
        Map<String, RequestHandler> handlers =
                ProcessRequests.handlers(JsonObject.of("role", "run"), topologies, new LogLevels()::apply);
        handlers.putAll(TopologyRequests.handlers(topologies));
        RequestHandler state = handlers.get("state");
        handlers.put("state", request -> state.answer(request).with("ending", endsWithoutTopologies()));
        handlers.put("top", new TopRequest(topologies));
        handlers.put("history", new HistoryRequest(topologies.histories()));
        return handlers;
    }

    private String programName() {
        return request.program() == null ? "Nimbus" : request.program().mainClass();
    }

    private static JarRunner open(TopologyProgram program) throws JarRunException {
        if (program == null) {
            return null;
        }
        return program.jar().isPresent()
                ? JarRunner.open(program.jar().get(), program.mainClass())
                : JarRunner.openClassPath();
    }

    private boolean isServer() {
        return request.services().nimbus() != null;
    }

    private int runWith(JarRunner runner, Console console) throws InterruptedException {
        TopologySampler sampler = new TopologySampler(request.interval(), topologies::sample, this::show);
        try {
            for (String signal : List.of("INT", "TERM", "HUP")) {
                Signals.handle(signal, () -> onSignal(signal));
            }
            new ExitGuard(this::holdsExit, () -> events.add(() -> programEnded = true), this::onExitCalled);
            if (runner != null) {
                // Not a daemon: threads inherit that, and the program's other threads show that the program still runs.
                main = new Thread(
                        () -> runMain(runner), "main of " + request.program().mainClass());
                main.start();
            }
            int exitCode = awaitEnd();
            Profiler.finish();
            cluster.close();
            sampler.stop();
            awaitMain();
            if (failure != null && topologies.anySeen()) {
                RunErrors.record("run", programName(), failure);
            }
            console.ends(
                    failure != null
                            ? failure.getMessage()
                            : END + (exitCode == ExitCode.OK ? "" : ": exit code " + exitCode));
            return finish(exitCode);
        } finally {
            sampler.stop();
            ended = true;
            cluster.close();
            view.close();
        }
    }

    private void show() {
        List<TopologySample> samples = topologies.sinceLastView();
        onView.accept(samples);
        view.show(samples);
    }

    private void onError(String name, ErrorReport report) {
        anyError = true;
        // The topology has ended, so its errors no longer appear in the view.
        if (report.error() instanceof CallNotReturned) {
            view.print("updraft: topology '" + name + "', " + report.where() + ": "
                    + report.error().getMessage() + "; the call is abandoned");
        }
    }

    // The first signal drains. A later signal, or any signal during a drain, stops at once.
    private void onSignal(String signal) {
        StopSignals.Meaning meaning = signals.take();
        if (meaning == StopSignals.Meaning.END && !stopping) {
            events.add(() -> stop("SIG" + signal));
        } else if (meaning != StopSignals.Meaning.REPETITION) {
            sockets.close();
            view.close();
            System.err.println(
                    "updraft: stopped at once; tuples in flight are lost unless the spouts' source replays them");
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }

    // Called when the program exits the JVM, or when no thread keeps the JVM alive. Topologies in clusters that the
    // program has made itself end with the program, as in Storm.
    private boolean holdsExit() {
        if (!ended && (stopping || isServer() || !cluster.topologyNames().isEmpty())) {
            return true;
        }
        sockets.close();
        view.close();
        if (!ended) {
            printSummary();
        }
        return false;
    }

    // Runs on the thread that blocks the exit. In a cluster, the exit ends the program and the topologies go on.
    private void onExitCalled(Thread thread, StackTraceElement[] stack) {
        if (thread != main && !ended && !topologies.exitCalled(thread, stack)) {
            view.print("updraft: thread '" + thread.getName() + "' belongs to no component: "
                    + ExitCalled.by(stack).getMessage() + "; the topologies keep running, as in a cluster");
        }
    }

    private void runMain(JarRunner runner) {
        try {
            TopologyProgram program = request.program();
            runner.run(cluster, program.mainClass(), program.arguments());
            events.add(() -> programEnded = true);
        } catch (JarRunException e) {
            events.add(() -> onFailure(RunErrors.toUserError(e)));
        } catch (RuntimeException | Error e) {
            events.add(() -> onFailure(new UserError(ExitCode.FAILED, "internal error: " + e, e)));
        }
    }

    private int awaitEnd() throws InterruptedException {
        while (true) {
            Runnable event = events.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            boolean alive = observe();
            printLogPath();
            if (event != null) {
                event.run();
            }
            if (drained != null) {
                return drained;
            }
            if (limited && System.nanoTime() - endNanos >= 0) {
                stop("--for is over");
            }
            if (!stopping && !alive && (events.isEmpty() && endsWithoutTopologies() || failure != null)) {
                return ExitCode.OK;
            }
        }
    }

    /** Returns whether the run ends as soon as no topology is alive. */
    private boolean endsWithoutTopologies() {
        return stopping || programEnded && !isServer();
    }

    private boolean observe() {
        boolean alive = topologies.discover();
        setNames();
        topologies.takeEndSummaries().forEach(view::print);
        if (topologies.anySeen() || isServer()) {
            consoleLines.forEach(view::print);
            consoleLines.clear();
        }
        if (topologies.anySeen() && request.limit() != null && !limited) {
            limited = true;
            endNanos = System.nanoTime() + request.limit().toNanos();
        }
        return alive;
    }

    private void setNames() {
        List<String> living = topologies.names();
        if (!living.equals(names)) {
            names = living;
            sockets.setNames(living, topologies.componentNames());
        }
    }

    private void printLogPath() {
        if (anyError && !logPathPrinted) {
            logPathPrinted = true;
            view.print("updraft: user code failed; stack traces go to " + LogFile.path());
        }
    }

    private void onDeath(String topology, ErrorReport report) {
        MemoryWatch.awaitWritten();
        UserError error = RunErrors.ofDeath(topology, report);
        if (isServer()) {
            view.print("updraft: " + error.getMessage());
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
            view.print("updraft: " + why + ": draining for at most "
                    + request.drain().toMillis() / 1e3 + " s (Ctrl-C stops at once)");
        }
        DaemonThreads.start("updraft-drain", this::drain);
    }

    private void drain() {
        boolean clean = false;
        try {
            clean = topologies.drain(request.drain(), line -> view.print("updraft: " + line));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            int exitCode = clean ? ExitCode.OK : ExitCode.NOT_DRAINED;
            events.add(() -> drained = exitCode);
        }
    }

    /** Waits for the program's {@code main}, which may print results after its topologies have ended. */
    private void awaitMain() throws InterruptedException {
        if (main == null || ExitGuard.isHolding() || signals.any() && !topologies.anySeen()) {
            return;
        }
        main.join(QUIET_MAIN_WAIT_MILLIS);
        if (main.isAlive()) {
            view.print("updraft: the topologies have ended; waiting for the program's main (at most "
                    + MAIN_WAIT_MILLIS / 1_000 + " s)");
            main.join(MAIN_WAIT_MILLIS);
        }
    }

    private void printSummary() {
        List<String> lines = request.view() == ViewMode.NONE ? topologies.lost() : topologies.summary();
        lines.forEach(view::print);
    }

    private int finish(int exitCode) {
        printSummary();
        printLogPath();
        if (failure != null) {
            throw failure;
        }
        return signals.any() && !topologies.anySeen() && !isServer() ? ExitCode.INTERRUPTED : exitCode;
    }
}
