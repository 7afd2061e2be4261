package io.updraft.engine.emit;

/** Which executor has a task of a spout. The collectors of all instances of the task look here, also those of ended instances. */
public final class SpoutTaskOwner {

    private final int taskId;
    private volatile SpoutOutput output;
    private int index;

    public SpoutTaskOwner(int taskId, SpoutOutput output, int index) {
        this.taskId = taskId;
        this.output = output;
        this.index = index;
    }

    public int taskId() {
        return taskId;
    }

    /** Returns the output of the executor. Changes under its lock while it does not run; read by any thread. */
    public SpoutOutput output() {
        return output;
    }

    /** Returns the position among the tasks of the executor, for the thread that runs it. */
    public int index() {
        return index;
    }

    public void moveTo(SpoutOutput next, int nextIndex) {
        output = next;
        index = nextIndex;
    }
}
