package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.KeyRate;
import io.updraft.engine.snapshot.KeyedStream;
import io.updraft.observe.view.HotKeyException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.generated.ErrorInfo;
import org.junit.jupiter.api.Test;

class TroubleReporterTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long START_SECONDS = 1_700_000_000;

    /** The errors in Nimbus, of all workers. */
    private final List<ErrorInfo> known = new ArrayList<>();

    private final List<ErrorReport> reports = new ArrayList<>();
    private final TroubleReporter reporter = newReporter(reports);
    private long second;

    private TroubleReporter newReporter(List<ErrorReport> taken) {
        return new TroubleReporter(
                report -> {
                    taken.add(report);
                    known.add(new ErrorInfo(
                            ClusterUtils.stringifyError(report.error()), (int) (report.timeMillis() / 1_000)));
                },
                component -> component.equals("to") ? known : List.of(),
                () -> Instant.ofEpochSecond(START_SECONDS + second));
    }

    private EngineSnapshot snapshot(List<CallInProgress> calls, List<KeyedStream> keyed) {
        return new EngineSnapshot(
                second * SECOND,
                true,
                List.of(),
                List.of(),
                new long[0],
                0,
                List.of(),
                calls,
                keyed,
                List.of(),
                List.of());
    }

    private static CallInProgress call(String component, long seconds) {
        return new CallInProgress(
                component,
                3,
                "execute",
                seconds * SECOND,
                "loop",
                "waiting for x",
                true,
                List.of("a.Foo.execute(Foo.java:17)"));
    }

    private static KeyedStream hot(String key) {
        return new KeyedStream(
                "from",
                "default",
                "to",
                "word",
                new long[] {900, 100},
                List.of(new KeyRate(key, 4, 0, 800)),
                List.of(4));
    }

    private static KeyedStream withoutQueue(String key) {
        KeyedStream hot = hot(key);
        return new KeyedStream(
                hot.from(), hot.stream(), hot.to(), hot.fields(), hot.tuplesPerHour(), hot.keys(), List.of());
    }

    private List<Long> secondsOfReports() {
        return reports.stream()
                .map(report -> report.timeMillis() / 1_000 - START_SECONDS)
                .toList();
    }

    @Test
    void shouldReportACallWithItsStackAndRemindOfIt() {
        for (second = 0; second <= 4_000; second++) {
            reporter.look(snapshot(List.of(call("count", second)), List.of()));
        }

        assertThat(secondsOfReports()).containsExactly(3L, 15L, 60L, 300L, 3_900L);
        ErrorReport first = reports.get(0);
        assertThat(first.componentId()).isEqualTo("count");
        assertThat(first.taskId()).isEqualTo(3);
        assertThat(first.error())
                .hasToString(
                        "stuck: count task 3 in execute() for 3s at Foo.java:17, DEADLOCK: waiting for x (thread 'loop')");
        assertThat(first.error().getStackTrace())
                .extracting(StackTraceElement::toString)
                .containsExactly("a.Foo.execute(Foo.java:17)");
    }

    @Test
    void shouldReportAHotKeyThatLastsAndRemindOfIt() {
        for (second = 0; second <= 4_000; second++) {
            reporter.look(snapshot(List.of(), List.of(hot("the"))));
        }

        assertThat(secondsOfReports()).containsExactly(6L, 18L, 63L, 303L, 3_903L);
        assertThat(reports.get(1).componentId()).isEqualTo("to");
        assertThat(reports.get(1).error())
                .isInstanceOf(HotKeyException.class)
                .hasToString("hot key: 80% of from's tuples for to have word = the; task 4 (1 of 2) gets 90%, for 15s");
    }

    @Test
    void shouldNotReportAKeyWhoseTaskIsNotKnownToBeOverloaded() {
        for (second = 0; second < 100; second++) {
            reporter.look(snapshot(List.of(), List.of(withoutQueue("the"))));
        }

        assertThat(reports).isEmpty();
    }

    @Test
    void shouldReportOneNewKeyOfAComponentAMinute() {
        for (second = 0; second < 600; second++) {
            reporter.look(snapshot(List.of(), List.of(hot("key " + second / 10))));
        }

        assertThat(reports).hasSize(10);
    }

    @Test
    void shouldNotReportAKeyThatAnotherWorkerHasReported() {
        List<ErrorReport> others = new ArrayList<>();
        TroubleReporter other = newReporter(others);
        for (second = 0; second <= 4_000; second++) {
            reporter.look(snapshot(List.of(), List.of(hot("the"))));
            other.look(snapshot(List.of(call("count", second)), second == 0 ? List.of() : List.of(hot("the"))));
        }

        assertThat(reports).hasSize(5);
        assertThat(others).hasSize(5).extracting(ErrorReport::componentId).containsOnly("count");
    }

    @Test
    void shouldReportAKeyThatAnotherWorkerReportsNoMore() {
        List<ErrorReport> others = new ArrayList<>();
        TroubleReporter other = newReporter(others);
        for (second = 0; second <= 100; second++) {
            reporter.look(snapshot(List.of(), second <= 20 ? List.of(hot("the")) : List.of()));
            other.look(snapshot(List.of(), List.of(hot("the"))));
        }

        assertThat(secondsOfReports()).containsExactly(6L, 18L);
        assertThat(others).hasSize(1);
    }
}
