package io.updraft.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cli.UpdraftProcess;
import io.updraft.rest.DocumentedMembers;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script of the commands in Storm's document "Storm UI REST API", against {@code updraft run} with worker processes. */
@Tag("one-jdk")
class StormUiScriptTest {
    private static final Pattern CONSOLE = Pattern.compile(".*console: http://(localhost:\\d+)/");
    private static final Pattern ID = Pattern.compile("wordcount-1-\\d+");
    private static final String EXAMPLE = "http://localhost:8080/api/v1/";
    private static final String TOPOLOGY = EXAMPLE + "topology/wordcount-1-1420308665";

    private static final String REBALANCE = """
            curl  -i -b ~/cookiejar.txt -c ~/cookiejar.txt -X POST\s\s
            -H "Content-Type: application/json"\s
            -d  '{"rebalanceOptions": {"numWorkers": 2, "executors": { "spout" : "5", "split": 7, "count": 5 }}, "callback":"foo"}'\s
            http://localhost:8080/api/v1/topology/wordcount-1-1420308665/rebalance/0
            """;

    private static final String LOG_LEVEL = """
            curl -i -b ~/cookiejar.txt -c ~/cookiejar.txt -X POST -H "Content-Type: application/json"
            -d '{"namedLoggerLevels": {"com.acme.words": {"target_level": "DEBUG", "reset_level": "INFO", "timeout": 60}}}'
            http://localhost:8080/api/v1/topology/wordcount-1-1420308665/logconfig
            """;

    /** A run has no profiler, so no recording is pending. */
    private static final Set<String> NEVER_HERE =
            Set.of("profilerActive.host", "profilerActive.port", "profilerActive.dumplink", "profilerActive.timestamp");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private String console;
    private String id;

    @Test
    @Tag("slow")
    void shouldRunAScriptOfTheDocumentsCommands() throws Exception {
        UpdraftProcess run = UpdraftProcess.start(
                directory,
                "run",
                "--ui-port=0",
                "--view=none",
                "--workers=1",
                UpdraftProcess.jarOf(DocumentedWordCount.class, directory).toString(),
                DocumentedWordCount.class.getName());
        console = run.awaitErr(CONSOLE).group(1);
        id = awaitId();
        awaitPage(page -> allPositive(page, "bolts", "executed") && allPositive(page, "spouts", "emitted"));

        readEveryEndpoint();
        control();

        assertThat(run.awaitExit()).isZero();
    }

    private void readEveryEndpoint() throws Exception {
        for (String endpoint : DocumentedMembers.byEndpoint().keySet()) {
            if (!endpoint.startsWith("POST ") && !endpoint.contains("/profiling/")) {
                String path = endpoint.replace("words-1-7", id)
                        .replace("component/words", "component/spout")
                        .replace("host=node-1", "host=localhost")
                        .replace("owner-resources/ann", "owner-resources/" + System.getProperty("user.name"));
                DocumentedMembers.assertPresent(endpoint, ask("curl '" + EXAMPLE + path + "'"), NEVER_HERE);
            }
        }
        assertThat(ask("curl '" + TOPOLOGY + "?window=600'"))
                .containsEntry("windowHint", "10m 0s")
                .containsEntry("msgTimeout", 30);
        assertThat(ask("curl '" + TOPOLOGY + "/visualization?sys=1&window=600'"))
                .containsKeys("spout", "split", "count");
    }

    private void control() throws Exception {
        act("deactivate", "curl '" + TOPOLOGY + "/deactivate' -X POST -H 'doAsUser:testUSer1'");
        assertThat(ask("curl " + TOPOLOGY)).containsEntry("status", "INACTIVE");
        act("activate", "curl '" + TOPOLOGY + "/activate' -X POST -H 'doAsUser:testUSer1'");
        assertThat(ask("curl " + TOPOLOGY)).containsEntry("status", "ACTIVE");

        act("rebalance", REBALANCE);
        awaitPage(page -> page.get("status").equals("ACTIVE")
                && page.get("workersTotal").equals(2)
                && executorsOf(page, "spouts").equals(List.of(5))
                && executorsOf(page, "bolts").equals(List.of(5, 7)));

        ask(LOG_LEVEL);
        assertThat(ask("curl " + TOPOLOGY + "/logconfig").toString())
                .contains("com.acme.words", "\"target_level\":\"DEBUG\"", "\"timeout\":60");

        act("kill", "curl -X POST " + TOPOLOGY + "/kill/2");
    }

    private void act(String operation, String command) throws Exception {
        Map<String, Object> answer = ask(command);
        String endpoint = "POST topology/words-1-7/" + operation;
        boolean waits = operation.equals("rebalance") || operation.equals("kill");
        DocumentedMembers.assertPresent(waits ? endpoint + "/0" : endpoint, answer, Set.of());
        assertThat(answer).isEqualTo(Map.of("topologyOperation", operation, "topologyId", id, "status", "success"));
    }

    private Map<String, Object> ask(String command) throws Exception {
        HttpResponse<String> answer = send(command);
        assertThat(answer.statusCode()).as(command + ": " + answer.body()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/json;charset=utf-8");
        return Utils.parseJson(answer.body());
    }

    /** Carries out a command, with the console's address and the topology's id in the place of the document's. */
    private HttpResponse<String> send(String command) throws Exception {
        String here = command.replace("localhost:8080", console);
        if (id != null) {
            here = ID.matcher(here).replaceAll(id);
        }
        return client.send(CurlCommand.request(here), BodyHandlers.ofString());
    }

    private String awaitId() throws Exception {
        List<Object> topologies = new ArrayList<>();
        Await.until(
                "a topology is there",
                () -> topologies.addAll(
                        (List<?>) ask("curl " + EXAMPLE + "topology/summary").get("topologies")));
        return ((Map<?, ?>) topologies.get(0)).get("id").toString();
    }

    private void awaitPage(Predicate<Map<String, Object>> condition) throws Exception {
        AtomicReference<Map<String, Object>> page = new AtomicReference<>();
        Await.until(
                "the page meets the condition",
                () -> {
                    page.set(ask("curl " + TOPOLOGY));
                    return condition.test(page.get());
                },
                page::get);
    }

    private static boolean allPositive(Map<String, Object> page, String components, String member) {
        return members(page, components, member).stream().allMatch(count -> ((Number) count).longValue() > 0);
    }

    private static List<Object> executorsOf(Map<String, Object> page, String components) {
        return members(page, components, "executors");
    }

    private static List<Object> members(Map<String, Object> page, String components, String member) {
        return ((List<?>) page.get(components))
                .stream().<Object>map(each -> ((Map<?, ?>) each).get(member)).toList();
    }
}
