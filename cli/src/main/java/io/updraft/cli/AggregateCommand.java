package io.updraft.cli;

import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecException;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.storm.yaml.Mistakes.Mistake;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "aggregate",
        header = "Aggregates records by key and time, from files, Kafka or HTTP to files, databases or Kafka.",
        description = {
            "",
            "A YAML file describes the pipeline (docs/aggregate.md); flags do for simple cases. The description is"
                    + " checked before the start, and each mistake is reported with its line. A pipeline with 'route'"
                    + " instead of 'aggregate' sends records to Kafka partitions by key.",
            "",
            "Ctrl-C (or SIGTERM) writes and commits the complete results, then ends. A second Ctrl-C stops at once.",
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
            "  updraft aggregate --metrics-port 9464 pipeline.yaml",
            "",
            "Exit codes: 0 success (also after one Ctrl-C), 1 the pipeline failed, 2 bad input, 130 second Ctrl-C."
        })
final class AggregateCommand extends PipelineCommand {

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "PIPELINE",
            description = "The pipeline's description in YAML. A dollar sign with a name in braces is replaced by that"
                    + " environment variable.")
    private Path file;

    @Mixin
    private PipelineFlags flags = new PipelineFlags();

    /** Adds the texts of the flags: the JDK would look through each jar for services if an annotation named their class. */
    @Spec
    void describe(CommandSpec command) {
        spec = command;
        command.resourceBundle(new PipelineFlagTexts());
    }

    private static List<OptionSpec> flagsOf(CommandSpec command) {
        return command.mixins().get("flags").options();
    }

    private boolean hasFlags() {
        return flagsOf(spec).stream().anyMatch(spec.commandLine().getParseResult()::hasMatchedOption);
    }

    @Override
    PipelineSpec read() throws SpecException {
        if (file == null && !hasFlags()) {
            throw invalid("no pipeline given: name its YAML file, or describe it with --from and other options");
        }
        if (file != null && hasFlags()) {
            throw invalid("describe a pipeline either by a file or by flags: put the settings of the flags into " + file
                    + ", or leave the file out");
        }
        if (flags.conflict() != null) {
            throw invalid(flags.conflict());
        }
        SpecReader reader = new SpecReader(System.getenv());
        return file != null ? reader.read(file) : reader.read("flags", flags.yaml(), "aggregate");
    }

    @Override
    String described() {
        return file == null ? "the flags" : file.toString();
    }

    @Override
    String text(Mistake mistake) {
        return file != null ? mistake.toString() : "updraft aggregate: " + ofFlag(mistake);
    }

    private String ofFlag(Mistake mistake) {
        String message = mistake.message()
                .replaceAll("'time: \\{field: (.+?)\\}'", "--time $1")
                .replaceFirst("^'[^']*': ", "")
                .replace("'time: processing'", "--time processing")
                .replaceAll("'(every|slide): ([^']+)'", "--$1 $2")
                .replaceAll("'(?:aggregate: )?(every|slide|zone)'", "--$1")
                .replace("'flatten: fields'", "--types")
                .replaceAll("'format: (json|csv)'", "--format $1");
        String flag = flags.flag(mistake.where().line());
        return message.startsWith(flag + " ") ? message : flag + ": " + message;
    }

    /** The help, with the flags after the other options. With a group of picocli's, each run would make help texts. */
    static final class FlagHelp extends Help {
        FlagHelp(CommandSpec command, ColorScheme colors) {
            super(command, colors);
        }

        @Override
        public String optionList() {
            List<OptionSpec> flags = flagsOf(commandSpec());
            List<OptionSpec> options = new ArrayList<>(commandSpec().options());
            options.removeAll(flags);
            return optionListExcludingGroups(options)
                    + createHeading("%nInstead of a file:%n")
                    + optionListExcludingGroups(flags);
        }
    }
}
