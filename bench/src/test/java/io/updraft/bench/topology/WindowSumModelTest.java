package io.updraft.bench.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.utils.TupleUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowSumModelTest {

    private static final int EMITTED = 12_345;

    @Test
    void shouldKnowTheSumOfEachWindowOfOneTask() {
        WindowSumModel model = new WindowSumModel(1);

        assertThat(model.sum(0, 1)).isEqualTo(45); // 0 to 9
        assertThat(model.sum(0, 3)).isEqualTo(435); // 0 to 29
        assertThat(model.sum(0, 101)).isEqualTo(19_790 + 45); // 980 to 999, 0 to 9
        assertThat(model.windows(1239)).containsExactly(123L);
        assertThat(model.left(1239)).isEqualTo(1200);
        assertThat(model.left(29)).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 100, 120})
    void shouldKnowTheSumsOfEachTask(int tasks) {
        WindowSumModel model = new WindowSumModel(tasks);
        List<List<Integer>> received = split(tasks);

        for (int task = 0; task < tasks; task++) {
            List<Integer> own = received.get(task);
            for (int window = 1; window * 10 <= own.size(); window++) {
                assertThat(model.sum(task, window))
                        .as("window %s of task %s", window, task)
                        .isEqualTo(own.subList(Math.max(0, window * 10 - 30), window * 10).stream()
                                .mapToInt(Integer::intValue)
                                .sum());
            }
        }
        assertThat(model.windows(EMITTED))
                .isEqualTo(received.stream()
                        .map(own -> own.size() / 10L)
                        .sorted(Comparator.reverseOrder())
                        .toList());
    }

    @Test
    void shouldExpectNoSumOfATaskWithoutKeys() {
        WindowSumModel model = new WindowSumModel(WindowSumTopology.KEYS + 1);

        assertThat(Stream.iterate(0, task -> task + 1).limit(WindowSumTopology.KEYS + 1L))
                .filteredOn(task -> model.sum(task, 1) < 0)
                .hasSize(1);
    }

    /** Sends the spout's numbers to tasks, as fields grouping does. */
    private static List<List<Integer>> split(int tasks) {
        List<List<Integer>> received = new ArrayList<>(Stream.generate(() -> (List<Integer>) new ArrayList<Integer>())
                .limit(tasks)
                .toList());
        for (int sequence = 0; sequence < EMITTED; sequence++) {
            int number = sequence % 1000;
            received.get(TupleUtils.chooseTaskIndex(List.of(number % 100), tasks))
                    .add(number);
        }
        return received;
    }
}
