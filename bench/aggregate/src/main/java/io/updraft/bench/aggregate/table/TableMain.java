package io.updraft.bench.aggregate.table;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.peer.PeerUsage;
import io.updraft.bench.spec.ChildReport;
import io.updraft.storm.UpdraftCluster;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.storm.Config;

/** The child JVM: reads a {@link TableSpec}, runs it once, reports the result, and ends. */
public final class TableMain {

    private static final long START_MILLIS = 60_000;
    private static final long DRAIN_MILLIS = 120_000;
    private static final long LOOK_MILLIS = 20;

    private final TableSpec spec;

    private TableMain(TableSpec spec) {
        this.spec = spec;
    }

    /**
     * Runs the child.
     *
     * @throws Exception when the topology cannot run; the JVM then ends with a stack trace in its log
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        TableSpec spec = Json.read(in.readLine(), TableSpec.class);
        boolean alone = spec.runtime() == TableSpec.Runtime.ALONE;
        ChildReport.print(out, "result", alone ? new TableAlone(spec).run() : new TableMain(spec).run());
        Runtime.getRuntime().halt(0);
    }

    @SuppressWarnings("resource") // ends with the JVM
    private Map<String, Object> run() throws Exception {
        TableState.sums = new AtomicLongArray(spec.measures());
        UpdraftCluster local = new UpdraftCluster();
        local.submitTopology("table", conf(), TableTopology.of(spec));
        await(START_MILLIS, () -> TableState.emitted > 0);
        Thread.sleep(spec.warmupMillis());
        long from = TableState.emitted;
        PeerUsage before = PeerUsage.now();
        long began = System.nanoTime();
        Thread.sleep(spec.testMillis());
        long records = TableState.emitted - from;
        double seconds = (System.nanoTime() - began) / 1e9;
        PeerUsage after = PeerUsage.now();
        return result(records, seconds, after.cpuNanos() - before.cpuNanos());
    }

    private static Map<String, Object> conf() {
        return Map.of(Config.TOPOLOGY_ACKER_EXECUTORS, 0, Config.TOPOLOGY_WORKERS, 1);
    }

    private Map<String, Object> result(long records, double seconds, long cpuNanos) throws InterruptedException {
        TableState.emitting = false;
        await(DRAIN_MILLIS, () -> TableState.stopped && TableState.COUNTED.get() >= TableState.emitted);
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("recordsPerSecond", records / seconds);
        result.put("cpuPerMillion", cpuNanos / 1e3 / records);
        result.put("groups", TableState.GROUPS.get());
        result.put("problems", problems());
        return result;
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        long emitted = TableState.emitted;
        if (TableState.COUNTED.get() != emitted) {
            problems.add(TableState.COUNTED.get() + " of " + emitted + " records are counted in results");
        }
        TableRecords records = new TableRecords(spec);
        records.prepare();
        for (int m = 0; m < spec.measures(); m++) {
            if (TableState.sums.get(m) != records.sum(emitted, m)) {
                problems.add("the sum of measure " + m + " is " + TableState.sums.get(m) + ", not "
                        + records.sum(emitted, m));
            }
        }
        return problems;
    }

    private static void await(long limit, java.util.function.BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit * 1_000_000;
        while (!condition.getAsBoolean() && System.nanoTime() - deadline < 0) {
            Thread.sleep(LOOK_MILLIS);
        }
    }
}
