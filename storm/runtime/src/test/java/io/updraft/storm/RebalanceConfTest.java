package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.Test;

class RebalanceConfTest {
    private static final Map<String, Object> OWN =
            Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, 500, Config.TOPOLOGY_NAME, "words", "acme.colour", "red");

    @Test
    void shouldTakeWhatIsDifferentAndNothingElse() {
        assertThat(overrides("{\"topology.max.spout.pending\": 500, \"acme.colour\": \"blue\", \"acme.new\": [1, 2.5],"
                        + " \"topology.name\": \"words\", \"topology.message.timeout.secs\": 60}"))
                .containsOnlyKeys("acme.colour", "acme.new", Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS)
                .containsEntry("acme.colour", "blue");
        assertThat(overrides("{\"acme.colour\": null}")).containsEntry("acme.colour", null);
    }

    /** {@code storm rebalance -c nimbus.thrift.port=...} sends that too. */
    @Test
    void shouldLeaveOutWhatOnlySaysHowToReachNimbusAndWhoHasSubmitted() {
        assertThat(overrides("{\"nimbus.seeds\": [\"there\"], \"nimbus.thrift.port\": 6628,"
                        + " \"storm.thrift.transport\": \"x\", \"storm.nimbus.retry.times\": 3,"
                        + " \"topology.submitter.user\": \"me\"}"))
                .isEmpty();
    }

    @Test
    void shouldTakeNothingForNothing() {
        assertThat(RebalanceConf.of(new RebalanceOptions(), OWN, OWN)).isEmpty();
        assertThat(overrides("")).isEmpty();
        assertThat(overrides("{}")).isEmpty();
    }

    @Test
    void shouldRefuseWhatWasUsedUpWhenTheTopologyWasSubmitted() {
        assertRefused("{\"topology.workers\": 3}", "topology.workers cannot change", "num_workers");
        assertRefused("{\"topology.tasks\": 3}", "topology.tasks cannot change", "submit it again");
        assertRefused("{\"topology.name\": \"other\"}", "topology.name cannot change");
        assertRefused("{\"topology.eventlogger.executors\": 3}", "__eventlogger");
    }

    @Test
    void shouldRefuseWhatIsNoConfiguration() {
        assertRefused("[1]", "is not a JSON object: [1]");
        assertRefused("{\"topology", "is not a JSON object");
        assertRefused("{\"topology.max.spout.pending\": \"many\"}", "TOPOLOGY_MAX_SPOUT_PENDING");
    }

    private static void assertRefused(String json, String... words) {
        assertThatThrownBy(() -> overrides(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    private static Map<String, Object> overrides(String json) {
        RebalanceOptions options = new RebalanceOptions();
        options.set_topology_conf_overrides(json);
        Map<String, Object> whole = new HashMap<>(OWN);
        whole.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 30);
        return RebalanceConf.of(options, whole, OWN);
    }
}
