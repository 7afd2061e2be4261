package io.updraft.rest;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.ClusterSummary;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.NimbusSummary;
import org.apache.storm.generated.OwnerResourceSummary;
import org.apache.storm.generated.SupervisorPageInfo;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologyHistoryInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.generated.WorkerSummary;

/** What a Nimbus says of a cluster with two supervisors that runs {@link WordsTopology}. */
final class ClusterRecords {
    static final Map<String, Object> CONF = Map.of(
            "scheduler.display.resource",
            true,
            "logviewer.port",
            8000,
            "nimbus.seeds",
            List.of("nimbus-1", "nimbus-2", "localhost"),
            "nimbus.thrift.port",
            6627,
            "ui.disable.spout.lag.monitoring",
            false,
            "worker.profiler.enabled",
            true);

    private ClusterRecords() {}

    /** {@return a Nimbus that answers every call of the API} */
    static RecordedNimbus nimbus() {
        return new RecordedNimbus()
                .with(
                        "getNimbusConf",
                        "{\"topology.tick.tuple.freq.secs\":null,\"storm.zookeeper.session.timeout\":20000,"
                                + "\"nimbus.monitor.freq.secs\":10}")
                .with("getClusterInfo", cluster())
                .with("getTopologySummaries", cluster().get_topologies())
                .with("getTopologyHistory", new TopologyHistoryInfo(List.of(WordsTopology.ID)))
                .with("getOwnerResourceSummaries", List.of(owner()))
                .with("getSupervisorPageInfo", supervisors())
                .with("getTopologyPageInfo", WordsTopology.page())
                .with("getTopologyInfo", WordsTopology.info())
                .with("getTopologyInfoWithOpts", WordsTopology.info())
                .with("getTopology", WordsTopology.topology())
                .with("getComponentPageInfo", WordsTopology.boltPage())
                .with("getComponentPendingProfileActions", WordsTopology.profilers())
                .with("getLogConfig", logConfig());
    }

    private static ClusterSummary cluster() {
        return new ClusterSummary(
                List.of(supervisor("a", "node-1", 3), supervisor("b", "node-2", 0)),
                List.of(topology()),
                List.of(new NimbusSummary("nimbus-1", 6627, 213, true, "2.8.3")));
    }

    private static SupervisorSummary supervisor(String id, String host, int used) {
        SupervisorSummary supervisor = new SupervisorSummary(host, 90061, 4, used, id);
        supervisor.set_total_resources(Map.of("memory.mb", 4096.0, "cpu.pcore.percent", 400.0, "gpu.count", 2.0));
        supervisor.set_used_mem(used * 1024);
        supervisor.set_used_cpu(used * 100);
        supervisor.set_used_generic_resources(Map.of("gpu.count", used / 3.0));
        supervisor.set_version("2.8.3");
        return supervisor;
    }

    private static TopologySummary topology() {
        TopologySummary topology = new TopologySummary(WordsTopology.ID, WordsTopology.NAME, 5, 4, 1, 3725, "ACTIVE");
        topology.set_owner("ann");
        topology.set_replication_count(1);
        topology.set_requested_memonheap(640);
        topology.set_requested_memoffheap(128);
        topology.set_assigned_memonheap(700);
        return topology;
    }

    static WorkerSummary worker() {
        WorkerSummary worker = new WorkerSummary();
        worker.set_supervisor_id("a");
        worker.set_host("node-1");
        worker.set_port(6700);
        worker.set_topology_id(WordsTopology.ID);
        worker.set_topology_name(WordsTopology.NAME);
        worker.set_num_executors(4);
        worker.set_component_to_num_tasks(Map.of("words", 1L, "split", 2L));
        worker.set_uptime_secs(167);
        return worker;
    }

    private static OwnerResourceSummary owner() {
        OwnerResourceSummary owner = new OwnerResourceSummary("ann");
        owner.set_total_topologies(1);
        owner.set_cpu_guarantee(100);
        return owner;
    }

    private static SupervisorPageInfo supervisors() {
        SupervisorPageInfo page = new SupervisorPageInfo();
        page.set_supervisor_summaries(List.of(supervisor("a", "node-1", 3)));
        page.set_worker_summaries(List.of(worker()));
        return page;
    }

    private static LogConfig logConfig() {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level("DEBUG");
        level.set_reset_log_level("INFO");
        level.set_reset_log_level_timeout_secs(60);
        level.set_reset_log_level_timeout_epoch(1_700_000_000_000L);
        LogConfig config = new LogConfig();
        config.put_to_named_logger_level("org.acme", level);
        return config;
    }
}
