package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.base.testing.Await;
import io.updraft.observe.history.Histories;
import io.updraft.observe.inspection.RequestHandler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.transport.TTransportException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of the console, with stock Storm's structures. */
@Timeout(60)
@Tag("one-jdk")
class ClusterRequestsTest {
    private static final JsonObject WORDS = JsonObject.of("topology", "words");

    private final FakeNimbus nimbus = new FakeNimbus();
    private ClusterState state;
    private Map<String, RequestHandler> handlers;

    @BeforeEach
    void open() throws IOException {
        NimbusCaller caller = new NimbusCaller(nimbus);
        Histories histories = new Histories();
        state = new ClusterState(caller, caller.read(new ClusterCalls.Cluster()), histories, Duration.ofMillis(500));
        handlers = ClusterRequests.handlers(state, histories);
    }

    @AfterEach
    void close() {
        state.close();
    }

    private String ask(String request, JsonObject arguments) throws Exception {
        return Json.write(handlers.get(request).answer(arguments));
    }

    @Test
    void shouldDescribeATopologyOfStockWorkers() throws Exception {
        String live = ask("live", WORDS);

        assertThat(live).contains("\"workersOf\":\"storm\"", "\"split\":[\"bottleneck\"");
        assertThat(live).contains("split: 95% busy in execute");
        // Two executors, 600 tuples each in 600 s; the tuples to __metrics do not count as emitted.
        assertThat(live)
                .contains("[\"split\",\"bolt\",2,4,0.0,2.0,2.0,0.0,0.95,null,600000000,null,0,2000,2000,0]")
                .contains("[\"lines\",\"spout\",1,1,1.0,null,1.0,0.0,null,null,null,20000000,1000,null,1000,0]")
                .contains("[\"lines\",\"default\",\"split\",2.0,null]");
        assertThat(live).doesNotContain("__acker");
        assertThat(live)
                .contains("Not enough slots", "2 of 3 workers have a slot")
                .contains("split in b:6701: java.lang.RuntimeException: no")
                .contains("{\"worker\":\"b:6701\",\"pid\":\"b:6701\",\"state\":\"starting\"}");
    }

    @Test
    void shouldNotMissWorkersWhileASlotIsFree() throws Exception {
        nimbus.usedSlots = 1;

        while (ask("live", WORDS).contains("2 of 3 workers have a slot")) {
            Thread.onSpinWait();
        }
        assertThat(ask("live", WORDS)).contains("Not enough slots");
    }

    @Test
    void shouldKnowUpdraftsWorkersByTheVersion() throws Exception {
        nimbus.version = "2.999.0";

        while (!ask("overview", JsonObject.of()).contains("\"workersOf\":\"updraft\"")) {
            Thread.onSpinWait();
        }
        assertThat(handlers).containsKey("restart-worker");
    }

    @Test
    void shouldDescribeAComponentWithTheStacksOfItsErrors() throws Exception {
        String component = ask("component", JsonObject.of("topology", "words").with("component", "split"));

        assertThat(component)
                .contains("\"executors\":{\"columns\":[\"firstTask\"", "\"errors\":[{\"time\"")
                .contains("[4,\"b:6701\",1000,0.0,1.0,1.0,0.0,0.95,null,0,1000,1000,0]")
                .contains("\"stack\":[\"java.lang.RuntimeException: no\",\"\\tat a.B.c(B.java:1)\"]");
        assertThatThrownBy(() ->
                        ask("component", JsonObject.of("topology", "words").with("component", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no component 'x'");
        assertThatThrownBy(() -> ask("live", JsonObject.of("topology", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no topology 'x'");
    }

    @Test
    void shouldDescribeErrorsDaemonsAndWorkers() throws Exception {
        assertThat(ask("errors", WORDS)).contains("\"counts\":{\"split\":1}", "2023-11-14T22:13:20Z");
        assertThat(ask("cluster", JsonObject.of()))
                .contains("[\"supervisor-a\",\"a\",null,1000,4,4,4.294967296E9,null,400.0,null]")
                .contains("[\"nimbus\",6627,true,\"2.8.3\",1000]");
        assertThat(ask("processes", JsonObject.of()))
                .contains("\"components\":[\"split\"]", "\"host\":\"b\",\"port\":6701");
    }

    @Test
    void shouldRecordAHistory() throws Exception {
        ask("live", WORDS);

        String history = ask(
                "history",
                JsonObject.of("topology", "words").with("lastSeconds", 60).with("stepSeconds", 10));

        assertThat(history)
                .contains("\"executedPerSecond\":2.0", "\"busiest\":\"split\"")
                .doesNotContain("NaN");
    }

    @Test
    void shouldPassActionsOnToNimbus() throws Exception {
        ask("kill", JsonObject.of("topology", "words").with("seconds", 5));
        ask("deactivate", WORDS);
        ask(
                "rebalance",
                JsonObject.of("topology", "words")
                        .with("executors", Map.of("split", 3))
                        .with("workers", 2));
        ask(
                "log-level",
                JsonObject.of("topology", "words")
                        .with("logger", "a.b")
                        .with("level", "debug")
                        .with("seconds", 60));
        ask("live", WORDS);
        String message = ask("thread-dump", JsonObject.of("process", "b:6701"));
        ask("restart-worker", JsonObject.of("process", "a:6700"));

        assertThat(message).contains("workers-artifacts/words-1-1/6701 of Storm's log directory on host b");
        RebalanceOptions rebalance = (RebalanceOptions) call("rebalance").get(2);
        assertThat(rebalance.get_num_executors()).isEqualTo(Map.of("split", 3));
        assertThat(rebalance.get_num_workers()).isEqualTo(2);
        assertThat(call("killTopologyWithOpts").toString()).contains("words", "wait_secs:5");
        assertThat(call("deactivate")).containsExactly("deactivate", "words");
        assertThat(call("setLogConfig").toString()).contains(FakeNimbus.ID, "a.b", "DEBUG", "60");
        ProfileRequest dump = (ProfileRequest) call("setWorkerProfiler").get(2);
        assertThat(dump.get_action()).isEqualTo(ProfileAction.JSTACK_DUMP);
        assertThat(dump.get_nodeInfo().get_node()).isEqualTo("b");
        assertThat(dump.get_nodeInfo().get_port()).containsExactly(6701L);
    }

    private List<Object> call(String name) {
        return nimbus.calls.stream()
                .filter(call -> call.get(0).equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldRefuseActionsThatAreNotValid() {
        assertThatThrownBy(() -> ask("rebalance", WORDS)).hasMessageContaining("neither executors nor workers");
        assertThatThrownBy(() ->
                        ask("rebalance", JsonObject.of("topology", "words").with("workers", 0)))
                .hasMessageContaining("at least 1");
        assertThatThrownBy(() -> ask("kill", JsonObject.of("topology", "words").with("seconds", -1)))
                .hasMessageContaining("whole number");
        assertThatThrownBy(() -> ask(
                        "log-level",
                        JsonObject.of("topology", "words").with("logger", "a").with("level", "x")))
                .hasMessageContaining("not a level");
        assertThatThrownBy(() -> ask("heap", JsonObject.of("process", "c:1"))).hasMessageContaining("no worker 'c:1'");
    }

    @Test
    void shouldSayThatNimbusHangsAndGoOnAfterwards() throws Exception {
        ask("overview", JsonObject.of());
        nimbus.hanging = new CountDownLatch(1);

        assertThat(awaitFailure()).startsWith("Nimbus at nimbus:6627 has not answered for");
        nimbus.hanging.countDown();
        nimbus.hanging = null;

        awaitAnswer();
    }

    @Test
    void shouldKeepTheOtherPagesWhenNimbusFailsAtOneCall() throws Exception {
        nimbus.failing = "getComponentPageInfo";

        assertThatThrownBy(() ->
                        ask("component", JsonObject.of("topology", "words").with("component", "split")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Nimbus has failed (Internal error processing getComponentPageInfo); its log says why");
        assertThat(ask("live", WORDS)).contains("split");
    }

    @Test
    void shouldSayThatNimbusIsAwayAndConnectAgain() throws Exception {
        nimbus.failure = new TTransportException(TTransportException.END_OF_FILE, "closed");

        assertThat(awaitFailure()).startsWith("Nimbus at nimbus:6627 has closed the connection");
        int connections = nimbus.connections.get();
        nimbus.failure = null;

        awaitAnswer();
        assertThat(nimbus.connections).hasValueGreaterThan(connections);
    }

    private String awaitFailure() throws Exception {
        while (true) {
            try {
                ask("overview", JsonObject.of());
                Thread.onSpinWait();
            } catch (IOException e) {
                return e.getMessage();
            }
        }
    }

    private void awaitAnswer() throws Exception {
        Await.until("Nimbus answers", () -> {
            try {
                assertThat(ask("overview", JsonObject.of())).contains("words");
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    void shouldAnswerSoonAndSpareNimbusWithManyTopologies() throws Exception {
        nimbus.others = 190;
        nimbus.millis = 10;
        state.close();
        long began = System.nanoTime();
        open();
        nimbus.calls.clear();
        for (int other = 150; other < 155; other++) {
            assertThat(ask("live", JsonObject.of("topology", "other-" + other))).contains("split");
        }
        while (System.nanoTime() - began < TimeUnit.SECONDS.toNanos(3)) {
            ask("live", WORDS);
        }
        double busySeconds = nimbus.calls.size() * nimbus.millis / 1e3;
        assertThat(busySeconds * 1e9 / (System.nanoTime() - began)).isBetween(0.1, 0.35);
    }

    @Test
    void shouldReadOnceASecondForAllWhoAsk() throws Exception {
        long began = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            ask("live", WORDS);
        }
        double seconds = (System.nanoTime() - began) / 1e9;

        long reads = nimbus.calls.stream()
                .filter(call -> call.get(0).equals("getTopologyInfoWithOpts"))
                .count();
        // One at the start, one when the page asks, and one in each second.
        assertThat(reads).isLessThanOrEqualTo(2 + (long) Math.ceil(seconds));
    }
}
