package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.HotKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The texts of errors that workers report and the console reads: both sides must agree. */
class ReportedErrorsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> STACK = List.of(
            "java.base@17.0.1/java.lang.Thread.sleep(Native Method)",
            "app//a.b.Foo$1.lambda$run$0(Foo.java:17)",
            "a.b.Generated.call(Unknown Source)",
            "a.b.Foo.<init>(Foo.java)");

    private static String print(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    private static CallInProgress call(long seconds, String thread, String activity, boolean deadlocked) {
        return new CallInProgress("count, at 3", 12, "execute", seconds * SECOND, thread, activity, deadlocked, STACK);
    }

    private static void assertRoundTrip(CallInProgress call) {
        assertThat(StuckCallException.parse(call.component(), print(new StuckCallException(call))))
                .contains(call);
    }

    @Test
    void shouldReadACallBack() {
        assertRoundTrip(call(3, "updraft-loop-0", "sleeping", false));
        assertRoundTrip(call(105, "a ('b')", "waiting for a.B@1c held by 'x, y'", true));
        assertRoundTrip(call(2 * 3600 + 7 * 60, "t", "running", false));
        assertRoundTrip(new CallInProgress("c", 1, "nextTuple", 3 * SECOND, "t", "waiting", false, List.of()));
    }

    @Test
    void shouldNameTheCallBeforeItsStack() {
        assertThat(print(new StuckCallException(call(12, "t\n\tat x.Y.z(Y.java:1)", "sleeping", false)))
                        .lines())
                .startsWith(
                        "stuck: count, at 3 task 12 in execute() for 12s at Foo.java:17, sleeping"
                                + " (thread 't  at x.Y.z(Y.java:1)')",
                        "\tat " + STACK.get(0))
                .hasSize(1 + STACK.size());
    }

    @Test
    void shouldReadAHotKeyBack() {
        for (String stream : List.of("default", "other")) {
            HotKey key = new HotKey("price", stream, "by customer", "customer, day", "a = b; (c", 820, 3, 1, 4, 900);
            HotKeyException.Lasting lasting = new HotKeyException.Lasting(key, 15 * SECOND);
            assertThat(HotKeyException.parse("by customer", print(new HotKeyException(lasting))))
                    .contains(lasting);
            assertThat(HotKeyException.parse("by", print(new HotKeyException(lasting))))
                    .isEmpty();
        }
    }

    @Test
    void shouldPrintAHotKeyInOneLine() {
        HotKey key = new HotKey("price", "default", "by-customer", "customer", "acme", 823, 3, 1, 4, 855);
        assertThat(print(new HotKeyException(new HotKeyException.Lasting(key, 15 * SECOND)))
                        .strip())
                .isEqualTo("hot key: 82% of price's tuples for by-customer have customer = acme;"
                        + " task 3 (2 of 4) gets 86%, for 15s");
    }

    @Test
    @Timeout(10)
    void shouldNotSearchTextsThatAreMadeToTakeLong() {
        String hot = "hot key: 1% of " + "a's tuples for c have a = a; task ".repeat(10_000);
        String stuck = "stuck: c task 1 in x() for 3s, " + " (thread '".repeat(100_000);
        assertThat(HotKeyException.parse("c", hot)).isEmpty();
        assertThat(HotKeyException.parse("c", hot.substring(0, 1_000))).isEmpty();
        assertThat(StuckCallException.parse("c", stuck)).isEmpty();
        assertThat(StuckCallException.parse("c", stuck.substring(0, 4_000))).isEmpty();
    }

    @Test
    void shouldNotTakeOtherErrorsForThese() {
        for (String text : List.of(
                "",
                "stuck: c",
                "stuck: c task 99999999999 in x() for 3s, running (thread 't')",
                "stuck: c task 1 in x() for s3h, running (thread 't')",
                "hot key: c",
                "java.lang.IllegalStateException: stuck: c task 1 in x() for 3s, running (thread 't')")) {
            assertThat(StuckCallException.parse("c", text)).isEmpty();
            assertThat(HotKeyException.parse("c", text)).isEmpty();
        }
    }
}
