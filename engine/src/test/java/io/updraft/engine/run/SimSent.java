package io.updraft.engine.run;

import java.util.ArrayList;
import java.util.List;

/** The model's view of one call of emit; it travels in the values of the tuple. */
final class SimSent {

    final int task;
    final String stream;

    /** Which thread of an instance's own emitted it; 0 for the one in the task's turn. */
    final int thread;

    /** Position among what the same thread of the same task emitted on the stream. */
    final int number;

    final int hops;
    final List<SimMessage> trees;
    final List<Integer> arrived = new ArrayList<>();

    /** Whether something was lost while it was on its way. */
    boolean struck;

    /** What emit returned; null while the call is on. */
    List<Integer> targets;

    SimSent(int task, String stream, int thread, int number, int hops, List<SimMessage> trees) {
        this.task = task;
        this.stream = stream;
        this.thread = thread;
        this.number = number;
        this.hops = hops;
        this.trees = trees;
    }

    @Override
    public String toString() {
        return "tuple " + number + " of task " + task + " on '" + stream + "'"
                + (thread == 0 ? "" : " by thread " + thread) + " to " + targets + ", arrived at " + arrived;
    }
}
