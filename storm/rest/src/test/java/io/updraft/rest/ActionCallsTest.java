package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.StormTopology;
import org.junit.jupiter.api.Test;

/** What actions ask of Nimbus, log levels, and the lag of spouts. */
class ActionCallsTest {
    private static final String TOPOLOGY = "topology/words-1-7/";

    private final RecordedNimbus nimbus = ClusterRecords.nimbus();
    private final StormRestApi api = nimbus.api(ClusterRecords.CONF);

    @Test
    void shouldActOnTheTopologyByItsName() {
        assertThat(RestTesting.ask(api, "POST " + TOPOLOGY + "activate"))
                .isEqualTo(Map.of("topologyOperation", "activate", "topologyId", "words-1-7", "status", "success"));
        RestTesting.ask(api, "POST " + TOPOLOGY + "deactivate");
        RestTesting.ask(api, "POST " + TOPOLOGY + "kill/7");
        assertThat(RestTesting.ask(api, "POST " + TOPOLOGY + "debug/enable/25"))
                .containsEntry("topologyOperation", "debug/enable");
        RestTesting.ask(api, "POST " + TOPOLOGY + "component/split/debug/disable/0");

        assertThat(nimbus.calls())
                .contains(
                        "activate[words]",
                        "deactivate[words]",
                        "killTopologyWithOpts[words, KillOptions(wait_secs:7)]",
                        "debug[words, , true, 25.0]",
                        "debug[words, split, false, 0.0]");
    }

    @Test
    void shouldRebalanceByOptions() {
        RestTesting.ask(api, "POST " + TOPOLOGY + "rebalance/3");
        RestTesting.ask(
                api,
                "POST " + TOPOLOGY + "rebalance/0",
                "{\"rebalanceOptions\":{\"numWorkers\":2,\"executors\":{\"split\":\"5\"}},\"callback\":\"foo\"}");

        assertThat(nimbus.calls())
                .contains(
                        "rebalance[words, RebalanceOptions(wait_secs:3)]",
                        "rebalance[words, RebalanceOptions(wait_secs:0, num_workers:2, num_executors:{split=5})]");
    }

    @Test
    void shouldAskForProfiles() {
        assertThat(RestTesting.ask(api, TOPOLOGY + "profiling/start/node-1:6700/10"))
                .containsEntry("timeout", "10")
                .containsEntry("id", "node-1:6700")
                .containsEntry("dumplink", "http://node-1:8000/api/v1/dumps/words-1-7/node-1%3A6700");
        RestTesting.ask(api, TOPOLOGY + "profiling/stop/node-1:6700");
        RestTesting.ask(api, TOPOLOGY + "profiling/restartworker/node-1%3A6700");

        assertThat(nimbus.calls()).hasSize(3).allMatch(call -> call.contains("node:node-1, port:[6700]"));
        assertThat(nimbus.calls().get(0)).contains("action:JPROFILE_STOP");
        assertThat(nimbus.calls().get(1)).contains("action:JPROFILE_STOP", "time_stamp:0");
        assertThat(nimbus.calls().get(2)).contains("action:JVM_RESTART");
    }

    @Test
    void shouldReadAndSetLogLevels() {
        Map<String, Object> answer = RestTesting.ask(api, TOPOLOGY + "logconfig");
        assertThat(answer)
                .isEqualTo(Map.of(
                        "namedLoggerLevels",
                        Map.of(
                                "org.acme",
                                Map.of(
                                        "target_level",
                                        "DEBUG",
                                        "reset_level",
                                        "INFO",
                                        "timeout",
                                        60,
                                        "timeout_epoch",
                                        1_700_000_000_000L))));

        Map<String, Object> set = RestTesting.ask(
                api,
                "POST " + TOPOLOGY + "logconfig",
                "{\"namedLoggerLevels\":{\"com.x\":{\"target_level\":\"warn\",\"timeout\":30},"
                        + "\"com.y\":{\"target_level\":null,\"timeout\":0}}}");

        assertThat(set).isEqualTo(answer);
        assertThat(nimbus.calls())
                .filteredOn(call -> call.startsWith("setLogConfig"))
                .singleElement()
                .asString()
                .contains("com.x=LogLevel(action:UPDATE, target_log_level:WARN, reset_log_level_timeout_secs:30")
                .contains("com.y=LogLevel(action:REMOVE");
    }

    @Test
    void shouldRefuseAnUnknownLogLevel() {
        RestAnswer answer = api.answer(RestTesting.request(
                "POST " + TOPOLOGY + "logconfig", "{\"namedLoggerLevels\":{\"com.x\":{\"target_level\":\"LOUD\"}}}"));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("'target_level' of logger 'com.x' is no log level: 'LOUD'");
        assertThat(nimbus.calls()).isEmpty();
    }

    @Test
    void shouldSayThatTheLagOfKafkaSpoutsIsNotKnown() {
        StormTopology topology = WordsTopology.topology();
        topology.get_spouts()
                .get("words")
                .get_common()
                .set_json_conf(
                        "{\"config.topics\":\"t\",\"config.groupid\":\"g\",\"config.bootstrap.servers\":\"b:9092\"}");
        nimbus.with("getTopology", topology);

        Map<String, Object> lag = RestTesting.member(RestTesting.ask(api, TOPOLOGY + "lag"), "words");

        assertThat(lag).containsEntry("spoutId", "words").containsEntry("spoutType", "KAFKA");
        assertThat(lag.get("errorInfo").toString()).endsWith("ask Kafka for group g of t at b:9092");
        assertThat(lag).doesNotContainKey("spoutLagResult");
    }

    @Test
    void shouldAnswerNoLagForOtherSpoutsOrWhenItIsDisabled() {
        Map<String, Object> disabled = new HashMap<>(ClusterRecords.CONF);
        disabled.remove("ui.disable.spout.lag.monitoring");

        assertThat(List.of(
                        RestTesting.ask(api, TOPOLOGY + "lag"),
                        RestTesting.ask(nimbus.api(disabled), TOPOLOGY + "lag")))
                .containsOnly(Map.of());
    }
}
