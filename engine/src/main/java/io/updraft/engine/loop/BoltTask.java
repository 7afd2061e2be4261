package io.updraft.engine.loop;

import org.apache.storm.task.IBolt;

/** One task of a bolt: the current instance, or null while it is to be rebuilt. */
final class BoltTask {

    final int taskId;
    IBolt bolt;
    BoltCollector collector;

    BoltTask(int taskId) {
        this.taskId = taskId;
    }
}
