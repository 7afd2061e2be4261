package io.updraft.observe.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.Move;
import io.updraft.observe.process.JvmUsage;
import io.updraft.observe.process.OldObjects;
import io.updraft.observe.process.WorkerStatus;
import io.updraft.observe.view.Snapshots;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The figures of worker processes, from what they report to the answer. */
class WorkerHistoryTest {
    private static final long START = 1_700_000_000_000L;
    private static final HistorySeries FIRST = ProcessRecorder.worker(0);
    private static final HistorySeries SECOND = ProcessRecorder.worker(1);

    private final WorkersRecorder recorder = new WorkersRecorder();
    private final Histories histories = new Histories();

    private static JvmUsage usage(long uptimeMillis, long heapUsed, long cpuNanos, long gcMillis) {
        return new JvmUsage(uptimeMillis, heapUsed, 0, new OldObjects(0, 0, 0), cpuNanos, gcMillis);
    }

    private static WorkerStatus worker(int number, long pid, JvmUsage usage) {
        WorkerStatus.State state = usage == null ? WorkerStatus.State.DOWN : WorkerStatus.State.RUNNING;
        return new WorkerStatus(number, pid, state, 0, 0, null, 0, usage, null);
    }

    @Test
    void shouldSampleWhatEachWorkerHasUsedBetweenItsReports() {
        recorder.sample(
                List.of(worker(0, 10, usage(4_000, 70, 2_000_000_000L, 100)), worker(1, 11, usage(9_000, 70, 0, 0))));
        Map<HistorySeries, double[]> sample = recorder.sample(List.of(
                worker(0, 10, usage(6_000, 50, 5_000_000_000L, 600)),
                worker(1, 11, usage(10_000, 80, 100_000_000L, 10))));
        assertThat(sample).containsOnlyKeys(FIRST, SECOND);
        assertThat(sample.get(FIRST)).containsExactly(50, 1.5, 0.25);
        assertThat(sample.get(SECOND)).containsExactly(80, 0.1, 0.01);
    }

    @Test
    void shouldSampleNothingOfAWorkerThatIsDownOrSilent() {
        WorkerStatus silent = worker(1, 11, usage(9_000, 70, 900_000_000, 0));
        assertThat(recorder.sample(List.of(worker(0, 10, null), silent))).containsOnlyKeys(SECOND);
        assertThat(recorder.sample(List.of(worker(0, 10, null), silent))).isEmpty();
        WorkerStatus answers = worker(1, 11, usage(13_000, 70, 2_900_000_000L, 0));
        assertThat(recorder.sample(List.of(answers)).get(SECOND)).containsExactly(70, 0.5, 0);
    }

    @Test
    void shouldBeginAtZeroWithANewProcess() {
        recorder.sample(List.of(worker(0, 10, usage(60_000, 1_000, 60_000_000_000L, 9_000))));
        Map<HistorySeries, double[]> sample =
                recorder.sample(List.of(worker(0, 12, usage(2_000, 40, 1_000_000_000L, 20))));
        assertThat(sample.get(FIRST)).containsExactly(40, 0.5, 0.01);
    }

    @Test
    void shouldRecordTheWorkersOfATopologyInsteadOfTheOwnProcess() {
        TopologyRecorder topology = new TopologyRecorder(histories, "numbers");
        topology.add(Snapshots.troubled(), List.of(worker(0, 10, usage(1_000, 40, 0, 0)), worker(1, 11, null)));
        HistoryStep step = histories
                .read("numbers", history -> history.steps(0, 60_000))
                .get(0)
                .get(0);
        assertThat(step.values()).containsKey(FIRST).doesNotContainKeys(SECOND, ProcessRecorder.SERIES);
    }

    @Test
    void shouldAnswerWithGapsWhereAWorkerWasDown() throws Exception {
        History history = histories.begin("numbers");
        histories.add(history, START + 1_000, 1, Map.of(FIRST, new double[] {40, 1.5, 0.25}));
        histories.add(history, START + 2_000, 1, Map.of());
        histories.add(history, START + 3_000, 1, Map.of(FIRST, new double[] {60, 2, 0}));
        histories.addMoves(
                history,
                List.of(
                        new Move(START + 1_200, "worker 0 (sink)", "process 10", "process 12", "killed"),
                        new Move(START + 1_300, "worker 1 (numbers)", "process 11", "process 13", "killed"),
                        new Move(START + 1_400, "sink, task 3", "loop 0", "loop 1", "busy"),
                        new Move(START + 1_500, "all executors", "1 workers", "2 new workers", "rebalanced")));
        Map<?, ?> answer = ask(Map.of("worker", 0));
        List<?> steps = (List<?>) answer.get("steps");
        assertThat(answer.get("worker")).isEqualTo(0);
        assertThat(steps).hasSize(3);
        assertThat(figures(steps.get(0))).containsEntry("heapUsedBytes", 40.0).containsEntry("cpuCores", 1.5);
        assertThat(figures(steps.get(1))).containsOnlyKeys("time", "seconds");
        assertThat(figures(steps.get(2))).containsEntry("heapUsedBytes", 60.0).containsEntry("gcShare", 0.0);
        assertThat((List<?>) answer.get("moves"))
                .extracting(move -> figures(move).get("subject"))
                .containsExactly("worker 0 (sink)", "all executors");
    }

    @Test
    void shouldKeepWorkersOutOfTheTotals() throws Exception {
        histories.add(histories.begin("numbers"), START, 1, Map.of(FIRST, new double[] {40, 1.5, 0.25}));
        List<?> steps = (List<?>) ask(Map.of()).get("steps");
        assertThat(figures(steps.get(0))).doesNotContainKeys("heapUsedBytes", "cpuCores", "gcShare");
    }

    @Test
    void shouldRefuseAWorkerThatItDoesNotKnow() {
        histories.add(histories.begin("numbers"), START, 1, Map.of(FIRST, new double[3], SECOND, new double[3]));
        assertThatThrownBy(() -> ask(Map.of("worker", 2))).hasMessage("no worker 2 in this time; there are: 0, 1");
        assertThatThrownBy(() -> ask(Map.of("worker", "0"))).hasMessage("'worker' must be a number");
        assertThatThrownBy(() -> ask(Map.of("worker", 0, "component", "sink")))
                .hasMessage("a history is that of a component or of a worker, not of both");
    }

    @Test
    void shouldTakeFewBytesForAWorker() {
        History history = histories.begin("numbers");
        for (int i = 1; i <= 3_600; i++) {
            histories.add(history, START + i * 1_000L, 1, Map.of());
        }
        long without = histories.bytes();
        for (int i = 3_601; i <= 7_200; i++) {
            histories.add(history, START + i * 1_000L, 1, Map.of(FIRST, new double[] {1, 2, 3}));
        }
        assertThat(histories.bytes() - without).isBetween(40_000L, 60_000L);
    }

    private Map<?, ?> ask(Map<String, Object> arguments) throws Exception {
        JsonObject request =
                JsonObject.of("lastSeconds", 60).with("stepSeconds", 1).with(arguments);
        return (Map<?, ?>)
                ((List<?>) new HistoryRequest(histories).answer(request).get("topologies")).get(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> figures(Object object) {
        return (Map<String, Object>) object;
    }
}
