package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.storm.LocalNimbus;
import io.updraft.storm.UpdraftCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.storm.Config;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API over the Nimbus of an embedded cluster with a running topology. */
@Tag("one-jdk")
class EmbeddedClusterRestTest {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(50);

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    private final StormRestApi api =
            new StormRestApi(NimbusSource.of(LocalNimbus.of(cluster)), cluster.getDaemonConf());
    private String topology;

    @TempDir
    private Path artifacts;

    @BeforeEach
    void submit() throws Exception {
        Config conf = new Config();
        conf.put(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, 1);
        conf.put(Config.STORM_WORKERS_ARTIFACTS_DIR, artifacts.toString());
        cluster.submitTopology("words", conf, WordsTopology.topology());
        String id = RestTesting.at(RestTesting.ask(api, "topology/summary"), "topologies/id")
                .get(0)
                .toString();
        topology = "topology/" + id;
        await(
                topology,
                page -> RestTesting.at(page, "bolts/executed").stream()
                        .allMatch(count -> ((Number) count).longValue() > 0));
    }

    @Test
    void shouldDescribeTheClusterAndTheTopology() {
        assertThat(RestTesting.ask(api, "cluster/summary"))
                .containsEntry("topologies", 1)
                .containsEntry("supervisors", 1)
                .containsEntry("slotsUsed", 1)
                .containsEntry("totalMem", 4096.0)
                .containsEntry("totalCpu", 400.0);
        assertThat(RestTesting.at(RestTesting.ask(api, "topology/summary"), "topologies/replicationCount"))
                .containsExactly(1);
        assertThat(RestTesting.ask(api, "cluster/configuration")).containsKey(Config.NIMBUS_THRIFT_PORT);
        assertThat(RestTesting.at(RestTesting.ask(api, "nimbus/summary"), "nimbuses/status"))
                .containsExactly("Leader");
        String host = RestTesting.at(RestTesting.ask(api, "supervisor/summary"), "supervisors/host")
                .get(0)
                .toString();
        assertThat(RestTesting.at(RestTesting.ask(api, "supervisor?host=" + host), "workers/topologyName"))
                .containsOnly("words");
        assertThat(RestTesting.at(RestTesting.ask(api, "owner-resources"), "owners/totalTopologies"))
                .containsExactly(1);
        assertThat(RestTesting.at(RestTesting.ask(api, "history/summary"), "topo-history"))
                .containsExactly(topology.substring("topology/".length()));
        assertThat(RestTesting.ask(api, topology.replace("topology/", "topology-workers/"))
                        .get("hostPortList"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(1);
        assertThat(RestTesting.ask(api, topology + "/lag")).isEmpty();
        assertThat(RestTesting.at(RestTesting.ask(api, topology + "/get-errors"), "topologyErrors"))
                .isEmpty();
    }

    @Test
    void shouldShowTheComponents() {
        Map<String, Object> page = RestTesting.ask(api, topology + "?window=600");
        assertThat(page).containsEntry("status", "ACTIVE").containsEntry("windowHint", "10m 0s");
        assertThat(page).containsEntry("replicationCount", 1).containsEntry("msgTimeout", 30);
        assertThat(RestTesting.at(page, "spouts/spoutId")).containsExactly("words");
        assertThat(RestTesting.at(page, "bolts/boltId")).containsExactly("count", "split");

        Map<String, Object> split = RestTesting.ask(api, topology + "/component/split");
        assertThat(split).containsEntry("componentType", "bolt").containsEntry("executors", 2);
        assertThat(RestTesting.at(split, "inputStats/component")).containsExactly("words");
        assertThat(RestTesting.at(split, "executorStats/id")).hasSize(2);
        Map<String, Object> words = RestTesting.ask(api, topology + "/component/words?window=600&sys=1");
        assertThat(RestTesting.at(words, "spoutSummary/window")).isEqualTo(WordsTopology.WINDOWS);

        Map<String, Object> metrics = RestTesting.ask(api, topology + "/metrics");
        assertThat((int) RestTesting.at(metrics, "bolts/executed/value").get(0)).isPositive();
    }

    @Test
    void shouldCountNothingInAWindowThatStormDoesNotKeep() {
        Map<String, Object> page = RestTesting.ask(api, topology + "?window=60");
        assertThat(page).containsEntry("window", "60").containsEntry("windowHint", "1m 0s");
        assertThat(RestTesting.at(page, "bolts/executed")).containsExactly(0, 0);
        assertThat(RestTesting.at(page, "spouts/emitted")).containsExactly(0);
        assertThat(RestTesting.at(page, "topologyStats/window")).isEqualTo(WordsTopology.WINDOWS);

        Map<String, Object> split = RestTesting.ask(api, topology + "/component/split?window=60");
        assertThat(RestTesting.at(split, "inputStats")).isEmpty();
        assertThat(RestTesting.at(split, "executorStats/executed")).containsExactly(0, 0);
        assertThat((int) RestTesting.at(split, "boltStats/executed").get(0)).isPositive();
    }

    @Test
    void shouldDrawTheRunningTopology() {
        Map<String, Object> graph = RestTesting.ask(api, topology + "/visualization");

        assertThat(graph).containsOnlyKeys("words", "split", "count");
        assertThat(RestTesting.at(RestTesting.member(graph, "count"), ":inputs/:grouping"))
                .containsExactly("fields");
        assertThat(RestTesting.at(RestTesting.member(graph, "count"), ":stats/:transferred/:all-time"))
                .isNotEmpty();
        assertThat(RestTesting.ask(api, topology + "/visualization-init"))
                .containsEntry(
                        "visualizationTable",
                        List.of(List.of(Map.of("stream", "default", "sani-stream", "default", "checked", true))));
    }

    @Test
    void shouldControlTheTopology() throws Exception {
        RestTesting.ask(api, "POST " + topology + "/deactivate");
        assertThat(RestTesting.ask(api, topology)).containsEntry("status", "INACTIVE");
        RestTesting.ask(api, "POST " + topology + "/activate");
        assertThat(RestTesting.ask(api, topology)).containsEntry("status", "ACTIVE");

        RestTesting.ask(
                api, "POST " + topology + "/rebalance/0", "{\"rebalanceOptions\":{\"executors\":{\"split\":1}}}");
        assertThat(RestTesting.ask(api, topology + "/component/split")).containsEntry("executors", 1);

        RestTesting.ask(api, "POST " + topology + "/kill/0");
        RestAnswer gone = api.answer(RestTesting.request(topology, ""));
        assertThat(gone.status()).as(gone.body()).isEqualTo(500);
    }

    @Test
    void shouldSetLogLevelsAndDebug() {
        RestTesting.ask(
                api,
                "POST " + topology + "/logconfig",
                "{\"namedLoggerLevels\":{\"io.updraft.rest.test\":{\"target_level\":\"WARN\",\"timeout\":60}}}");
        Map<String, Object> levels =
                RestTesting.member(RestTesting.ask(api, topology + "/logconfig"), "namedLoggerLevels");
        assertThat(RestTesting.member(levels, "io.updraft.rest.test"))
                .containsEntry("target_level", "WARN")
                .containsEntry("timeout", 60);

        assertThat(RestTesting.ask(api, "POST " + topology + "/debug/enable/50"))
                .containsEntry("status", "success");
        assertThat(RestTesting.ask(api, topology)).containsEntry("debug", true).containsEntry("samplingPct", 50.0);
        assertThat(RestTesting.ask(api, topology + "/component/split")).containsEntry("debug", false);

        assertThat(RestTesting.ask(api, "POST " + topology + "/component/split/debug/enable/20"))
                .containsEntry("status", "success");
        assertThat(RestTesting.ask(api, topology + "/component/split"))
                .containsEntry("debug", true)
                .containsEntry("samplingPct", 20.0)
                .hasEntrySatisfying(
                        "eventLogLink", link -> assertThat(link).asString().contains("events.log"));
    }

    @Test
    void shouldAnswerForUnknownNamesAndCalls() {
        for (String unknown : List.of("topology/ghost-1-0", topology + "/component/ghost", "topology/ghost-1-0/lag")) {
            RestAnswer answer = api.answer(RestTesting.request(unknown, ""));
            assertThat(answer.status()).as(answer.body()).isIn(404, 500);
        }
        RestAnswer answer = api.answer(RestTesting.request(topology + "/profiling/dumpheap/node:1", ""));
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).contains("does not support Nimbus' call 'setWorkerProfiler'");
    }

    private Map<String, Object> await(String request, Predicate<Map<String, Object>> condition) {
        long limit = System.nanoTime() + LIMIT_NANOS;
        Map<String, Object> answer = RestTesting.ask(api, request);
        while (!condition.test(answer)) {
            assertThat(System.nanoTime()).as(answer.toString()).isLessThan(limit);
            Thread.onSpinWait();
            answer = RestTesting.ask(api, request);
        }
        return answer;
    }
}
