package io.updraft.cli.run;

import io.updraft.cli.view.ProgressView;
import io.updraft.cli.view.ViewMode;
import io.updraft.cluster.signal.Signals;
import io.updraft.pipeline.PipelineProgress;
import io.updraft.pipeline.RunningPipeline;
import io.updraft.pipeline.run.PipelineException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** One run of a pipeline: starts it, shows how far it has come, stops it at a signal, and sums up. */
public final class PipelineSession {

    private static final Duration LOOK = Duration.ofMillis(200);

    private final String name;
    private final Start start;
    private final ViewMode viewMode;
    private final AtomicInteger signals = new AtomicInteger();

    /** Starts the pipeline. */
    @FunctionalInterface
    public interface Start {

        /**
         * Starts it.
         *
         * @return it, running
         * @throws PipelineException when it cannot be started
         */
        RunningPipeline start() throws PipelineException;
    }

    /**
     * A run; nothing is started yet.
     *
     * @param name of the pipeline
     * @param start starts it
     * @param view how it is shown
     */
    public PipelineSession(String name, Start start, ViewMode view) {
        this.name = name;
        this.start = start;
        this.viewMode = view;
    }

    /**
     * Runs to the end.
     *
     * @return what the process exits with
     * @throws PipelineException when the pipeline cannot be started
     * @throws UserError when it has failed
     * @throws InterruptedException when the calling thread is interrupted
     */
    public int run() throws PipelineException, InterruptedException {
        String failure;
        String firstBad;
        PipelineProgress end;
        // Opened first: what sinks write to standard output goes above the bar.
        try (ProgressView view = ProgressView.open(viewMode, name)) {
            try (RunningPipeline pipeline = start.start()) {
                for (String signal : List.of("INT", "TERM", "HUP")) {
                    Signals.handle(signal, () -> onSignal(signal, pipeline, view));
                }
                while (!pipeline.awaitEnd(LOOK)) {
                    view.show(pipeline.progress());
                }
                failure = pipeline.failure();
                end = pipeline.progress();
                firstBad = pipeline.firstBad();
            }
            view.end(end);
        }
        if (failure != null) {
            throw new UserError(ExitCode.FAILED, failure, null);
        }
        if (firstBad != null) {
            tellBad(end, firstBad);
        }
        return ExitCode.OK;
    }

    /** Also where nothing else is shown. An input that holds no record that can be used is a failure; one that was not read to its end may. */
    private void tellBad(PipelineProgress end, String firstBad) {
        String which = (end.bad() == 1 ? ": " : ", among the first ") + firstBad;
        if (end.bad() == end.records() && signals.get() == 0) {
            throw new UserError(
                    ExitCode.FAILED,
                    "none of the " + end.records() + " records that were read could be used" + which,
                    null);
        }
        System.err.println("updraft: " + end.bad() + " of " + end.records() + " records could not be used" + which);
    }

    private void onSignal(String signal, RunningPipeline pipeline, ProgressView view) {
        if (signals.incrementAndGet() == 1) {
            view.tell("updraft: SIG" + signal + ": writing what is complete (Ctrl-C stops at once)");
            pipeline.stop();
        } else {
            view.close();
            System.err.println("updraft: stopped at once; what was not committed is read again by the next run");
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED);
        }
    }
}
