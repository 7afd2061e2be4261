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

/**
 * {@code updraft bench}. Returns 0 when all runs were valid, 1 when a run was not, 2 when the command line makes no
 * sense.
 */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Measures messages per second, latency and CPU time, alone or beside Storm.",
        description = {
            "",
            "Runs topologies whose components do nothing, each run in a JVM or in worker processes of its own, and checks that every message "
                    + "arrived; a run where one is missing is INVALID. Without any option of the topology's shape, "
                    + "the eight results that Updraft promises are measured (--suite).",
            ""
        },
        subcommands = {AggregateCommand.class, CompatCommand.class},
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Examples:",
            "  updraft bench --vs storm --plot bench.png",
            "  updraft bench --spout 1 --bolt 1 -l 2 --messageSize 10 --ack --testTime 30 --vs storm",
            "  updraft bench --messageSize 10..10240 --ack --plot sweep.png",
            "  updraft bench --rate 100000 --vs storm",
            "  updraft bench --workers 3 --spout 3 --bolt 3 -l 1 --ackers 3 --ack --maxSpoutPending 1000 "
                    + "--messageSize 10..10000 --transport all --plot",
            "  updraft bench --workers 2 --ack --maxSpoutPending 1000 --messageSize 1k --transfer-buffer 4k..1m --plot",
            "  updraft bench --on storm-cluster --vs storm --workers 2 --ack --messageSize 100"
        })
public final class BenchCommand implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = "--suite",
            description = "Measure the eight promised results, each with its target and whether it is met. The default "
                    + "when no option of a shape is given.")
    boolean suite;

    @Option(
            names = "--topology",
            paramLabel = "NAME",
            description = "sol: spout, then levels of bolts that only forward (the default). wordcount: sentences, "
                    + "split, count with fields grouping. windowsum: sums over sliding windows of 30 numbers, every 10, one "
                    + "task each. tridentwords: Trident's word count, exactly once, in batches of 5,000 sentences. "
                    + "large: sol with 100 spouts and 5 levels of 100 bolts. Or a "
                    + "class that implements io.updraft.bench.topology.BenchTopology.")
    String topology;

    @Option(
            names = {"--spout", "--spoutParallel"},
            paramLabel = "N",
            description = "Parallelism of the spout. Default: 1.")
    Integer spouts;

    @Option(
            names = {"--bolt", "--boltParallel"},
            paramLabel = "N",
            description = "Parallelism of each level of bolts; in wordcount of the counters, with half as many "
                    + "splitters. Default: 1; wordcount and tridentwords: 4.")
    Integer bolts;

    @Option(
            names = {"-l", "--numLevels"},
            paramLabel = "N",
            description = "Levels of bolts: 1 is spout -> bolt, 2 is spout -> bolt -> bolt. Default: 1.")
    Integer levels;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Worker processes that the executors are dealt out to, one after the other. With 2 or more, "
                    + "tuples that go to another worker really cross; the report says how many did. Default: 1, all in "
                    + "one process.")
    Integer workers;

    @Option(
            names = "--on",
            paramLabel = "CLUSTER",
            description =
                    "Also measure Updraft's workers where a Supervisor of Storm's launches them, beside those that "
                            + "Updraft launches itself. Only storm-cluster, a Storm cluster on this host, with --workers 2 or more. "
                            + "With --vs storm, Storm's workers run on the same cluster.")
    String on;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description =
                    "What joins the workers (updraft.transport.local): netty, zeromq, aeron, ucx, a list of them, "
                            + "or all: one series each. Storm has its own. Default: netty.")
    String transport;

    @Option(
            names = "--transfer-buffer",
            paramLabel = "BYTES",
            description = "Bytes that are gathered before they are sent to another worker "
                    + "(storm.messaging.netty.transfer.batch.size), on both sides. A list (4k,64k) or a range with "
                    + "geometric steps (4k..1m) draws latency and CPU load over it.")
    String transferBuffer;

    @Option(
            names = {"--messageSize", "--messageSizeByte"},
            paramLabel = "BYTES",
            description = "Bytes per message. A list (10,100,1000) or a range with geometric steps (10..10240, or "
                    + "10..10240x2 for another factor than 4) is a sweep; k and m may follow a number. Default: 10.")
    String messageSize;

    @Option(
            names = {"--ack", "--ackEnabled"},
            description = "Track messages: the spout gives each an id, bolts anchor.")
    boolean ack;

    @Option(
            names = "--ackers",
            paramLabel = "N",
            description = "Acker executors (topology.acker.executors) when messages are tracked. Updraft has none and "
                    + "takes any number above 0 as \"track\". Default: 1.")
    Integer ackers;

    @Option(
            names = {"--maxSpoutPending", "--maxPending"},
            paramLabel = "N",
            description = "Messages in flight per spout task (topology.max.spout.pending), on both sides. Default: "
                    + "none for Updraft, tuned for Storm.")
    Integer maxSpoutPending;

    @Option(
            names = "--rate",
            paramLabel = "MSGS_PER_S",
            description = "Open loop: emit so many messages per second by schedule and measure each latency from the "
                    + "time the message was due, so that no omission is coordinated. Implies --ack.")
    Long rate;

    @Option(
            names = {"--testTime", "--testTimeSec"},
            paramLabel = "SEC",
            defaultValue = "10",
            description = "Length of the measured part. Default: ${DEFAULT-VALUE}.")
    int testTime;

    @Option(
            names = "--warmup",
            paramLabel = "SEC",
            defaultValue = "5",
            description = "Time from the first message to the measured part. Default: ${DEFAULT-VALUE}.")
    int warmup;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Runs per side, alternating; medians are reported. Default: ${DEFAULT-VALUE}.")
    int runs;

    @Option(
            names = {"--pollFreq", "--pollFreqSec"},
            paramLabel = "SEC",
            description = "Time between rows while running: status, tasks, time, transferred (tuples received by "
                    + "bolts), throughput over all hops as in Yahoo's storm-perf-test, acked, in flight. Slots do "
                    + "not exist here. 0 for no rows. Default: 1; in suites, in sweeps and between workers 0.")
    Integer pollFreq;

    @Option(
            names = "--vs",
            paramLabel = "RUNTIME",
            description =
                    "Run the same on another runtime and print the ratio. Only storm: Storm's LocalCluster or, with "
                            + "--workers, a Storm cluster on this host with as many workers.")
    String versus;

    @Option(
            names = "--no-tune",
            description = "Do not search for Storm's best settings first, take batches of 100 and 5000 pending.")
    boolean noTune;

    @Option(
            names = "-c",
            paramLabel = "KEY=VALUE",
            description = "A configuration value for both sides; may be repeated.")
    Map<String, String> conf = new LinkedHashMap<>();

    @Option(
            names = "--storm-conf",
            paramLabel = "KEY=VALUE",
            description = "A configuration value for Storm alone, above what tuning found; may be repeated.")
    Map<String, String> stormConf = new LinkedHashMap<>();

    @Option(
            names = "--storm-lib",
            paramLabel = "DIR",
            description = "Storm's jars. Default: bench/storm-runtime/target/lib of this build.")
    Path stormLibrary;

    @Option(
            names = "--heap",
            paramLabel = "SIZE",
            description =
                    "Heap of each run's JVM or, with --workers, of each worker's, on both sides; the collector is "
                            + "the parallel one. Default: 2g, with --workers 1g.")
    String heap;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "table",
            description = "table, csv or json. Default: ${DEFAULT-VALUE}.")
    String format;

    @Option(
            names = "--plot",
            paramLabel = "FILE.png",
            arity = "0..1",
            fallbackValue = "updraft-bench.png",
            description = "Draw the results: ratios, or messages/s and MB/s over the message size; between workers "
                    + "also CPU time and context switches, a line for each transport. Without a name: "
                    + "${FALLBACK-VALUE}.")
    Path plot;

    /** Called by picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws Exception {
        PrintWriter err = spec.commandLine().getErr();
        try {
            Request request = new RequestReader(this).read();
            return new Bench(request, spec.commandLine().getOut(), err).run();
        } catch (UsageError e) {
            err.println("updraft bench: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } finally {
            err.flush();
        }
    }

    /**
     * Makes a command line whose complaints are one line each.
     *
     * @return the command line of this command alone
     */
    static CommandLine commandLine() {
        return new CommandLine(new BenchCommand()).setParameterExceptionHandler((e, args) -> {
            PrintWriter err = e.getCommandLine().getErr();
            err.println("updraft bench: " + e.getMessage());
            err.flush();
            return CommandLine.ExitCode.USAGE;
        });
    }

    /**
     * Runs the command alone.
     *
     * @param args its options
     */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }
}
