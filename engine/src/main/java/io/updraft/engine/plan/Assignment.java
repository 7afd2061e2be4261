package io.updraft.engine.plan;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Defines which worker runs which executor, and which tasks each executor has. Immutable.
 *
 * <p>Executors are either distributed evenly or assigned by a scheduler: Storm's Nimbus numbers the tasks, groups them into
 * executors and assigns the executors to workers. Nimbus also numbers system tasks such as ackers, which this engine does not
 * have. The tasks of such a plan have gaps between them.
 */
public final class Assignment {

    private final int workers;

    /** Null if the executors are dealt out evenly. */
    private final SortedMap<Integer, String> componentOfTask;

    /** The worker by the first task of the executor; null if the executors are distributed evenly. */
    private final SortedMap<Integer, Integer> workerOfExecutor;

    private Assignment(
            int workers, SortedMap<Integer, String> componentOfTask, SortedMap<Integer, Integer> workerOfExecutor) {
        this.workers = workers;
        this.componentOfTask = componentOfTask;
        this.workerOfExecutor = workerOfExecutor;
    }

    /**
     * Distributes the executors over the workers in turn, ordered by component and task, as Storm's even scheduler does. If
     * there are more workers than executors, some workers get none.
     *
     * @param workers number of workers
     * @return the assignment
     */
    public static Assignment even(int workers) {
        return new Assignment(workers, null, null);
    }

    /**
     * Creates the assignment that a scheduler has made.
     *
     * @param componentOfTask the component by task id; the tasks of a component are contiguous
     * @param workerOfExecutor the worker by the first task of each executor
     * @param workers number of workers; they are numbered from 0
     * @return the assignment
     * @throws IllegalArgumentException when an executor is assigned to a worker that does not exist
     */
    public static Assignment of(
            Map<Integer, String> componentOfTask, Map<Integer, Integer> workerOfExecutor, int workers) {
        workerOfExecutor.forEach((task, worker) -> {
            if (worker < 0 || worker >= workers) {
                throw new IllegalArgumentException("the executor of task " + task + " is assigned to worker " + worker
                        + ", which does not exist: the topology has " + workers + " workers, numbered from 0");
            }
        });
        return new Assignment(workers, new TreeMap<>(componentOfTask), new TreeMap<>(workerOfExecutor));
    }

    /** {@return number of workers} */
    public int workers() {
        return workers;
    }

    /** {@return whether the executors are distributed evenly; tasks are then numbered from 1} */
    boolean isEven() {
        return componentOfTask == null;
    }

    /** Finds the tasks of a component, ascending, in the assignment of a scheduler. */
    int[] tasksOf(String component) {
        int[] tasks = componentOfTask.entrySet().stream()
                .filter(task -> task.getValue().equals(component))
                .mapToInt(Map.Entry::getKey)
                .toArray();
        if (tasks.length == 0 || tasks[tasks.length - 1] - tasks[0] >= tasks.length) {
            throw new InvalidTopology("component '" + component + "': its task ids are missing or not contiguous");
        }
        return tasks;
    }

    /** Splits the contiguous tasks of a component into executors as the scheduler has assigned them. */
    int[][] executorsOf(String component, int[] tasks) {
        int end = tasks[tasks.length - 1] + 1;
        int[] first = workerOfExecutor.subMap(tasks[0], end).keySet().stream()
                .mapToInt(Integer::intValue)
                .toArray();
        if (first.length == 0 || first[0] != tasks[0]) {
            throw new InvalidTopology(
                    "component '" + component + "': task " + tasks[0] + " is not assigned to a worker");
        }
        int[][] executors = new int[first.length][];
        for (int i = 0; i < first.length; i++) {
            int to = i + 1 < first.length ? first[i + 1] : end;
            executors[i] = IntStream.range(first[i], to).toArray();
        }
        return executors;
    }

    /** Finds the worker of an executor by its position among all executors or by its first task. */
    int workerOf(int executor, int firstTask) {
        return isEven() ? executor % workers : workerOfExecutor.get(firstTask);
    }
}
