package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of members: sums, texts, links. */
class AnswerValuesTest {
    private final RecordedNimbus nimbus = ClusterRecords.nimbus();
    private final StormRestApi api = nimbus.api(ClusterRecords.CONF);

    @ParameterizedTest
    @CsvSource({"0,''", "59,59s", "60,1m 0s", "3725,1h 2m 5s", "86400,1d 0h 0m 0s", "90061,1d 1h 1m 1s"})
    void shouldWriteUptimesAsStorm(int seconds, String text) {
        assertThat(UiText.uptime(seconds)).isEqualTo(text);
    }

    @Test
    void shouldSumTheCluster() {
        assertThat(RestTesting.ask(api, "cluster/summary"))
                .containsEntry("user", "ann")
                .containsEntry("supervisors", 2)
                .containsEntry("topologies", 1)
                .containsEntry("slotsTotal", 8)
                .containsEntry("slotsUsed", 3)
                .containsEntry("slotsFree", 5)
                .containsEntry("executorsTotal", 4)
                .containsEntry("tasksTotal", 5)
                .containsEntry("totalMem", 8192.0)
                .containsEntry("availMem", 5120.0)
                .containsEntry("memAssignedPercentUtil", "37.500")
                .containsEntry("cpuAssignedPercentUtil", "37.500")
                .containsEntry("totalGenerics", "gpu.count=4.0")
                .containsEntry("availGenerics", "gpu.count=3.0")
                .containsEntry("schedulerDisplayResource", true);
    }

    @Test
    void shouldListNimbusHostsThatAreOffline() {
        Map<String, Object> answer = RestTesting.ask(api, "nimbus/summary");

        assertThat(RestTesting.at(answer, "nimbuses/host")).containsExactly("nimbus-1", "nimbus-2");
        assertThat(RestTesting.at(answer, "nimbuses/status")).containsExactly("Leader", "Offline");
        assertThat(RestTesting.at(answer, "nimbuses/nimbusUpTime")).containsExactly("3m 33s", "Not applicable");
        assertThat(RestTesting.at(answer, "nimbuses/nimbusLogLink"))
                .first()
                .isEqualTo("http://nimbus-1:8000/api/v1/daemonlog?file=nimbus.log");
    }

    @Test
    void shouldDescribeSupervisorsAndTheirWorkers() {
        Map<String, Object> answer = RestTesting.ask(api, "supervisor?id=a&host=node-1");

        assertThat(nimbus.calls()).containsExactly("getSupervisorPageInfo[a, node-1, false]");
        assertThat(answer).containsEntry("logviewerPort", 8000).containsEntry("logviewerScheme", "http");
        assertThat(RestTesting.at(answer, "supervisors/uptime")).containsExactly("1d 1h 1m 1s");
        assertThat(RestTesting.at(answer, "supervisors/availGenericResources")).containsExactly("gpu.count=1.0");
        assertThat(RestTesting.at(answer, "workers/workerLogLink"))
                .containsExactly("http://node-1:8000/api/v1/log?file=words-1-7%2F6700%2Fworker.log");
    }

    @Test
    void shouldLinkToASecureLogviewer() {
        Map<String, Object> secure = new HashMap<>(ClusterRecords.CONF);
        secure.put("logviewer.https.port", 8443);

        Map<String, Object> answer = RestTesting.ask(nimbus.api(secure), "topology-workers/words-1-7");

        assertThat(answer)
                .containsEntry("logviewerPort", 8443)
                .containsEntry("logviewerScheme", "https")
                .containsEntry("hostPortList", List.of(Map.of("host", "node-1", "port", 6700)));
    }

    @Test
    void shouldSayThatAnOwnerHasNoGuarantee() {
        assertThat(RestTesting.ask(api, "owner-resources/ann"))
                .containsEntry("cpuGuarantee", 100.0)
                .containsEntry("memoryGuarantee", "N/A")
                .containsEntry("isolatedNodes", -1);
        nimbus.with("getOwnerResourceSummaries", List.of());

        Map<String, Object> stranger = RestTesting.ask(api, "owner-resources/bob");

        assertThat(stranger).containsEntry("owner", "bob").containsEntry("topologies", List.of());
    }

    @Test
    void shouldSumTheMemoryOfTopologies() {
        Map<String, Object> answer = RestTesting.ask(api, "topology/summary");

        assertThat(RestTesting.at(answer, "topologies/requestedTotalMem")).containsExactly(768.0);
        assertThat(RestTesting.at(answer, "topologies/assignedTotalMem")).containsExactly(700.0);
        assertThat(RestTesting.at(answer, "topologies/uptime")).containsExactly("1h 2m 5s");
    }

    @Test
    void shouldDescribeATopology() {
        Map<String, Object> answer = RestTesting.ask(api, "topology/words-1-7?window=10800");

        assertThat(answer)
                .containsEntry("windowHint", "3h 0m 0s")
                .containsEntry("msgTimeout", 30)
                .containsEntry("samplingPct", 10.0)
                .containsEntry("debug", false)
                .containsEntry("requestedGenericResources", "gpu.count=1.0 network.rate=5.0");
        assertThat(RestTesting.at(answer, "topologyStats/window")).isEqualTo(WordsTopology.WINDOWS);
        assertThat(RestTesting.at(answer, "topologyStats/windowPretty"))
                .containsExactly("10m 0s", "3h 0m 0s", "1d 0h 0m 0s", "All time");
        assertThat(RestTesting.at(answer, "topologyStats/acked")).containsExactly(40, 0, 0, 0);
        assertThat(RestTesting.at(answer, "topologyStats/completeLatency")).containsOnly("12.500");
        assertThat(RestTesting.at(answer, "spouts/completeLatency")).containsExactly("12.346");
        assertThat(RestTesting.at(answer, "bolts/boltId")).containsExactly("count", "split");
        assertThat(RestTesting.at(answer, "bolts/executeLatency")).containsOnly("0.048");
        assertThat(RestTesting.at(answer, "bolts/capacity")).containsOnly("0.500");
        assertThat(RestTesting.at(answer, "bolts/errorPort")).isEqualTo(Arrays.asList(null, 6700));
        assertThat(RestTesting.at(answer, "bolts/lastError").get(1).toString())
                .hasSize(200)
                .startsWith("failed 30");
        assertThat((int) RestTesting.at(answer, "bolts/errorLapsedSecs").get(1)).isBetween(30, 90);
    }

    @Test
    void shouldListErrorsFromTheOldest() {
        List<Object> errors =
                RestTesting.at(RestTesting.ask(api, "topology/words-1-7/get-errors"), "topologyErrors/error");

        assertThat(errors).hasSize(2);
        assertThat(errors.get(0).toString()).startsWith("failed 90 s ago").endsWith("at line");
        assertThat(RestTesting.at(RestTesting.ask(api, "topology/words-1-7/component/split"), "componentErrors/error"))
                .isEqualTo(errors);
    }

    @Test
    void shouldSumStreamsOverExecutors() {
        Map<String, Object> answer = RestTesting.ask(api, "topology/words-1-7/metrics?window=600");

        assertThat(RestTesting.at(answer, "bolts/id")).containsExactly("count", "split");
        assertThat(RestTesting.at(answer, "bolts/executed/value")).containsExactly(400, 400);
        // 100 tuples of 3 ms and 300 of 1 ms.
        assertThat(RestTesting.at(answer, "bolts/executed_ms_avg/value")).containsExactly("0.500", "1.500");
        assertThat(RestTesting.at(answer, "spouts/emitted/stream_id")).containsExactly("default");
        answer = RestTesting.ask(api, "topology/words-1-7/metrics?window=600&sys=1");
        assertThat(RestTesting.at(answer, "spouts/emitted/stream_id")).containsExactly("__ack_init", "default");
    }

    @Test
    void shouldDrawTheTopology() {
        Map<String, Object> answer = RestTesting.ask(api, "topology/words-1-7/visualization?window=600");

        assertThat(answer.keySet()).containsExactlyInAnyOrder("words", "split", "count");
        Map<String, Object> words = RestTesting.member(answer, "words");
        assertThat(words)
                .containsEntry(":type", "spout")
                .containsEntry(":capacity", 0)
                .containsEntry(":latency", 12.5)
                .containsEntry(":transferred", 50)
                .containsEntry(":link", "/component.html?id=words&topology_id=words-1-7");
        assertThat(RestTesting.at(words, ":stats/:transferred/600")).containsExactly(Map.of("default", 50));
        Map<String, Object> split = RestTesting.member(answer, "split");
        // 300 ms of the 100 s that its executors are up.
        assertThat(split)
                .containsEntry(":type", "bolt")
                .containsEntry(":capacity", 0.003)
                .containsEntry(":latency", 1.5);
        assertThat(split.get(":inputs"))
                .isEqualTo(List.of(Map.of(
                        ":component", "words",
                        ":stream", "default",
                        ":sani-stream", "default",
                        ":grouping", "shuffle")));
        assertThat(RestTesting.at(split, ":stats/:transferred/600/default")).containsExactlyInAnyOrder(100, 300);
        assertThat(RestTesting.at(split, ":stats/:uptime_secs")).containsExactly(100, 100);
    }

    @Test
    void shouldListTheStreamsToDraw() {
        StormTopology topology = WordsTopology.topology();
        Bolt split = topology.get_bolts().get("split");
        for (String stream : List.of("9 a", "b", "c", "__metrics")) {
            split.get_common()
                    .get_inputs()
                    .put(
                            new GlobalStreamId("words", stream),
                            split.get_common().get_inputs().values().iterator().next());
        }
        nimbus.with("getTopology", topology);

        Map<String, Object> answer = RestTesting.ask(api, "topology/words-1-7/visualization-init");

        List<?> rows = (List<?>) answer.get("visualizationTable");
        assertThat(rows).extracting(row -> ((List<?>) row).size()).containsExactly(4, 1);
        List<Object> streams = rows.stream()
                .flatMap(row -> ((List<?>) row).stream())
                .map(stream -> (Object) stream)
                .toList();
        assertThat(streams)
                .contains(
                        Map.of("stream", "9 a", "sani-stream", "_s__a", "checked", true),
                        Map.of("stream", "default", "sani-stream", "default", "checked", true),
                        Map.of("stream", "__metrics", "sani-stream", "_s__metrics", "checked", false));
    }
}
