package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.console.operator.RunSockets;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.StateDirectory;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line and a run in the same process: canned answers of the run, and what the commands make of them. */
class InspectionCommandsTest {
    private static final long PID = ProcessHandle.current().pid();

    @TempDir
    Path state;

    private final List<String> living = new CopyOnWriteArrayList<>(List.of("words", "shop"));
    private final List<JsonObject> received = new CopyOnWriteArrayList<>();
    private final Map<String, RequestHandler> handlers = new HashMap<>();
    private volatile int looksLeft = -1;
    private RunSockets sockets;

    @BeforeEach
    void open() {
        System.setProperty(StateDirectory.PROPERTY, state.toString());
        handlers.put("state", request -> state());
        for (String order : List.of("activate", "deactivate", "rebalance")) {
            handlers.put(order, request -> {
                received.add(request);
                return JsonObject.of("message", "done");
            });
        }
        handlers.put("kill", request -> {
            received.add(request);
            boolean drains = "shop".equals(request.get("topology"));
            looksLeft = drains ? 2 : 0;
            return JsonObject.of("message", "is being killed")
                    .with("topology", request.get("topology"))
                    .with("seconds", drains ? 0 : 1);
        });
        handlers.put(
                ProcessRequests.THREADS,
                request -> JsonObject.of("pid", PID)
                        .with("role", "run")
                        .with("threads", List.of())
                        .with("components", List.of("count", "split")));
        handlers.put(
                ProcessRequests.PROCESS,
                request -> JsonObject.of("role", "run").with("components", List.of("count", "split")));
        sockets = RunSockets.open(RunDescription.ofThisProcess("run", "com.acme.Main", state.resolve("log")), handlers);
    }

    private JsonObject state() {
        String killed = received.isEmpty() ? "" : String.valueOf(received.get(0).get("topology"));
        if (looksLeft-- == 0) {
            living.remove(killed);
        }
        return JsonObject.of(
                        "topologies",
                        living.stream()
                                .map(name -> JsonObject.of("name", name).with("inFlight", 7))
                                .toList())
                .with("ended", List.of("old"))
                .with("ending", false);
    }

    @AfterEach
    void close() {
        sockets.close();
        System.clearProperty(StateDirectory.PROPERTY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill shop",
                "kill --run shop",
                "kill shop --run shop",
                "activate shop",
                "deactivate shop",
                "rebalance shop count=4",
                "rebalance count=4 --run shop",
                "rebalance --run=shop count=4"
            })
    void shouldTakeTheNameAsAnArgumentOrAnOption(String command) {
        InProcessCommand answered = run(command);
        assertThat(answered.exitCode()).as("%s", answered.err()).isZero();
        assertThat(received)
                .singleElement()
                .satisfies(request -> assertThat(request.get("topology")).isEqualTo("shop"));
        if (command.startsWith("rebalance")) {
            assertThat(Json.write(received.get(0))).contains("\"executors\":{\"count\":4}");
        }
    }

    @Test
    void shouldRefuseTwoNamesAndNoNumbers() {
        refused(2, "'shop' and --run words are different names: give one", "kill shop --run words");
        refused(2, "'count=many' is not COMPONENT=N, with a whole number N", "rebalance count=many");
        refused(2, "'split' is not COMPONENT=N, with a whole number N", "rebalance count=4 split");
        refused(2, "'=4' is not COMPONENT=N, with a whole number N", "rebalance =4");
        refused(2, "no component with its number of executors: add COMPONENT=N", "rebalance shop");
        assertThat(received).isEmpty();
    }

    @Test
    void shouldSayWhatIsAliveWhenNothingHasTheName() {
        refused(
                1,
                "no topology or pipeline 'nope' is alive; alive: " + PID + " (words, shop)",
                "kill nope",
                "stack --run nope",
                "kill nope --run nope");
        refused(1, "no run with process number 1 is alive; alive: " + PID + " (words, shop)", "stack --pid 1");
    }

    @Test
    void shouldFindARunByATopologyThatHasEndedInIt() {
        InProcessCommand answered = run("stack --run old");
        assertThat(answered.exitCode()).as("%s", answered.err()).isZero();
    }

    @Test
    void shouldSayHowManyTupleTreesAKillHasCutOff() {
        InProcessCommand killed = run("kill shop");
        assertThat(killed.exitCode()).isZero();
        assertThat(killed.out().get(1))
                .endsWith(
                        "is still running; 7 tuple trees were still in flight: they are lost unless the spouts' source replays"
                                + " them");
    }

    @Test
    void shouldWaitForTheEndOfAKilledTopology() {
        InProcessCommand killed = run("kill words");
        assertThat(killed.exitCode()).isZero();
        assertThat(killed.out()).hasSize(2).first().isEqualTo("is being killed");
        assertThat(killed.out().get(1))
                .matches("topology 'words' has ended after \\d\\.\\d s; its run \\(process " + PID
                        + "\\) is still running");
        received.clear();
        InProcessCommand json = run("kill shop --json");
        assertThat(json.out())
                .singleElement()
                .asString()
                .contains("\"runEnded\":false", "\"lost\":7", "\"message\":\"is being killed\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack nope", "stack nope --json", "profile nope --for 1s"})
    void shouldListTheComponentsWhenOneIsUnknown(String command) {
        refused(1, "there is no component 'nope'; the components are count, split", command);
    }

    private void refused(int exitCode, String line, String... commands) {
        for (String command : commands) {
            InProcessCommand refused = run(command);
            assertThat(refused.err()).as(command).singleElement().asString().contains(line);
            assertThat(refused.out()).as(command).isEmpty();
            assertThat(refused.exitCode()).as(command).isEqualTo(exitCode);
        }
    }

    private static InProcessCommand run(String command) {
        return InProcessCommand.run(command.split(" "));
    }
}
