package io.updraft.rest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Constants;
import org.apache.storm.generated.BoltAggregateStats;
import org.apache.storm.generated.BoltStats;
import org.apache.storm.generated.CommonAggregateStats;
import org.apache.storm.generated.ComponentAggregateStats;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorAggregateStats;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSpecificStats;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.SpecificAggregateStats;
import org.apache.storm.generated.SpoutAggregateStats;
import org.apache.storm.generated.SpoutStats;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologyStats;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;

/** What a Nimbus says of a topology with the spout 'words' and the bolts 'split' and 'count'. */
@SuppressWarnings("serial")
final class WordsTopology {
    static final String ID = "words-1-7";
    static final String NAME = "words";
    static final List<String> WINDOWS = List.of("600", "10800", "86400", ":all-time");

    private static final Map<String, Double> RESOURCES = Map.of(
            Constants.COMMON_ONHEAP_MEMORY_RESOURCE_NAME,
            128.0,
            Constants.COMMON_OFFHEAP_MEMORY_RESOURCE_NAME,
            64.0,
            Constants.COMMON_CPU_RESOURCE_NAME,
            10.0,
            "gpu.count",
            1.0);

    private WordsTopology() {}

    static StormTopology topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("split", new PassingBolt(), 2).shuffleGrouping("words");
        builder.setBolt("count", new PassingBolt()).fieldsGrouping("split", new Fields("word"));
        return builder.createTopology();
    }

    static TopologyInfo info() {
        GlobalStreamId words = new GlobalStreamId("words", "default");
        GlobalStreamId split = new GlobalStreamId("split", "default");
        List<ExecutorSummary> executors = List.of(
                executor(1, "words", spout()),
                executor(2, "split", bolt(words, 100, 3.0)),
                executor(3, "split", bolt(words, 300, 1.0)),
                executor(4, "count", bolt(split, 400, 0.5)),
                executor(5, "__acker", bolt(split, 400, 0.1)));
        return new TopologyInfo(ID, NAME, 3725, executors, "ACTIVE", Map.of("split", List.of(error(90), error(30))));
    }

    private static ExecutorSummary executor(int task, String component, ExecutorStats stats) {
        ExecutorSummary executor = new ExecutorSummary(new ExecutorInfo(task, task), component, "node-1", 6700, 100);
        executor.set_stats(stats);
        return executor;
    }

    private static ExecutorStats spout() {
        Map<String, Map<String, Long>> acked = windows(Map.of("default", 40L));
        SpoutStats spout = new SpoutStats(acked, windows(Map.of("default", 2L)), windows(Map.of("default", 12.5)));
        return new ExecutorStats(
                windows(Map.of("default", 50L, "__ack_init", 50L)),
                windows(Map.of("default", 50L, "__ack_init", 50L)),
                ExecutorSpecificStats.spout(spout),
                1);
    }

    private static ExecutorStats bolt(GlobalStreamId input, long executed, double millis) {
        BoltStats bolt = new BoltStats(
                windows(Map.of(input, executed)),
                windows(Map.of(input, 1L)),
                windows(Map.of(input, millis)),
                windows(Map.of(input, executed)),
                windows(Map.of(input, millis)));
        return new ExecutorStats(
                windows(Map.of("default", executed)),
                windows(Map.of("default", executed)),
                ExecutorSpecificStats.bolt(bolt),
                1);
    }

    private static <T> Map<String, T> windows(T value) {
        Map<String, T> windows = new HashMap<>();
        WINDOWS.forEach(window -> windows.put(window, value));
        return windows;
    }

    private static ErrorInfo error(int secondsAgo) {
        ErrorInfo error = new ErrorInfo(
                "failed " + secondsAgo + " s ago" + "\n\tat line".repeat(50),
                (int) (System.currentTimeMillis() / 1000) - secondsAgo);
        error.set_host("node-1");
        error.set_port(6700);
        return error;
    }

    static TopologyPageInfo page() {
        TopologyPageInfo page = new TopologyPageInfo(ID);
        page.set_name(NAME);
        page.set_uptime_secs(3725);
        page.set_status("ACTIVE");
        page.set_owner("ann");
        page.set_num_tasks(5);
        page.set_num_executors(5);
        page.set_num_workers(1);
        page.set_topology_conf("{\"topology.message.timeout.secs\":30,\"topology.name\":\"words\"}");
        page.set_requested_memonheap(640);
        page.set_requested_memoffheap(128);
        page.set_requested_generic_resources(Map.of("network.rate", 5.0, "gpu.count", 1.0, "cpu.pcore.percent", 9.0));
        page.set_workers(List.of(ClusterRecords.worker()));
        page.set_topology_stats(totals());
        page.set_id_to_spout_agg_stats(Map.of("words", stats(spoutStats(), null)));
        page.set_id_to_bolt_agg_stats(
                Map.of("split", stats(boltStats(), error(30)), "count", stats(boltStats(), null)));
        return page;
    }

    private static TopologyStats totals() {
        TopologyStats stats = new TopologyStats();
        stats.set_window_to_emitted(windows(50L));
        stats.set_window_to_transferred(windows(50L));
        stats.set_window_to_complete_latencies_ms(windows(12.5));
        stats.set_window_to_acked(Map.of("600", 40L));
        stats.set_window_to_failed(Map.of());
        return stats;
    }

    static ComponentPageInfo spoutPage() {
        ComponentPageInfo page = componentPage("words", ComponentType.SPOUT, spoutStats());
        page.set_exec_stats(List.of(executorStats(1, "words", spoutStats())));
        return page;
    }

    static ComponentPageInfo boltPage() {
        ComponentPageInfo page = componentPage("split", ComponentType.BOLT, boltStats());
        page.set_gsid_to_input_stats(Map.of(new GlobalStreamId("words", "default"), stats(boltStats(), null)));
        page.set_exec_stats(List.of(executorStats(2, "split", boltStats()), executorStats(3, "split", boltStats())));
        return page;
    }

    private static ComponentPageInfo componentPage(String id, ComponentType type, SpecificAggregateStats specific) {
        ComponentPageInfo page = new ComponentPageInfo(id, type);
        page.set_topology_name(NAME);
        page.set_topology_status("ACTIVE");
        page.set_num_executors(2);
        page.set_num_tasks(2);
        page.set_resources_map(RESOURCES);
        page.set_window_to_stats(windows(stats(specific, null)));
        page.set_sid_to_output_stats(Map.of("default", stats(specific, null)));
        page.set_errors(List.of(error(30), error(90)));
        page.set_eventlog_host("node-1");
        page.set_eventlog_port(6700);
        return page;
    }

    private static ExecutorAggregateStats executorStats(int task, String component, SpecificAggregateStats specific) {
        ExecutorAggregateStats executor = new ExecutorAggregateStats();
        executor.set_exec_summary(executor(task, component, null));
        executor.set_stats(stats(specific, null));
        return executor;
    }

    static SpecificAggregateStats spoutStats() {
        SpoutAggregateStats spout = new SpoutAggregateStats();
        spout.set_complete_latency_ms(12.34567);
        return SpecificAggregateStats.spout(spout);
    }

    static SpecificAggregateStats boltStats() {
        BoltAggregateStats bolt = new BoltAggregateStats();
        bolt.set_executed(400);
        bolt.set_execute_latency_ms(0.0484);
        bolt.set_process_latency_ms(2.1119);
        bolt.set_capacity(0.5);
        return SpecificAggregateStats.bolt(bolt);
    }

    private static ComponentAggregateStats stats(SpecificAggregateStats specific, ErrorInfo error) {
        CommonAggregateStats common = new CommonAggregateStats();
        common.set_num_executors(1);
        common.set_num_tasks(1);
        common.set_emitted(50);
        common.set_transferred(50);
        common.set_acked(40);
        common.set_failed(2);
        common.set_resources_map(RESOURCES);
        ComponentAggregateStats stats = new ComponentAggregateStats();
        stats.set_common_stats(common);
        stats.set_specific_stats(specific);
        stats.set_last_error(error);
        return stats;
    }

    static List<ProfileRequest> profilers() {
        ProfileRequest request = new ProfileRequest(new NodeInfo("node-1", Set.of(6700L)), ProfileAction.JPROFILE_STOP);
        request.set_time_stamp(System.currentTimeMillis() + 60_000);
        return List.of(request);
    }

    /** Emits what it gets. */
    static final class PassingBolt extends BaseBasicBolt {
        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            collector.emit(tuple.getValues());
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }
}
