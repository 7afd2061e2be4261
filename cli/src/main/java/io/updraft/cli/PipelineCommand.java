package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.cli.run.LogFile;
import io.updraft.cli.run.PipelineExecution;
import io.updraft.cli.view.ViewMode;
import io.updraft.pipeline.run.PipelineException;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecWriter;
import io.updraft.storm.yaml.Mistakes.Mistake;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** A command that runs a pipeline, or only shows what it is. */
abstract class PipelineCommand implements Callable<Integer> {

    /** Set by the subclass. */
    CommandSpec spec;

    @Option(names = "--check", description = "Check the description, print its mistakes, and exit.")
    private boolean check;

    @Option(names = "--explain", description = "Print the description with all defaults and guesses, and exit.")
    private boolean explain;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            completionCandidates = CompletionWords.Views.class,
            defaultValue = "auto",
            description = "live: a progress bar. plain: one line every 10 s. none: only errors and warnings. auto: live"
                    + " on a terminal, else plain. Default: ${DEFAULT-VALUE}.")
    private ViewMode view;

    @Mixin
    private MetricsPortOptions metrics = new MetricsPortOptions();

    @Mixin
    private UiOptions ui = new UiOptions();

    /** Reads the description of the pipeline. */
    abstract PipelineSpec read() throws SpecException;

    /** Returns the name of the description in messages. */
    abstract String described();

    /** Returns a mistake as it is printed. */
    abstract String text(Mistake mistake);

    @Override
    public Integer call() throws InterruptedException {
        if (metrics.complaint() != null) {
            throw invalid(metrics.complaint());
        }
        if (ui.complaint() != null) {
            throw invalid(ui.complaint());
        }
        LogFile.printWarnings();
        PipelineSpec pipeline = readOrPrint();
        if (pipeline == null) {
            return ExitCode.USAGE;
        }
        if (explain) {
            print(SpecWriter.write(pipeline));
            return ExitCode.OK;
        }
        if (check) {
            print(described() + ": nothing is wrong\n");
            return ExitCode.OK;
        }
        try {
            return new PipelineExecution(pipeline, view, metrics.address(), ui.settings()).run();
        } catch (PipelineException e) {
            throw new UserError(ExitCode.FAILED, e.getMessage(), e);
        }
    }

    /** Returns null when the description has mistakes; they are printed. */
    private PipelineSpec readOrPrint() {
        try {
            return read();
        } catch (SpecException e) {
            PrintWriter err = spec.commandLine().getErr();
            e.mistakes().forEach(mistake -> err.println(text(mistake)));
            err.flush();
            return null;
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    final ParameterException invalid(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
