package io.updraft.cli.run;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.base.text.VisibleText;
import io.updraft.cli.log.LateLogProvider;
import io.updraft.cli.view.ProgressView;
import io.updraft.cli.view.ViewMode;
import io.updraft.console.Console;
import io.updraft.console.MetricsPort;
import io.updraft.console.access.UiSettings;
import io.updraft.console.operator.PipelineRequests;
import io.updraft.console.operator.RunSockets;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.snapshot.RunningCode;
import io.updraft.observe.history.Histories;
import io.updraft.observe.history.HistoryRequest;
import io.updraft.observe.history.PipelineRecorder;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.metrics.PipelineMetrics;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.observe.profile.Profiler;
import io.updraft.observe.signal.Signals;
import io.updraft.pipeline.run.PipelineException;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.storm.LogLevels;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.generated.LogConfig;

/** One run of a pipeline: starts the pipeline, shows its progress, stops it at a signal, and prints a summary. */
public final class PipelineExecution {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private static final String PIPELINE_CODE = "io.updraft.pipeline.";
    private static final LogLevels LEVELS = new LogLevels();

    private final PipelineSpec spec;
    private final ViewMode viewMode;
    private final InetSocketAddress metricsAddress;
    private final UiSettings ui;
    private final PipelineMetrics metrics;
    private final Histories histories = new Histories();
    private final StopSignals signals = new StopSignals();

    /** Creates a run. The address is that for monitoring systems; null for none. */
    public PipelineExecution(PipelineSpec pipeline, ViewMode view, InetSocketAddress monitors, UiSettings console) {
        this.spec = pipeline;
        this.viewMode = view;
        this.metricsAddress = monitors;
        this.ui = console;
        this.metrics = new PipelineMetrics(pipeline.name());
    }

    /**
     * Runs the pipeline to its end.
     *
     * @return the exit code of the process
     * @throws PipelineException when the pipeline cannot be started
     * @throws UserError when the pipeline has failed, or when no record could be used
     * @throws InterruptedException when the calling thread is interrupted
     */
    public int run() throws PipelineException, InterruptedException {
        OutOfMemoryHandler.writeCapsules("pipeline " + spec.name());
        String failure;
        String firstRejected;
        PipelineProgress end;
        // Opened first, so that the output of sinks on standard output appears above the bar.
        try (MetricsPort port = MetricsPorts.open(metricsAddress, metrics);
                ProgressView view = ProgressView.open(viewMode, spec.name())) {
            if (port != null) {
                view.print(port.listenLine());
            }
            try (RunningPipeline pipeline = Pipelines.start(spec)) {
                metrics.started(pipeline);
                for (String signal : List.of("INT", "TERM", "HUP")) {
                    Signals.handle(signal, () -> onSignal(signal, pipeline, view));
                }
                awaitEnd(pipeline, view);
                failure = pipeline.failure();
                end = pipeline.progress();
                firstRejected = pipeline.firstRejected();
            }
            view.end(end);
        }
        if (failure != null) {
            MemoryWatch.awaitWritten();
            UserError error = new UserError(ExitCode.FAILED, failure, null);
            RunErrors.record("aggregate", spec.name(), error);
            throw error;
        }
        if (firstRejected != null) {
            reportUnusable(end, firstRejected);
        } else if (end.records() == 0 && !signals.any()) {
            System.err.println(withoutRecords(end));
        }
        return ExitCode.OK;
    }

    /** An input may well be empty, but a wrong path or a wrong line end looks the same. */
    private static String withoutRecords(PipelineProgress end) {
        long bytes = end.sources().stream()
                .filter(source -> source.unit().equals("bytes"))
                .mapToLong(SourceProgress::done)
                .sum();
        return bytes > 0
                ? "updraft: 0 records in the " + bytes + " bytes that were read: only headers or empty lines"
                : "updraft: 0 records: the source had none";
    }

    private void awaitEnd(RunningPipeline pipeline, ProgressView view) throws InterruptedException {
        PipelineRecorder recorder = new PipelineRecorder(histories, spec.name());
        try (RunEndpoints endpoints = open(pipeline, view, recorder)) {
            while (!pipeline.awaitEnd(POLL_INTERVAL)) {
                PipelineProgress progress = pipeline.progress();
                view.show(progress);
                if (recorder.isDue()) {
                    recorder.add(progress, pipeline.moves());
                }
            }
            Profiler.finish();
            String failure = pipeline.failure();
            endpoints.console().ends(failure == null ? "the pipeline has ended" : failure);
        }
    }

    /** Opens the socket for commands in other terminals, and the console. */
    private RunEndpoints open(RunningPipeline pipeline, ProgressView view, PipelineRecorder recorder) {
        Map<String, RequestHandler> handlers = ProcessRequests.handlers(
                JsonObject.of("role", "aggregate"), PipelineExecution::codeOf, PipelineExecution::setLevels);
        handlers.putAll(PipelineRequests.handlers(spec.name(), pipeline, view::line, recorder::rates, () -> {
            view.print("updraft: 'updraft kill': writing complete results");
            stop(pipeline);
        }));
        handlers.put("history", new HistoryRequest(histories));
        RunSockets sockets =
                RunSockets.open(RunDescription.ofThisProcess("aggregate", spec.name(), LogFile.path()), handlers);
        sockets.setNames(List.of(spec.name()), List.of());
        return RunEndpoints.open(
                sockets,
                ui,
                JsonObject.of(),
                new Console.Run("aggregate", spec.name(), handlers, null, List::of, null, null, metrics),
                viewMode,
                view::print);
    }

    private static void setLevels(LogConfig levels) {
        LateLogProvider.start();
        LEVELS.apply(levels);
    }

    /** Returns the threads that run a pipeline's code; all of it counts as one component. */
    private static Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        Map<Thread, RunningCode> components = new HashMap<>();
        stacks.forEach((thread, stack) -> {
            if (Stream.of(stack).anyMatch(frame -> frame.getClassName().startsWith(PIPELINE_CODE))) {
                components.put(thread, RunningCode.ofOwnThread("pipeline"));
            }
        });
        return components;
    }

    /** Reports unusable records, with every view. A run without one usable record fails, unless a signal stopped it early. */
    private void reportUnusable(PipelineProgress end, String firstRejected) {
        String example = (end.rejected() == 1 ? ": " : "; for example ") + firstRejected;
        if (end.rejected() == end.records() && !signals.any()) {
            throw new UserError(
                    ExitCode.FAILED,
                    "none of the " + end.records() + " records that were read could be used" + example,
                    null);
        }
        System.err.println(VisibleText.of(
                "updraft: " + end.rejected() + " of " + end.records() + " records could not be used" + example));
    }

    private void stop(RunningPipeline pipeline) {
        metrics.stops();
        pipeline.stop();
    }

    private void onSignal(String signal, RunningPipeline pipeline, ProgressView view) {
        StopSignals.Meaning meaning = signals.take();
        if (meaning == StopSignals.Meaning.END) {
            view.print("updraft: SIG" + signal + ": writing complete results (Ctrl-C stops at once)");
            stop(pipeline);
        } else if (meaning == StopSignals.Meaning.END_AT_ONCE) {
            view.close();
            System.err.println("updraft: stopped at once; the next run reads uncommitted records again");
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }
}
