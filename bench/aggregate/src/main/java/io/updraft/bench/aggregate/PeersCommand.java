package io.updraft.bench.aggregate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code updraft bench aggregate peers}. */
@Command(
        name = "peers",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Compares systems: Kafka -> {sum, avg, min, max, count} per metric, source and minute -> Kafka.")
final class PeersCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private FirehoseOptions firehose;

    @Mixin
    private RunOptionsMixin runs;

    @Option(
            names = "--systems",
            paramLabel = "NAME",
            split = ",",
            description = "Systems to run, in this order: ${COMPLETION-CANDIDATES}. Default: all.")
    private List<Contestant> systems = List.of(Contestant.values());

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "Option of a system; the report lists each system's settings. May be repeated.")
    private Map<String, String> options = new LinkedHashMap<>();

    @Override
    public Integer call() throws Exception {
        AggregateBench.greet(spec.commandLine().getOut());
        try {
            boolean valid = new PeersExperiment(
                            firehose.firehose(),
                            runs.options(),
                            spec.commandLine().getOut())
                    .run(systems, options);
            return valid ? 0 : 1;
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
