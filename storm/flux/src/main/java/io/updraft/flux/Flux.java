package io.updraft.flux;

import io.updraft.storm.ProgramInputException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.thrift.TException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/**
 * The program behind {@code updraft run topology.yaml}: accepts the options of Storm's Flux and submits the described topology.
 */
@Command(name = "flux", sortOptions = false)
public final class Flux {
    @Parameters(index = "0", paramLabel = "TOPOLOGY.YAML")
    private String description = "";

    @Option(
            names = {"-f", "--filter"},
            paramLabel = "FILE")
    private Path filter;

    @Option(names = {"-e", "--env-filter"})
    private boolean environment;

    @Option(names = {"-R", "--resource"})
    private boolean resource;

    @Option(names = {"-i", "--inactive"})
    private boolean inactive;

    /** Options of Flux that have no effect here: where to run, how long, and how much to print. */
    @Option(
            names = {"-l", "--local", "-r", "--remote", "-n", "--no-splash", "-q", "--no-detail"},
            hidden = true)
    private boolean[] ignored = {};

    @Option(
            names = {"-s", "--sleep", "-z", "--zookeeper"},
            hidden = true)
    private String[] ignoredToo = {};

    private Flux() {}

    /**
     * Reads a description and submits its topology; warnings go to standard error.
     *
     * @param arguments the file and the options of Flux
     * @throws TException when the topology is refused
     * @throws ProgramInputException when the description or the options are not valid
     */
    public static void main(String[] arguments) throws TException {
        new Flux().submit(arguments, System.err);
    }

    private void submit(String[] arguments, PrintStream err) throws TException {
        parse(arguments);
        FluxTopology read = FluxTopology.read(
                description,
                resource,
                properties(),
                environment,
                Thread.currentThread().getContextClassLoader());
        read.warnings().forEach(warning -> err.println("updraft: " + warning));
        SubmitOptions options =
                new SubmitOptions(inactive ? TopologyInitialStatus.INACTIVE : TopologyInitialStatus.ACTIVE);
        StormSubmitter.submitTopology(read.name(), read.config(), read.topology(), options, null);
    }

    private void parse(String[] arguments) {
        try {
            new CommandLine(this).parseArgs(arguments);
        } catch (ParameterException e) {
            throw new ProgramInputException(
                    e.getMessage() + " (the options are --filter FILE, --env-filter, --resource, --inactive)", e);
        }
    }

    private Properties properties() {
        Properties properties = new Properties();
        if (filter != null) {
            try (Reader in = Files.newBufferedReader(filter)) {
                properties.load(in);
            } catch (IOException | IllegalArgumentException e) {
                throw new ProgramInputException(
                        filter + ": cannot be read as properties: " + (Files.exists(filter) ? e : "no such file"), e);
            }
        }
        return properties;
    }
}
