package io.updraft.console.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.observe.history.Histories;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.HotKeyException;
import io.updraft.observe.view.StuckCallException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.generated.ErrorInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Errors in Nimbus that are reports of Updraft's workers. */
@Timeout(60)
class ReportedTroublesTest {
    private static final JsonObject WORDS = JsonObject.of("topology", "words");
    private static final String SLEEPING = "split task 3 in execute() for 12s at Foo.java:17, sleeping (reported ";
    private static final String HOT =
            "hot key: 82% of lines's tuples for split have word = the; task 4 (3 of 4) gets 90%";

    private final FakeNimbus nimbus = new FakeNimbus();

    private static long now() {
        return System.currentTimeMillis() / 1_000;
    }

    private static ErrorInfo call(int task, long seconds, boolean deadlocked, long secondsAgo) {
        CallInProgress call = new CallInProgress(
                "split",
                task,
                "execute",
                seconds * 1_000_000_000L,
                "loop-" + task,
                "sleeping",
                deadlocked,
                List.of("java.base/java.lang.Thread.sleep(Native Method)", "a.Foo.execute(Foo.java:17)"));
        return error(new StuckCallException(call), secondsAgo);
    }

    private static ErrorInfo key(long seconds, long secondsAgo) {
        HotKey key = new HotKey("lines", "default", "split", "word", "the", 820, 4, 2, 4, 900);
        return error(new HotKeyException(new HotKeyException.Lasting(key, seconds * 1_000_000_000L)), secondsAgo);
    }

    private static ErrorInfo error(Throwable error, long secondsAgo) {
        return FakeNimbus.error(ClusterUtils.stringifyError(error), now() - secondsAgo);
    }

    private String ask(String request, JsonObject arguments) throws Exception {
        NimbusCaller caller = new NimbusCaller(nimbus);
        Histories histories = new Histories();
        try (ClusterState state =
                new ClusterState(caller, caller.read(new ClusterCalls.Cluster()), histories, Duration.ofSeconds(30))) {
            Map<String, RequestHandler> handlers = ClusterRequests.handlers(state, histories);
            handlers.get("live").answer(WORDS);
            return Json.write(handlers.get(request).answer(arguments));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String component() throws Exception {
        return ask("component", JsonObject.of("topology", "words").with("component", "split"));
    }

    @Test
    void shouldShowStuckCallsOfAllWhoLook() throws Exception {
        nimbus.errors = List.of(call(3, 12, false, 2));

        assertThat(ask("overview", JsonObject.of()))
                .contains("{\"kind\":\"stuck\",\"label\":\"stuck\",\"text\":\"" + SLEEPING)
                .contains(" by b:6701)\"")
                .contains("\"condition\":\"stuck\"")
                .doesNotContain("\"kind\":\"error\"");
        assertThat(ask("live", WORDS)).contains("\"text\":\"" + SLEEPING, "\"marks\":{\"split\":[\"stuck\"");
        assertThat(component())
                .contains("\"calls\":[{\"component\":\"split\",\"task\":3,\"method\":\"execute\",\"seconds\":12.0,"
                        + "\"thread\":\"loop-3\",\"activity\":\"sleeping\",\"deadlocked\":false,"
                        + "\"place\":\"Foo.java:17\",\"line\":\"" + SLEEPING)
                .contains(
                        "\"stack\":[\"java.base/java.lang.Thread.sleep(Native Method)\",\"a.Foo.execute(Foo.java:17)\"]");
    }

    @Test
    void shouldShowTheNewestReportOfEachCallAndDeadlocksFirst() throws Exception {
        nimbus.version = "2.999.0";
        nimbus.errors = List.of(
                error(new IllegalStateException("no"), 1),
                call(3, 15, false, 2),
                key(3, 3),
                call(3, 3, false, 14),
                call(4, 3, true, 15));

        String live = ask("live", WORDS);

        assertThat(live)
                .containsSubsequence(
                        "\"deadlock\"", "split task 4", "DEADLOCK: sleeping", "\"stuck\"", "split task 3", "]");
        assertThat(component()).containsSubsequence("\"calls\":[", "\"deadlocked\":true", "\"deadlocked\":false");
        assertThat(live).contains("for 15s").doesNotContain("task 3 in execute() for 3s");
        assertThat(live).contains("\"text\":\"" + HOT.replaceFirst("^hot key: ", ""), "\"hot-key\"");
        assertThat(live).contains("\"kind\":\"error\"");
        assertThat(component()).contains("\"hotKeys\":[\"" + HOT);
    }

    @Test
    void shouldShowReportsUntilTheyMustHaveBeenRepeated() throws Exception {
        // A call of 3 s is reported again 12 s later; 30 s are for delays.
        nimbus.errors = List.of(call(3, 3, false, 40), key(3, 40));
        assertThat(component()).contains("\"line\":\"split task 3", "\"hotKeys\":[\"hot key");

        nimbus.errors = List.of(call(3, 3, false, 45), key(3, 45));
        assertThat(component()).contains("\"calls\":[]", "\"hotKeys\":[]", "\"error\":\"stuck: split task 3");
        assertThat(ask("overview", JsonObject.of())).doesNotContain("\"kind\":\"stuck\"", "\"kind\":\"error\"");
    }

    @Test
    void shouldNotShowACallWhoseExecutorExecutesTuplesOrHasStartedSince() throws Exception {
        // The executors have run for 1,000 s; the rates are of ten minutes, reports a minute apart.
        nimbus.errors = List.of(call(3, 300, false, 600));
        assertThat(component()).contains("\"line\":\"split task 3");

        nimbus.errors = List.of(call(3, 300, false, 700));
        assertThat(component()).contains("\"calls\":[]");

        nimbus.tenMinutes = 0;
        assertThat(component()).contains("\"line\":\"split task 3");

        nimbus.errors = List.of(call(3, 300, false, 1_100));
        assertThat(component()).contains("\"calls\":[]");
    }
}
