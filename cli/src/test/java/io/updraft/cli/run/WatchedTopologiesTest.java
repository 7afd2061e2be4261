package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.base.testing.Await;
import io.updraft.console.operator.Target;
import io.updraft.console.operator.TopologyRequests;
import io.updraft.observe.history.HistoryRequest;
import io.updraft.observe.view.TopologySample;
import io.updraft.storm.SubmitterRedirect;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.conf.StormConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichSpout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two clusters of one program have topologies of the same name; an operator orders and asks. */
class WatchedTopologiesTest {
    private final UpdraftCluster host = new UpdraftCluster();
    private final SubmitterRedirect redirect = SubmitterRedirect.open(host, StormConfig.NONE);
    private final WatchedTopologies topologies =
            new WatchedTopologies(host, false, Duration.ofSeconds(10), () -> false);

    @AfterEach
    void close() {
        redirect.close();
        host.close();
    }

    @Test
    void shouldNameTopologiesOfOneNameAsMetricsDo() throws Exception {
        submitTwice();
        assertThat(topologies.living()).extracting(Target::name).containsExactly("words", "words#2");
        assertThat(topologies.latest()).extracting(TopologySample::name).containsExactly("words", "words#2");
        assertThatThrownBy(() -> ask("activate", JsonObject.of()))
                .hasMessage("the run has several topologies; add --run NAME: words, words#2");
    }

    @Test
    void shouldOrderTheSecondTopologyOfOneName() throws Exception {
        UpdraftCluster second = submitTwice();
        assertThat(ask("deactivate", second()).get("message").toString()).startsWith("topology 'words#2' is inactive");
        assertThat(second.engine("words").isActive()).isFalse();
        assertThat(topologies.latest()).extracting(TopologySample::state).containsExactly("running", "inactive");
        ask("kill", second().with("seconds", 0));
        Await.until("the second has ended", () -> topologies.living().size() == 1);
        assertThat(topologies.living()).extracting(Target::name).containsExactly("words");
        assertThat(ask("deactivate", first()).get("message").toString()).startsWith("topology 'words' is inactive");
    }

    @Test
    void shouldKeepTheNameOfTheSecondTopologyWhenTheFirstHasEnded() throws Exception {
        submitTwice();
        topologies.living();
        ask("kill", first().with("seconds", 0));
        Await.until("the first has ended", () -> topologies.living().size() == 1);
        assertThat(topologies.living()).extracting(Target::name).containsExactly("words#2");
        assertThat(ask("activate", second()).get("message")).isEqualTo("topology 'words#2' is active: its spouts emit");
    }

    @Test
    void shouldAnswerForATopologyThatHasEnded() throws Exception {
        submitTwice();
        topologies.living();
        topologies.sample();
        ask("kill", second().with("seconds", 0));
        Await.until("the second has ended", () -> topologies.living().size() == 1);
        assertThat((List<?>) ask("state", JsonObject.of()).get("ended")).hasToString("[words#2]");
        assertThat(Json.write(ask("errors", second()))).contains("\"name\":\"words#2\",\"ended\":true");
        assertThat(ask("dead-letters", second().with("newest", 1))
                        .get("message")
                        .toString())
                .startsWith("topology 'words#2' has given up 0 messages");
        assertThat(new HistoryRequest(topologies.histories())
                        .answer(second().with("lastSeconds", 60).with("stepSeconds", 1))
                        .objects("topologies"))
                .singleElement()
                .satisfies(history -> assertThat(history.get("ended")).isNotNull());
        for (String order : List.of("kill", "activate", "deactivate", "replay")) {
            assertThatThrownBy(() -> ask(order, second())).hasMessage("topology 'words#2' has ended");
        }
        assertThatThrownBy(() -> ask("kill", JsonObject.of("topology", "other")))
                .hasMessage("there is no topology 'other'");
    }

    @Test
    void shouldListTheComponentsWhenOneIsUnknown() throws Exception {
        submitTwice();
        for (JsonObject order : List.of(
                first().with("component", "nope").with("percent", 1).with("on", true),
                first().with("executors", JsonObject.of("nope", 2)))) {
            assertThatThrownBy(() -> ask(order.containsKey("percent") ? "debug" : "rebalance", order))
                    .hasMessageStartingWith("topology 'words' has no component 'nope'; the components are ")
                    .hasMessageContaining("source");
        }
    }

    /** Submits to two clusters. {@return the second one} */
    private UpdraftCluster submitTwice() throws Exception {
        UpdraftCluster second = null;
        for (int cluster = 0; cluster < 2; cluster++) {
            second = new UpdraftCluster();
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout("source", new Silent());
            second.submitTopology("words", new Config(), builder.createTopology());
        }
        return second;
    }

    private static JsonObject first() {
        return JsonObject.of("topology", "words");
    }

    private static JsonObject second() {
        return JsonObject.of("topology", "words#2");
    }

    private JsonObject ask(String request, JsonObject arguments) throws Exception {
        return TopologyRequests.handlers(topologies).get(request).answer(arguments);
    }

    /** Emits nothing. */
    private static final class Silent extends BaseRichSpout {
        private static final long serialVersionUID = 1L;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {}

        @Override
        public void nextTuple() {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}
