package io.updraft.examples.wordcount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.NimbusClient;

/**
 * Counts the words of files, directories or standard input, and ends when all are counted.
 *
 * <p>Storm has no end of input, so the program makes its own. A reader sends an end marker to the counters when all its lines
 * are acked. Each counter then writes its part of the result to a file. {@code main} waits for the parts, kills the topology
 * and prints the result. If the topology runs in other processes, they must have access to the directory of the result's file.
 */
public final class WordCount {
    static final String LINES = "lines";
    static final String SPLIT = "split";
    static final String COUNT = "count";

    private static final long POLL_MILLIS = 20;
    private static final long LIVENESS_MILLIS = 200;
    private static final long GRACE_MILLIS = 5_000;

    private final Map<String, Object> stormConf = ConfigUtils.readStormConfig();
    private final WordCountArguments arguments;
    private final PartDirectory parts;

    private WordCount(WordCountArguments arguments, PartDirectory parts) {
        this.arguments = arguments;
        this.parts = parts;
    }

    /**
     * Runs the program.
     *
     * @param args see {@code --help}
     * @throws Exception when the topology cannot be submitted or the result cannot be written
     */
    public static void main(String[] args) throws Exception {
        if (List.of(args).contains("--help")) {
            System.out.println(WordCountArguments.USAGE);
            System.exit(0);
        }
        WordCountArguments arguments = null;
        List<String> inputs = null;
        try {
            arguments = WordCountArguments.parse(args);
            inputs = InputFiles.resolve(arguments.inputs(), arguments.out());
            require(arguments.out(), inputs);
        } catch (IllegalArgumentException | IOException e) {
            System.err.println("wordcount: " + e.getMessage());
            System.exit(2);
        }
        run(arguments, inputs);
    }

    private static void require(Path out, List<String> inputs) throws IOException {
        Path directory = out.toAbsolutePath().normalize().getParent();
        if (directory == null || !Files.isWritable(directory) || Files.isDirectory(out)) {
            throw new IOException("--out " + out + " cannot be written; name a file in a writable directory");
        }
        if (inputs.contains(InputFiles.STANDARD_INPUT) && !NimbusClient.isLocalOverride()) {
            throw new IOException("standard input can be read only if the topology runs in this process; name files");
        }
    }

    private static void run(WordCountArguments arguments, List<String> inputs) throws Exception {
        PartDirectory parts = PartDirectory.createBeside(arguments.out());
        try {
            new WordCount(arguments, parts).countAndReport(inputs);
        } finally {
            parts.delete();
        }
    }

    /** {@return the topology; its counters write their parts into the directory {@code parts}} */
    static StormTopology topology(WordCountArguments arguments, List<String> inputs, Path parts) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(LINES, new LineSpout(inputs), arguments.readers());
        builder.setBolt(SPLIT, new LineSplitBolt(), arguments.splitters()).shuffleGrouping(LINES);
        builder.setBolt(COUNT, new WordCountBolt(parts.toString(), LINES), arguments.counters())
                .fieldsGrouping(SPLIT, new Fields("word"))
                .allGrouping(LINES, LineSpout.END);
        return builder.createTopology();
    }

    private void countAndReport(List<String> inputs) throws Exception {
        StormSubmitter.submitTopology(arguments.name(), new Config(), topology(arguments, inputs, parts.directory()));
        boolean complete = awaitParts();
        if (complete ? !arguments.keep() : parts.anyLost()) {
            kill();
        }
        if (!complete) {
            awaitRemains();
        }
        report(complete);
    }

    /**
     * {@return whether every counter has written its complete part; false if the topology stopped before, or a counter
     * restarted}
     */
    private boolean awaitParts() throws Exception {
        long checkAt = System.nanoTime();
        while (parts.complete() < arguments.counters()) {
            if (parts.anyLost()) {
                return false;
            }
            if (System.nanoTime() - checkAt >= 0) {
                if (!isAlive()) {
                    return parts.complete() == arguments.counters();
                }
                checkAt = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LIVENESS_MILLIS);
            }
            Thread.sleep(POLL_MILLIS);
        }
        return true;
    }

    private boolean isAlive() throws Exception {
        try {
            NimbusClient.withConfiguredClient(client -> client.getTopologySummaryByName(arguments.name()), stormConf);
            return true;
        } catch (NotAliveException e) {
            return false;
        }
    }

    private void kill() throws Exception {
        KillOptions now = new KillOptions();
        now.set_wait_secs(0);
        try {
            NimbusClient.withConfiguredClient(client -> client.killTopologyWithOpts(arguments.name(), now), stormConf);
        } catch (NotAliveException e) {
            // The topology has already ended.
        }
    }

    /** Waits at most 5 seconds for the parts that the counters of a stopped topology write in {@code cleanup}. */
    private void awaitRemains() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GRACE_MILLIS);
        while (parts.written() < arguments.counters() && System.nanoTime() - deadline < 0) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    private void report(boolean complete) throws IOException {
        WordCountReport report = new WordCountReport(parts.counts());
        Path out = complete ? arguments.out() : Path.of(arguments.out() + ".partial");
        report.write(out);
        if (!complete) {
            System.out.println(
                    parts.anyLost()
                            ? "PARTIAL RESULT: a counter restarted after an error and lost its counts"
                            : "PARTIAL RESULT: the topology was stopped before the input was counted");
        }
        System.out.println("The most frequent words:");
        report.print(System.out, arguments.top());
        System.out.println(report.totals() + (complete ? "" : " so far") + "; all counts: " + out);
    }
}
