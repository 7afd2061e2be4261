package io.updraft.engine.loop;

import org.apache.storm.spout.ISpout;

/** One task of a spout: the current instance, or null while it is to be rebuilt. */
final class SpoutTask {

    final int taskId;

    /** Position among the executor's tasks. */
    final int index;

    ISpout spout;
    SpoutCollector collector;

    /** Whether the instance was told that the topology is active. */
    boolean active;

    SpoutTask(int taskId, int index) {
        this.taskId = taskId;
        this.index = index;
    }
}
