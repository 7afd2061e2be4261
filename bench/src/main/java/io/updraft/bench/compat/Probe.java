package io.updraft.bench.compat;

import io.updraft.base.text.OneLine;
import io.updraft.base.thread.DaemonThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * A Java agent that observes the topologies of its JVM through the Nimbus interface. It works the same way on Storm's {@code
 * LocalCluster} and on Updraft, and does not change the observed program. Once a second it writes its counts to the file named
 * by its argument; {@link BehaviourObservation} reads the file. The agent depends only on storm-client and the JDK, because Storm's side
 * has nothing else.
 */
public final class Probe implements Runnable {
    private static final long INTERVAL_MILLIS = 1000;
    private static final String ALL_TIME = ":all-time";

    private final Path file;
    private final Map<String, List<String>> seen = new LinkedHashMap<>();

    private Probe(Path file) {
        this.file = file;
    }

    /**
     * Starts the probe. The JVM calls this before the program's {@code main}.
     *
     * @param argument the path of the file to write
     */
    public static void premain(String argument) {
        DaemonThreads.start("compat-probe", new Probe(Path.of(argument)));
    }

    @Override
    public void run() {
        String complaint = "";
        while (true) {
            try {
                Thread.sleep(INTERVAL_MILLIS);
                if (NimbusClient.isLocalOverride()) {
                    look();
                    write();
                }
                complaint = "";
            } catch (InterruptedException e) {
                return;
            } catch (Exception | LinkageError e) { // a starting or ending cluster may throw anything; the probe retries
                if (!complaint.equals(e.toString())) {
                    complaint = e.toString();
                    System.err.println("compat-probe: " + complaint);
                }
            }
        }
    }

    private void look() throws Exception {
        try (NimbusClient client =
                NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            Nimbus.Iface nimbus = client.getClient();
            for (TopologySummary summary : nimbus.getTopologySummaries()) {
                GetInfoOptions options = new GetInfoOptions();
                options.set_num_err_choice(NumErrorsChoice.ALL);
                TopologyInfo info = nimbus.getTopologyInfoWithOpts(summary.get_id(), options);
                seen.put(summary.get_id(), new Lines(info).all());
            }
        }
    }

    private void write() throws IOException {
        Path next = file.resolveSibling(file.getFileName() + ".next");
        Files.write(next, seen.values().stream().flatMap(List::stream).toList());
        Files.move(next, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Converts one topology's counts to lines of tab-separated words: kind, name and count. */
    private static final class Lines {
        private final TopologyInfo info;
        private final Map<String, Long> counts = new TreeMap<>();

        Lines(TopologyInfo info) {
            this.info = info;
        }

        List<String> all() {
            add("topology\t" + info.get_name(), 1);
            info.get_executors().forEach(this::add);
            info.get_errors()
                    .forEach((component, errors) ->
                            errors.forEach(error -> add("error\t" + component + "\t" + firstLine(error), 1)));
            return counts.entrySet().stream()
                    .map(count -> count.getKey() + "\t" + count.getValue())
                    .toList();
        }

        private void add(ExecutorSummary executor) {
            String component = executor.get_component_id();
            add("executors\t" + component, 1);
            add(
                    "tasks\t" + component,
                    executor.get_executor_info().get_task_end()
                            - executor.get_executor_info().get_task_start()
                            + 1);
            if (executor.is_set_stats()) {
                executor.get_stats()
                        .get_emitted()
                        .getOrDefault(ALL_TIME, Map.of())
                        .forEach((stream, n) -> add("emitted\t" + component + "\t" + stream, n));
                addOwn(component, executor);
            }
        }

        private void addOwn(String component, ExecutorSummary executor) {
            if (executor.get_stats().get_specific().is_set_bolt()) {
                executor.get_stats()
                        .get_specific()
                        .get_bolt()
                        .get_executed()
                        .getOrDefault(ALL_TIME, Map.of())
                        .forEach((from, n) -> add(
                                "executed\t" + component + "\t" + from.get_componentId() + ":" + from.get_streamId(),
                                n));
            } else if (executor.get_stats().get_specific().is_set_spout()) {
                var spout = executor.get_stats().get_specific().get_spout();
                spout.get_acked()
                        .getOrDefault(ALL_TIME, Map.of())
                        .forEach((stream, n) -> add("acked\t" + component + "\t" + stream, n));
                spout.get_failed()
                        .getOrDefault(ALL_TIME, Map.of())
                        .forEach((stream, n) -> add("failed\t" + component + "\t" + stream, n));
            }
        }

        private void add(String what, long n) {
            counts.merge(what, n, Long::sum);
        }

        private static String firstLine(ErrorInfo error) {
            return OneLine.first(error.get_error()).replace('\t', ' ');
        }
    }
}
