package io.updraft.engine.grouping;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Chooses the tasks of one subscribing component that receive a tuple. One instance belongs to one emitting task, and a second
 * instance to the threads that the component started. So an instance may keep state without synchronization.
 */
public abstract class Grouper {

    /** Returned by {@link #choose} when the choice is not a single task; see {@link #chooseMany}. */
    public static final int MANY = -1;

    private final int[] targets;
    private final List<Integer>[] singletons;

    /**
     * Creates a grouper.
     *
     * @param targets the subscriber's tasks, ascending
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    protected Grouper(int[] targets) {
        this.targets = targets;
        this.singletons = new List[targets.length];
        Arrays.setAll(singletons, i -> Collections.singletonList(targets[i]));
    }

    /**
     * Chooses a task.
     *
     * @param values the tuple's values
     * @return a position among the targets, or {@link #MANY}
     */
    public abstract int choose(List<Object> values);

    /**
     * Chooses any number of tasks; called after {@link #choose} has returned {@link #MANY}.
     *
     * @param values the tuple's values
     * @return task ids
     */
    public List<Integer> chooseMany(List<Object> values) {
        return Collections.emptyList();
    }

    /** {@return the position that is chosen for any values; {@link #MANY} if the choice varies} */
    public int always() {
        return MANY;
    }

    /**
     * {@return the task at that position}
     *
     * @param index position
     */
    public final int target(int index) {
        return targets[index];
    }

    /**
     * {@return the task at that position}
     *
     * @param index position
     */
    public final List<Integer> singleton(int index) {
        return singletons[index];
    }

    /**
     * {@return whether a task is one of the targets}
     *
     * @param task a task id
     */
    public final boolean isTarget(int task) {
        return Arrays.binarySearch(targets, task) >= 0;
    }

    /** Returns the targets as text for people. */
    final String targets() {
        return Arrays.toString(targets);
    }

    /** {@return number of targets} */
    public final int targetCount() {
        return targets.length;
    }
}
