package io.updraft.cli;

import io.updraft.cli.log.LogFile;
import io.updraft.cli.run.ExitCode;
import io.updraft.cli.run.PipelineSession;
import io.updraft.cli.run.UserError;
import io.updraft.cli.view.ViewMode;
import io.updraft.pipeline.run.PipelineException;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.spec.Mistake;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.pipeline.spec.SpecWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code updraft aggregate}. */
@Command(
        name = "aggregate",
        header = "Aggregates records by key and time: files, Kafka or HTTP in; files, databases or Kafka out.",
        description = {
            "",
            "A pipeline is described by a short YAML file (docs/aggregate.md), or for simple cases by flags alone. It is"
                    + " checked before it starts, and every mistake is named with its line. One with 'route' in place of"
                    + " 'aggregate' sends records on to Kafka by their key.",
            "",
            "Ctrl-C (or SIGTERM) ends it in order: results that are complete are written, and what was written is"
                    + " committed. A second Ctrl-C stops at once.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  updraft aggregate pipeline.yaml",
            "  updraft aggregate --check pipeline.yaml",
            "  updraft aggregate --from flights.csv --group-by carrier,origin --sum dep_delay --count --every 1d",
            "  updraft aggregate --from 'logs/*.json.gz' --group-by host --quantile took:0.99 --every 5m --to out.csv",
            "  zcat big.csv.gz | updraft aggregate --from - --format csv --group-by country --count",
            "  updraft aggregate --from flights.csv --sum dep_delay --explain >pipeline.yaml",
            "",
            "Exit codes: 0 ended as asked (a clean Ctrl-C too), 1 the pipeline failed, 2 bad input, 130 second Ctrl-C."
        })
final class AggregateCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PIPELINE",
            description = "A description in YAML. <NAME> in dollar and braces is taken from the environment.")
    private Path file;

    @Option(names = "--check", description = "Only check the description, and say what is wrong with it.")
    private boolean check;

    @Option(names = "--explain", description = "Only print the complete description, with all that was guessed.")
    private boolean explain;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "auto",
            description =
                    "live: a progress bar. plain: a line every 10 s. none: nothing but what goes wrong. auto: live on a"
                            + " terminal, else plain. Default: ${DEFAULT-VALUE}.")
    private ViewMode view;

    @ArgGroup(exclusive = false, heading = "%nInstead of a file:%n")
    private PipelineFlags flags = new PipelineFlags();

    @Override
    public Integer call() throws InterruptedException {
        LogFile.tellWarnings();
        PipelineSpec pipeline = read();
        if (pipeline == null) {
            return ExitCode.USAGE;
        }
        if (explain) {
            print(SpecWriter.write(pipeline));
            return ExitCode.OK;
        }
        if (check) {
            print((file == null ? "the flags" : file) + ": nothing is wrong\n");
            return ExitCode.OK;
        }
        try {
            return new PipelineSession(pipeline.name(), () -> Pipelines.start(pipeline), view).run();
        } catch (PipelineException e) {
            throw new UserError(ExitCode.FAILED, e.getMessage(), e);
        }
    }

    private void print(String text) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(text);
        out.flush();
    }

    // Null after what is wrong was told.
    private PipelineSpec read() {
        if (file == null && !flags.any()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "give a description of a pipeline (YAML), or describe one with --from and others");
        }
        if (file != null && flags.any()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "a pipeline is described either by a file or by flags; write into " + file + " what the flags say");
        }
        if (flags.conflict() != null) {
            throw new ParameterException(spec.commandLine(), flags.conflict());
        }
        SpecReader reader = new SpecReader(System.getenv());
        try {
            return file != null ? reader.read(file) : reader.read("flags", flags.yaml(), "aggregate");
        } catch (SpecException e) {
            e.mistakes().forEach(this::tell);
            return null;
        }
    }

    private void tell(Mistake mistake) {
        PrintWriter err = spec.commandLine().getErr();
        err.println(file != null ? mistake.toString() : "updraft aggregate: " + ofFlag(mistake));
        err.flush();
    }

    private String ofFlag(Mistake mistake) {
        String message = mistake.message()
                .replaceAll("'time: \\{field: (\\S+?)\\}'", "--time $1")
                .replaceFirst("^'[^']*': ", "")
                .replace("'time: processing'", "--time processing")
                .replaceAll("'(?:aggregate: )?every'", "--every")
                .replace("'flatten: fields'", "--types")
                .replaceAll("'format: (json|csv)'", "--format $1");
        String flag = flags.flag(mistake.line());
        return message.startsWith(flag + " ") ? message : flag + ": " + message;
    }
}
