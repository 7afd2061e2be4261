package io.updraft.bench;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code updraft bench}. Exits with 0 when all runs were valid, 1 when a run was invalid, 2 when the command line is wrong. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header =
                "Measures messages per second, latency and CPU time of Updraft, alone or compared with Storm and Flink.",
        description = {
            "",
            "Runs topologies whose components do almost no work, so that the runtime itself is measured. Each run gets "
                    + "its own JVM or its own worker processes. Every run checks that all messages arrived; a run that "
                    + "lost a message is INVALID. Without an option that sets the topology's shape, the command "
                    + "measures the eight results that Updraft promises (--suite).",
            ""
        },
        subcommands = AggregateBenchCommand.class,
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  updraft bench --vs storm --plot bench.png",
            "  updraft bench --spout 1 --bolt 1 -l 2 --messageSize 10 --ack --testTime 30 --vs storm",
            "  updraft bench --topology wordcount --ack --vs storm,flink",
            "  updraft bench --messageSize 10..10240 --ack --plot sweep.png",
            "  updraft bench --rate 100000 --vs storm",
            "  updraft bench --workers 3 --spout 3 --bolt 3 -l 1 --ackers 3 --ack --maxSpoutPending 1000 "
                    + "--messageSize 10..10000 --transport all --plot",
            "  updraft bench --on storm-cluster --vs storm --workers 2 --ack --messageSize 100"
        })
public final class BenchCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = "--suite",
            description = "Measure the eight promised results and report for each whether it meets its target. This "
                    + "is the default when no option sets the topology's shape.")
    boolean suite;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            description = "The topology to run. sol (default): a spout, then levels of bolts that only forward. "
                    + "wordcount: a spout of sentences, a splitter, counters with fields grouping. windowsum: one "
                    + "spout of numbers, sums over sliding windows of 30 numbers that advance by 10. tridentwords: "
                    + "Trident's word count, exactly once, in batches of 5,000 sentences. Any other name is the name of a class that implements "
                    + "io.updraft.bench.topology.BenchTopology.")
    String topology;

    @Option(
            names = {"--spout", "--spoutParallel"},
            paramLabel = "N",
            description = "Parallelism of the spout. Default: 1.")
    Integer spouts;

    @Option(
            names = {"--bolt", "--boltParallel"},
            paramLabel = "N",
            description = "Parallelism of each level of bolts. In wordcount: parallelism of the counters; there are "
                    + "half as many splitters. In windowsum: tasks with windows; with 2 or more, each number has one of "
                    + "100 keys, with fields grouping. Default: 1; wordcount and tridentwords: 4.")
    Integer bolts;

    @Option(
            names = {"-l", "--numLevels"},
            paramLabel = "N",
            description = "Levels of bolts: 1 is spout -> bolt, 2 is spout -> bolt -> bolt. Default: 1.")
    Integer levels;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of worker processes. Executors are assigned to workers round-robin. With 2 or more, "
                    + "tuples cross process boundaries, and the report shows which part of them did. Default: 1, all "
                    + "executors in one process.")
    Integer workers;

    @Option(
            names = "--on",
            paramLabel = "CLUSTER",
            description =
                    "Also measure Updraft's workers launched by a Storm Supervisor, beside the workers that Updraft "
                            + "launches itself. The only value is storm-cluster: a Storm cluster on this host. Needs "
                            + "--workers 2 or more. With --vs storm, Storm's workers run on the same cluster.")
    String on;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description = "Transport between Updraft's workers (updraft.transport.local): netty, zeromq, aeron, ucx, a "
                    + "list of them, or all. Each transport is measured as its own series. Storm always uses "
                    + "its own transport. Default: netty.")
    String transport;

    @Option(
            names = {"--messageSize", "--messageSizeByte"},
            paramLabel = "BYTES",
            description = "Bytes per message. A list (10,100,1000) or a range with geometric steps is a sweep: "
                    + "10..10240 multiplies by 4, 10..10240x2 by 2. Numbers may end in k or m (KiB, MiB). Default: 10.")
    String messageSize;

    @Option(
            names = {"--ack", "--ackEnabled"},
            description = "Track messages: the spout emits each with an id, and bolts anchor their tuples.")
    boolean ack;

    @Option(
            names = "--ackers",
            paramLabel = "N",
            description = "Acker executors (topology.acker.executors) when messages are tracked. Updraft has no acker "
                    + "executors; any number above 0 turns tracking on. Default: 1.")
    Integer ackers;

    @Option(
            names = {"--maxSpoutPending", "--maxPending"},
            paramLabel = "N",
            description = "Limit of messages in flight per spout task (topology.max.spout.pending), for Updraft and "
                    + "Storm. Default: no limit for Updraft, tuned for Storm.")
    Integer maxSpoutPending;

    @Option(
            names = "--rate",
            paramLabel = "MSGS_PER_S",
            description = "Open loop: emit this many messages per second on a fixed schedule. Latency counts from the "
                    + "time a message was due, which avoids coordinated omission. Implies --ack.")
    Long rate;

    @Option(
            names = "--zipf",
            paramLabel = "EXPONENT",
            description = "In wordcount: exponent of the frequencies of words, from 0 (all words equally frequent) to "
                    + "10. The word of rank r is emitted 1/r^EXPONENT times as often as the first. Default: 1.")
    Double zipf;

    @Option(
            names = {"--testTime", "--testTimeSec"},
            paramLabel = "SEC",
            defaultValue = "10",
            description = "Length of the measurement in seconds. Default: ${DEFAULT-VALUE}.")
    int testTime;

    @Option(
            names = "--warmup",
            paramLabel = "SEC",
            defaultValue = "5",
            description = "Seconds from the first completed message to the measurement. Default: ${DEFAULT-VALUE}.")
    int warmup;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs of each runtime. Runtimes alternate, and the report shows medians. Default: "
                    + "${DEFAULT-VALUE}.")
    int runs;

    @Option(
            names = {"--pollFreq", "--pollFreqSec"},
            paramLabel = "SEC",
            description = "Seconds between progress rows, 0 for none. A row shows status, tasks, time, tuples "
                    + "received by bolts (transferred), throughput over all hops as in Yahoo's storm-perf-test "
                    + "(without its slot columns), acked, failed and in-flight messages. Default: 1; with --suite, in "
                    + "sweeps and with several workers 0.")
    Integer pollFreq;

    @Option(
            names = "--vs",
            paramLabel = "RUNTIME",
            description = "Run the same topologies on other runtimes and print the ratios: storm, flink, or both "
                    + "separated by a comma. storm is Storm's LocalCluster or, with --workers 2 or more, a Storm cluster "
                    + "on this host with the same number of workers. flink is Flink's mini cluster without checkpoints; "
                    + "it runs --topology wordcount in one process. Options of the topology's parallelism, tracking and "
                    + "configuration do not apply to it; --zipf does.")
    String versus;

    @Option(
            names = "--no-tune",
            description =
                    "Skip the search for the best settings of the runtimes of --vs. Storm then runs with batches of "
                            + "100 tuples and 5000 pending messages, Flink with a parallelism of 2.")
    boolean noTune;

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "Configuration value for Updraft and Storm: JSON, or text that becomes a string. May be "
                    + "repeated.")
    Map<String, String> conf = new LinkedHashMap<>();

    @Option(
            names = "--storm-conf",
            paramLabel = "KEY=VALUE",
            description = "Configuration value for Storm only; overrides the tuned settings. May be repeated.")
    Map<String, String> stormConf = new LinkedHashMap<>();

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description = "Heap of each run's JVM or, with --workers 2 or more, of each worker, for all runtimes. "
                    + "The JVMs use the parallel collector. Default: 2g, for workers 1g.")
    String heap;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "Output format: table or json. Default: ${DEFAULT-VALUE}.")
    String format;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png",
            arity = "0..1",
            fallbackValue = "updraft-bench.png",
            description = "Draw the results into a PNG file: messages/s and ratios, or messages/s and MB/s over the "
                    + "message size, with one line per transport. File name if none is given: ${FALLBACK-VALUE}.")
    Path plot;

    /** Called by picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        try {
            BenchRequest request = new RequestReader(this).read();
            return new Bench(request, spec.commandLine().getOut(), err).run();
        } catch (UsageError e) {
            err.println("updraft bench: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } finally {
            err.flush();
        }
    }

    /**
     * Creates the command line. It reports each usage error on one line.
     *
     * @return the command line of {@code updraft bench}, without the other commands of {@code updraft}
     */
    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setParameterExceptionHandler((e, args) -> {
            PrintWriter err = e.getCommandLine().getErr();
            err.println("updraft bench: " + e.getMessage());
            err.flush();
            return CommandLine.ExitCode.USAGE;
        });
    }

    /** Runs {@code updraft bench} and exits with its exit code. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
