package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.process.WorkerStatus.State;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkerLinesTest {
    private static final long NOON = 12 * 3_600_000L;

    @Test
    void shouldOnlyCountWorkersThatRun() {
        assertThat(lines(well(0), well(1))).containsExactly("2 up");
        assertThat(WorkerLines.shortage(List.of(well(0), well(1)))).isEmpty();
        assertThat(WorkerLines.restarts(List.of(well(0)), ZoneOffset.UTC)).isEmpty();
    }

    @Test
    void shouldSayNothingWhereThereAreNone() {
        assertThat(lines()).isEmpty();
        assertThat(WorkerLines.shortage(List.of())).isEmpty();
    }

    @Test
    void shouldTellOfWorkersThatWereStartedAgainAfterThoseThatAreNotUp() {
        assertThat(lines(killed(0, State.RUNNING, 2), well(1), killed(2, State.DOWN, 0), silent(3)))
                .containsExactly(
                        "2 of 4 up",
                        "  worker 2: down 00:03:00, last: killed by SIGKILL at 12:00:00",
                        "  worker 3: silent 00:00:04",
                        "  worker 0: up 00:03:00, restarted 2 times, last: killed by SIGKILL at 12:00:00");
    }

    @Test
    void shouldTellOfAFewWorkersOnly() {
        WorkerStatus[] many = IntStream.range(0, 50)
                .mapToObj(worker -> killed(worker, State.RUNNING, 1))
                .toArray(WorkerStatus[]::new);
        assertThat(lines(many))
                .hasSize(6)
                .last()
                .isEqualTo("  ... and 46 more workers that have restarted or are not up");
    }

    @Test
    void shouldNameTheWorkersThatAreMissing() {
        assertThat(WorkerLines.shortage(List.of(well(0), killed(1, State.DOWN, 0))))
                .contains("workers 1 of 2 up: worker 1 (process 7) is down");
    }

    @Test
    void shouldSumUpRestarts() {
        assertThat(WorkerLines.restarts(List.of(well(0), killed(1, State.STOPPED, 1)), ZoneOffset.UTC))
                .containsExactly("worker 1 was restarted once, last: killed by SIGKILL at 12:00:00");
    }

    private static List<String> lines(WorkerStatus... workers) {
        return WorkerLines.of(List.of(workers), ZoneOffset.UTC);
    }

    private static WorkerStatus well(int worker) {
        return new WorkerStatus(worker, 7, State.RUNNING, 180_000_000_000L, 0, null, 0, null, null);
    }

    private static WorkerStatus silent(int worker) {
        return new WorkerStatus(worker, 7, State.SILENT, 4_000_000_000L, 0, null, 0, null, null);
    }

    private static WorkerStatus killed(int worker, State state, int restarts) {
        return new WorkerStatus(worker, 7, state, 180_000_000_000L, restarts, "killed by SIGKILL", NOON, null, null);
    }
}
