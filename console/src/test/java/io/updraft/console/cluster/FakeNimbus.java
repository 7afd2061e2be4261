package io.updraft.console.cluster;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.topology.TopologyBuilder;

/**
 * Nimbus of a cluster with stock workers and one topology: the spout "lines" in a:6700, and two executors of the bolt "split" in
 * a:6700 and b:6701. Each has run for 1,000 s.
 */
final class FakeNimbus implements InvocationHandler, NimbusOpener {
    static final String ID = "words-1-1";
    static final int UPTIME = 1_000;
    private static final GlobalStreamId LINES = new GlobalStreamId("lines", "default");

    /** Each call: its name and arguments. */
    final List<List<Object>> calls = new CopyOnWriteArrayList<>();

    final AtomicInteger connections = new AtomicInteger();

    /** The port of the leader. */
    volatile int leader = 6627;

    /** Is thrown by all calls, if it is set. */
    volatile TException failure;

    /** The name of a call at which Nimbus has an internal error. */
    volatile String failing;

    /** The number of topologies besides "words". */
    volatile int others;

    /** How long each call takes. */
    volatile long millis;

    /** Of four slots. */
    volatile int usedSlots = 4;

    /** Holds up all calls until it is counted down, if it is set. */
    volatile CountDownLatch hanging;

    /** Tuples that each executor has emitted, executed and acked since its start. */
    volatile long count = 1_000;

    /** Tuples that each executor of "split" has executed in the last ten minutes. */
    volatile long tenMinutes = 600;

    volatile String version = "2.8.3";

    /** The errors of "split" that the cluster keeps, the newest first. */
    volatile List<ErrorInfo> errors =
            List.of(error("java.lang.RuntimeException: no\n\tat a.B.c(B.java:1)", 1_700_000_000));

    @Override
    public Connection open() {
        connections.incrementAndGet();
        Object iface = Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, this);
        return new Connection((Nimbus.Iface) iface, "nimbus:" + leader, () -> {});
    }

    @Override
    public String address() {
        return "nimbus:6627";
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        CountDownLatch holding = hanging;
        if (holding != null) {
            holding.await();
        }
        Thread.sleep(millis);
        if (method.getName().equals(failing)) {
            throw new TApplicationException(
                    TApplicationException.INTERNAL_ERROR, "Internal error processing " + failing);
        }
        if (failure != null) {
            throw failure;
        }
        List<Object> call = new ArrayList<>();
        call.add(method.getName());
        call.addAll(arguments == null ? List.of() : List.of(arguments));
        calls.add(call);
        return switch (method.getName()) {
            case "getClusterInfo" -> cluster();
            case "getTopologyPageInfo" -> page((String) arguments[0]);
            case "getTopologyInfoWithOpts" ->
                info((String) arguments[0], ((GetInfoOptions) arguments[1]).get_num_err_choice());
            case "getComponentPageInfo" -> component((String) arguments[1]);
            case "getUserTopology" -> new TopologyBuilder().createTopology();
            default -> null;
        };
    }

    private ClusterSummary cluster() {
        TopologySummary topology = new TopologySummary(ID, "words", 5, 3, 2, UPTIME, "ACTIVE");
        topology.set_storm_version(version);
        SupervisorSummary supervisor = new SupervisorSummary("a", UPTIME, 4, usedSlots, "supervisor-a");
        supervisor.set_total_resources(Map.of("memory.mb", 4096.0, "cpu.pcore.percent", 400.0));
        List<TopologySummary> topologies = new ArrayList<>(List.of(topology));
        for (int i = 0; i < others; i++) {
            topologies.add(new TopologySummary("other-" + i + "-1-1", "other-" + i, 5, 3, 2, UPTIME, "ACTIVE"));
        }
        return new ClusterSummary(
                List.of(supervisor), topologies, List.of(new NimbusSummary("nimbus", leader, UPTIME, true, "2.8.3")));
    }

    TopologyReading reading(long nanos) {
        return new TopologyReading(0, nanos, page(ID), info(ID, NumErrorsChoice.ONE));
    }

    private static TopologyPageInfo page(String id) {
        TopologyPageInfo page = new TopologyPageInfo(id);
        page.set_name("words");
        page.set_topology_conf("{\"topology.workers\":3,\"executor.metrics.frequency.secs\":60}");
        page.set_sched_status("Not enough slots");
        page.set_workers(List.of(worker("a", 6700, 500), worker("b", 6701, 0)));
        return page;
    }

    private static WorkerSummary worker(String host, int port, int uptime) {
        WorkerSummary worker = new WorkerSummary();
        worker.set_host(host);
        worker.set_port(port);
        worker.set_uptime_secs(uptime);
        worker.set_component_to_num_tasks(new HashMap<>(Map.of("split", 2L, "__acker", 1L)));
        return worker;
    }

    private TopologyInfo info(String id, NumErrorsChoice choice) {
        List<ExecutorSummary> executors = new ArrayList<>();
        executors.add(executor("lines", 1, 1, "a", 6700, spout()));
        executors.add(executor("split", 2, 3, "a", 6700, bolt(0.25)));
        executors.add(executor("split", 4, 5, "b", 6701, bolt(0.95)));
        executors.add(executor("__acker", 6, 6, "a", 6700, bolt(9)));
        return new TopologyInfo(
                id,
                "words",
                UPTIME,
                executors,
                "ACTIVE",
                Map.of(
                        "split",
                        choice == NumErrorsChoice.ALL ? errors : errors.subList(0, Math.min(1, errors.size()))));
    }

    static ErrorInfo error(String text, long epochSeconds) {
        ErrorInfo error = new ErrorInfo(text, (int) epochSeconds);
        error.set_host("b");
        error.set_port(6701);
        return error;
    }

    private static ExecutorSummary executor(
            String component, int first, int last, String host, int port, ExecutorStats stats) {
        ExecutorSummary executor = new ExecutorSummary(new ExecutorInfo(first, last), component, host, port, UPTIME);
        executor.set_stats(stats);
        return executor;
    }

    private ExecutorStats spout() {
        SpoutStats spout = new SpoutStats(
                windows("default", count, 600), windows("default", 0, 0), Map.of("600", Map.of("default", 20.0)));
        return new ExecutorStats(
                windows("default", count, 600), windows("default", count, 600), ExecutorSpecificStats.spout(spout), 1);
    }

    /** Returns statistics with 600 tuples in ten minutes, whose execution took a share of this time. */
    private ExecutorStats bolt(double share) {
        BoltStats bolt = new BoltStats(
                windows(LINES, count, 600),
                windows(LINES, 0, 0),
                Map.of("600", Map.of(LINES, 1.0)),
                windows(LINES, count, tenMinutes),
                Map.of("600", Map.of(LINES, share * 1_000)));
        return new ExecutorStats(
                windows("__metrics", count, 600),
                windows("__metrics", count, 600),
                ExecutorSpecificStats.bolt(bolt),
                1);
    }

    private static <K> Map<String, Map<K, Long>> windows(K stream, long allTime, long tenMinutes) {
        return Map.of(":all-time", Map.of(stream, allTime), "600", Map.of(stream, tenMinutes));
    }

    private ComponentPageInfo component(String id) {
        ComponentPageInfo page = new ComponentPageInfo(id, ComponentType.BOLT);
        page.set_topology_name("words");
        page.set_errors(errors);
        return page;
    }
}
