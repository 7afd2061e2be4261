package io.updraft.bench.aggregate;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code updraft bench aggregate}: the experiments. Exits with 0 when all runs were valid, 1 when a run was invalid, 2 when the
 * command line is wrong.
 */
@Command(
        name = "updraft bench aggregate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measures aggregation by key and time, alone or compared with DuckDB, Flink, Kafka Streams and Storm.",
        description = {
            "",
            "Every run has its own JVM. Experiments with Kafka use a real broker. The results of every run are "
                    + "compared with a model; a run with a missing, duplicate or wrong result is INVALID.",
            ""
        },
        subcommands = {
            TableCommand.class,
            PipelineCommand.class,
            SuperChiefCommand.class,
            PeersCommand.class,
            FilesCommand.class
        },
        synopsisSubcommandLabel = "EXPERIMENT",
        commandListHeading = "%nExperiments:%n",
        footer = {
            "",
            "Examples:",
            "  updraft bench aggregate ericsson-table",
            "  updraft bench aggregate ericsson-table --curves --runs 1 --heap 8g",
            "  updraft bench aggregate ericsson-table --parallelism 1,2,4,8,16,24 --workers 1,2,4 --plot curve.png",
            "  updraft bench aggregate ericsson-table --parallelism 1,2,4,8 --workers 1,2 --on storm-cluster",
            "  updraft bench aggregate ericsson-table --job whole --dims 62 --measures 20 --parallelism 1,2,4,8",
            "  updraft bench aggregate ericsson-pipeline --records 2m",
            "  updraft bench aggregate superchief --records 20m",
            "  updraft bench aggregate peers --records 10m --runs 3",
            "  updraft bench aggregate files --vs duckdb,flink",
            "  updraft bench aggregate files --shape stations --records 1m,10m,100m --runs 5",
        })
public final class AggregateBench implements Runnable {

    @Spec
    private CommandSpec spec;

    /** Called by picocli. */
    public AggregateBench() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "no experiment given; --help lists the experiments");
    }

    /** {@return the command line; it reports each usage error on one line} */
    static CommandLine commandLine() {
        CommandLine line = new CommandLine(new AggregateBench());
        line.setUsageHelpAutoWidth(true);
        line.registerConverter(CountOption.class, CountOption::parse);
        line.setCaseInsensitiveEnumValuesAllowed(true);
        line.setParameterExceptionHandler((e, args) -> {
            PrintWriter err = e.getCommandLine().getErr();
            err.println("updraft bench aggregate: " + e.getMessage());
            err.flush();
            return CommandLine.ExitCode.USAGE;
        });
        return line;
    }

    /**
     * Runs the command.
     *
     * @param args an experiment and its options
     */
    public static void main(String[] args) {
        System.setProperty("log4j2.configurationFile", PeerJvm.LOGGING);
        System.exit(commandLine().execute(args));
    }
}
