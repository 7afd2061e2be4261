package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.Utils;

/** A cluster for experiments, for the scripts in {@code examples/storm-cluster}. */
public final class ClusterMain {
    private static final int SUPERVISORS = 2;
    private static final String ALL_TIME = ":all-time";

    private ClusterMain() {}

    /**
     * Runs the command of a script; a failure is one line on standard error.
     *
     * @param args {@code up FILE ARCHIVE}, {@code show FILE} or {@code kill FILE TOPOLOGY}; the file stores the cluster's
     *     directory and port
     */
    public static void main(String[] args) {
        try {
            run(args);
        } catch (Exception e) {
            die(args[0] + ": "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static void run(String[] args) throws Exception {
        Path file = Path.of(args[1]);
        switch (args[0]) {
            case "up" -> up(file, Path.of(args[2]));
            case "show" -> show(topologies(file));
            case "kill" -> kill(topologies(file), args[2]);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void die(String why) {
        System.err.println(why);
        System.exit(1);
    }

    // ---- up --------------------------------------------------------------------------------------------------

    private static void up(Path file, Path archive) throws Exception {
        System.out.println("starting ZooKeeper, Nimbus and " + SUPERVISORS + " Supervisors; this takes some 10 s");
        StormCluster cluster =
                StormCluster.builder().supervisors(SUPERVISORS).updraft(archive).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(cluster, file)));
        Files.writeString(file, cluster.home() + "\n" + cluster.nimbusPort() + "\n");
        System.out.println(String.join(
                "\n",
                "The cluster runs in " + cluster.home() + ". Ctrl-C stops everything.",
                "In a second terminal, word count by Storm's own client, first in Updraft's workers, then in Storm's:",
                "",
                submission("updraft", true),
                submission("stock", false),
                "  cmp updraft.txt stock.txt && examples/storm-cluster/show",
                "  examples/storm-cluster/kill updraft; examples/storm-cluster/kill stock",
                ""));
        Thread.currentThread().join();
    }

    private static String submission(String name, boolean updraft) {
        return "  examples/storm-cluster/submit -c topology.workers=2 -c topology.updraft.enabled=" + updraft
                + " examples/wordcount/target/updraft-example-wordcount-*.jar"
                + " io.updraft.examples.wordcount.WordCount --keep --name " + name + " --out " + name + ".txt";
    }

    private static void stop(StormCluster cluster, Path file) {
        System.out.println("stopping the cluster");
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            cluster.close();
        }
        System.out.println("the cluster is stopped");
    }

    // ---- the others ------------------------------------------------------------------------------------------

    private static Topologies topologies(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put(Config.NIMBUS_THRIFT_PORT, Integer.parseInt(lines.get(1)));
        return new Topologies(conf, new Mark(Path.of(lines.get(0))));
    }

    private static void kill(Topologies topologies, String name) {
        if (topologies.isUnknown(name)) {
            die("there is no topology '" + name + "'");
        }
        if (!topologies.kill(name, 0)) {
            die("Nimbus does not answer");
        }
    }

    private static void show(Topologies topologies) throws Exception {
        List<TopologySummary> all =
                topologies.call(nimbus -> nimbus.getClusterInfo().get_topologies());
        if (all.isEmpty()) {
            System.out.println("no topology is running");
        }
        for (TopologySummary topology : all) {
            String name = topology.get_name();
            System.out.println(name + ", " + topology.get_status().toLowerCase(Locale.ROOT) + ", for "
                    + topology.get_uptime_secs() + " s");
            for (WorkerProcess worker : topologies.workers(name)) {
                System.out.println("  worker on port " + worker.port() + ", pid "
                        + worker.process().pid() + ": " + worker.mainClass());
            }
            topologies.info(name).ifPresent(info -> table(info).forEach(line -> System.out.println("  " + line)));
        }
    }

    /** Returns one line for each component, with Nimbus' counts. */
    static List<String> table(TopologyInfo info) {
        Map<String, long[]> rows = new TreeMap<>();
        for (ExecutorSummary executor : info.get_executors()) {
            long[] row = rows.computeIfAbsent(executor.get_component_id(), id -> new long[6]);
            row[0]++;
            if (executor.is_set_stats()) {
                add(row, executor.get_stats());
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(line("component", "executors", "emitted", "transferred", "executed", "acked", "failed"));
        rows.forEach((component, row) -> {
            List<Object> cells = new ArrayList<>(List.of(component));
            Arrays.stream(row).forEach(cells::add);
            lines.add(line(cells.toArray()));
        });
        return lines;
    }

    private static String line(Object... cells) {
        return String.format(Locale.ROOT, "%-20s %9s %12s %12s %12s %12s %8s", cells);
    }

    private static void add(long[] row, ExecutorStats stats) {
        row[1] += sum(stats.get_emitted());
        row[2] += sum(stats.get_transferred());
        if (stats.get_specific().is_set_bolt()) {
            row[3] += sum(stats.get_specific().get_bolt().get_executed());
            row[4] += sum(stats.get_specific().get_bolt().get_acked());
            row[5] += sum(stats.get_specific().get_bolt().get_failed());
        } else {
            row[4] += sum(stats.get_specific().get_spout().get_acked());
            row[5] += sum(stats.get_specific().get_spout().get_failed());
        }
    }

    private static <K> long sum(Map<String, Map<K, Long>> counts) {
        return counts.getOrDefault(ALL_TIME, Map.of()).entrySet().stream()
                .filter(each -> !each.getKey().toString().contains("__"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }
}
