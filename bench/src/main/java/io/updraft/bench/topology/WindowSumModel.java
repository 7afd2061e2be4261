package io.updraft.bench.topology;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.storm.utils.TupleUtils;

/**
 * Knows the numbers that each task of the window bolt of {@link WindowSumTopology} receives, and so its windows and their sums.
 * A task receives the numbers of its keys in the order of the spout, and they repeat after {@link WindowSumTopology#LIMIT}
 * numbers of the spout. Fields grouping chooses a key's task as Storm does. Immutable.
 */
final class WindowSumModel {

    /** For each task, by its index: those of the numbers 0 to {@code LIMIT} - 1 that it receives, in order. */
    private final List<int[]> numbers;

    /**
     * Creates a model.
     *
     * @param tasks the number of tasks of the window bolt; with one task, which receives all numbers, keys do not matter
     */
    WindowSumModel(int tasks) {
        int[] taskOf = IntStream.range(0, WindowSumTopology.LIMIT)
                .map(number -> TupleUtils.chooseTaskIndex(List.of(WindowSumTopology.key(number)), tasks))
                .toArray();
        numbers = IntStream.range(0, tasks)
                .mapToObj(task -> IntStream.range(0, WindowSumTopology.LIMIT)
                        .filter(number -> taskOf[number] == task)
                        .toArray())
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * Returns the expected sum of a window.
     *
     * @param task the index of the task among the bolt's tasks
     * @param window the number of the window among the task's windows, from 1
     * @return the sum; -1, which is no sum, for a task without keys
     */
    int sum(int task, long window) {
        int[] received = numbers.get(task);
        if (received.length == 0) {
            return -1;
        }
        long end = window * WindowSumTopology.SLIDE;
        int sum = 0;
        for (long index = Math.max(0, end - WindowSumTopology.LENGTH); index < end; index++) {
            sum += received[(int) (index % received.length)];
        }
        return sum;
    }

    /** {@return the number of windows that each task must evaluate when the spout has emitted so many numbers, largest first} */
    List<Long> windows(long emitted) {
        return numbers.stream()
                .map(taskNumbers -> received(taskNumbers, emitted) / WindowSumTopology.SLIDE)
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /**
     * Returns the count of numbers that have left all windows. Numbers in the newest window of a task, and numbers that wait
     * for its next one, have not.
     */
    long left(long emitted) {
        return windows(emitted).stream()
                .mapToLong(windows -> Math.max(0, windows * WindowSumTopology.SLIDE - WindowSumTopology.LENGTH))
                .sum();
    }

    private static long received(int[] taskNumbers, long emitted) {
        long rest = emitted % WindowSumTopology.LIMIT;
        long ofRest = IntStream.of(taskNumbers).filter(number -> number < rest).count();
        return emitted / WindowSumTopology.LIMIT * taskNumbers.length + ofRest;
    }
}
