package io.updraft.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StormRestApiTest {
    private final RecordedNimbus nimbus = ClusterRecords.nimbus();
    private final StormRestApi api = nimbus.api(ClusterRecords.CONF);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topology/words-1-7?window=ten | parameter 'window' must be a whole number, at least 1, or :all-time; it is 'ten'",
                "topology/words-1-7?window=0 | parameter 'window' must be a whole number, at least 1, or :all-time; it is '0'",
                "topology/words-1-7?sys=yes | parameter 'sys' must be 1 or 0, not 'yes'",
                "topology/words-1-7?sys=1&sys=0 | parameter 'sys' is given 2 times",
                "supervisor | give the parameter 'id' or 'host' of a supervisor",
                "topology/words-1-7/profiling/stop/node-1 | a worker is named as host:port, not 'node-1'",
                "topology/words-1-7/profiling/stop/node-1:66000 | the port of the worker must be at most 65535",
                "topology/words-1-7/profiling/start/node-1:6700/-1 | timeout must be a whole number, at least 0; it is '-1'",
                "topology/words-1-7/profiling/stop/node-1:6700?callback=f | parameter 'callback' is for requests that only read",
                "POST topology/words-1-7/kill/soon | wait-time must be a whole number, at least 0; it is 'soon'",
                "POST topology/words-1-7/debug/on/10 | the action of debug is enable or disable, not 'on'",
                "POST topology/words-1-7/debug/enable/101 | spct is a percentage, at most 100; it is 101",
                "POST topology/words-1-7/logconfig | the body must have the member 'namedLoggerLevels'"
            })
    void shouldRefuseBadParametersWithOneLine(String request, String message) {
        assertFailure(api.answer(RestTesting.request(request, "")), 400, "400 Bad Request", message);
        assertThat(nimbus.calls()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[1] | the body is not a JSON object",
                "{\"rebalanceOptions\": | the body is not valid JSON",
                "{\"rebalanceOptions\":1} | 'rebalanceOptions' must be a JSON object",
                "{\"rebalanceOptions\":{\"numWorkers\":0}} | 'numWorkers' must be a whole number, at least 1; it is '0'",
                "{\"rebalanceOptions\":{\"executors\":{\"split\":\"x\"}}} | the executors of 'split' must be a whole number, at least 1; it is 'x'"
            })
    void shouldRefuseBadBodiesWithOneLine(String body, String message) {
        RestAnswer answer = api.answer(RestTesting.request("POST topology/words-1-7/rebalance/0", body));

        assertFailure(answer, 400, "400 Bad Request", message);
        assertThat(nimbus.calls()).isEmpty();
    }

    @Test
    void shouldRefuseADeeplyNestedBody() {
        RestAnswer answer =
                api.answer(RestTesting.request("POST topology/words-1-7/rebalance/0", "[".repeat(1_000_000)));

        assertFailure(answer, 400, "400 Bad Request", "the body is not valid JSON");
    }

    @Test
    void shouldTellWhyNimbusRefuses() {
        nimbus.with("getTopologyPageInfo", new NotAliveException("words-1-7 is not alive\nat line 1"));
        assertFailure(answer("topology/words-1-7"), 500, "500 Server Error", "words-1-7 is not alive");

        nimbus.with("getTopologyPageInfo", new AuthorizationException("ann may not read words"));
        assertFailure(answer("topology/words-1-7"), 403, "403 Forbidden", "ann may not read words");

        nimbus.with("rebalance", new InvalidTopologyException("no component 'x'"));
        assertFailure(answer("POST topology/words-1-7/rebalance/0"), 500, "500 Server Error", "no component 'x'");

        nimbus.with("getTopologyPageInfo", new IllegalStateException());
        assertFailure(answer("topology/words-1-7"), 500, "500 Server Error", "IllegalStateException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topology",
                "topology/",
                "cluster/summary//",
                "topology/a%2Fb/lag/x",
                "topology/%zz",
                "topology/a+b/c"
            })
    void shouldNotKnowOtherPaths(String path) {
        assertThat(answer(path).status()).isEqualTo(404);
    }

    @Test
    void shouldNotKnowPathsOutsideOfTheApi() {
        RestRequest request = new RestRequest("GET", "/api/v2/cluster/summary", Map.of(), "", null);

        assertThat(api.answer(request).status()).isEqualTo(404);
    }

    @Test
    void shouldIgnoreASlashAtTheEnd() {
        answer("topology/words-1-7/");

        assertThat(nimbus.calls()).contains("getTopologyPageInfo[words-1-7, :all-time, false]");
    }

    @Test
    void shouldDecodeTheSegmentsOfAPath() {
        answer("topology/a%2Fb+c%20d/component/x%3Fy");

        assertThat(nimbus.calls()).contains("getComponentPageInfo[a/b+c d, x?y, :all-time, false]");
    }

    @Test
    void shouldPassWindowAndSystem() {
        answer("topology/words-1-7?window=600&sys=1");

        assertThat(nimbus.calls()).containsExactly("getTopologyPageInfo[words-1-7, 600, true]");
    }

    @Test
    void shouldTellActionsFromQueries() {
        assertThat(api.isAction(RestTesting.request("POST topology/words-1-7/kill/0", "")))
                .isTrue();
        assertThat(api.isAction(RestTesting.request("POST topology/words-1-7/logconfig", "")))
                .isTrue();
        assertThat(api.isAction(RestTesting.request("POST unknown", ""))).isTrue();
        assertThat(api.isAction(RestTesting.request("topology/words-1-7/profiling/restartworker/h:1", "")))
                .isTrue();
        assertThat(api.isAction(RestTesting.request("topology/words-1-7/profiling/start/h:1/5", "")))
                .isTrue();
        assertThat(api.isAction(RestTesting.request("topology/words-1-7/logconfig", "")))
                .isFalse();
        assertThat(api.isAction(RestTesting.request("topology/words-1-7", ""))).isFalse();
    }

    @Test
    void shouldActOnPostOnly() {
        assertFailure(
                answer("topology/words-1-7/kill/0"), 405, "405 Method Not Allowed", "the method of this path is POST");
        assertThat(nimbus.calls()).isEmpty();
    }

    @Test
    void shouldCallBack() {
        RestAnswer answer = answer("history/summary?callback=jQuery1.on_answer");

        assertThat(answer.contentType()).isEqualTo("application/javascript;charset=utf-8");
        assertThat(answer.body()).isEqualTo("jQuery1.on_answer({\"topo-history\":[\"words-1-7\"]});");
    }

    @ParameterizedTest
    @ValueSource(strings = {"alert(1)", "a.b;c", "a..b", "1a", "a[0]", "<script>", "a\nb", ".a", "a b"})
    void shouldCallBackFunctionsOnly(String callback) {
        RestRequest request =
                new RestRequest("GET", "/api/v1/history/summary", Map.of("callback", List.of(callback)), "", "ann");

        assertFailure(
                api.answer(request),
                400,
                "400 Bad Request",
                "parameter 'callback' must be the name of a JavaScript function");
    }

    private RestAnswer answer(String request) {
        return api.answer(RestTesting.request(request, ""));
    }

    private static void assertFailure(RestAnswer answer, int status, String error, String message) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(status);
        assertThat(answer.contentType()).isEqualTo("application/json;charset=utf-8");
        assertThat(Utils.parseJson(answer.body())).isEqualTo(Map.of("error", error, "errorMessage", message));
    }
}
