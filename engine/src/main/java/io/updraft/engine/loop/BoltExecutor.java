package io.updraft.engine.loop;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.EdgeIds;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.TopologyContext;

/** Runs the tasks of one executor of a bolt. */
final class BoltExecutor extends Executor {

    private final BoltTask[] tasks;

    /** The task if there is only one, else null. */
    private BoltTask sole;

    private final int firstTask;
    final InCounts inputs;
    private boolean allOpen;

    BoltExecutor(Shared shared, ExecutorPlan plan, Host host, Consumer<ErrorReport> onDeath) {
        super(shared, plan, host, onDeath);
        firstTask = plan.taskIds()[0];
        tasks = new BoltTask[plan.taskIds().length];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] = new BoltTask(plan.taskIds()[i]);
        }
        sole = tasks.length == 1 ? tasks[0] : null;
        inputs = new InCounts(this);
    }

    @Override
    boolean isPolled() {
        return !allOpen && shared.lifecycle().wasEverActive() || detour.isOrdered();
    }

    @Override
    int run(long now) {
        if (!allOpen) {
            return openAll();
        }
        int to = Math.min(work.tupleCount(), position + budget());
        int from = position;
        if (from < to && isSampled()) {
            executeTimed(now);
        }
        execute(to, now);
        int done = position - from;
        executed += done;
        if (inputs.several) {
            inputs.executed(work, from, position);
        }
        countCalls(done);
        if (position == work.tupleCount()) {
            work.clearTuples();
            position = 0;
        }
        return done;
    }

    private void executeTimed(long now) {
        int first = position;
        EngineTuple tuple = work.tuple(first);
        if (shared.settings().acking()) {
            tuple.time(now);
        }
        execute(position + 1, now);
        long nanos = shared.clock().nanoTime() - now;
        executeLatency.record(nanos);
        if (position > first) {
            inputs.recordExecute(inputs.placeOf(tuple), nanos);
        }
    }

    private void execute(int to, long now) {
        while (position < to && allOpen && outbox.tupleCount() < OUTBOX_ENOUGH && !isOver(now)) {
            int end = Math.min(to, position + CALLS_AT_ONCE);
            if (sole != null) {
                executeSole(end);
            } else {
                executeSome(end);
            }
        }
    }

    /** Does the same as executeSome for a single task, without looking up the bolt for each tuple. */
    private void executeSole(int to) {
        Batch in = work;
        IBolt bolt = sole.bolt;
        int index = position;
        EngineTuple tuple = null;
        try {
            do {
                tuple = in.tuple(index++);
                bolt.execute(tuple);
            } while (index < to && shipAt != 1);
            position = index;
        } catch (Throwable t) {
            position = index;
            sole.collector.fail(tuple);
            failure(sole.taskId, "execute", t);
        }
    }

    /**
     * Executes at least one tuple, and continues while the loop is not lost. Other checks are made only every few calls,
     * because they add up.
     */
    private void executeSome(int to) {
        int index = position;
        BoltTask task = null;
        EngineTuple tuple = null;
        try {
            do {
                tuple = work.tuple(index);
                task = tasks[work.target(index) - firstTask];
                position = ++index;
                task.bolt.execute(tuple);
            } while (index < to && shipAt != 1);
        } catch (Throwable t) {
            task.collector.fail(tuple);
            failure(task.taskId, "execute", t);
        }
    }

    /** Opens the tasks that are not open. Counts as the work of one turn, because opening may take any time. */
    private int openAll() {
        for (BoltTask task : tasks) {
            if (task.bolt == null && !tryOpen(task)) {
                return 1;
            }
        }
        allOpen = true;
        return 1;
    }

    private boolean tryOpen(BoltTask task) {
        try {
            open(task.taskId);
            return true;
        } catch (Throwable t) {
            failure(task.taskId, "prepare", t);
            return false;
        }
    }

    @Override
    void open(int taskId) {
        BoltTask task = tasks[taskId - firstTask];
        task.release();
        Object instance = component.newInstance().get();
        task.control = new InstanceControl(this, taskId);
        TopologyContext context = newContext(taskId, task.control);
        IBolt bolt = (IBolt) shared.contexts().adopt(instance, context);
        OutStreams out = new OutStreams(shared, component, taskId, context, EdgeIds.seedFor(shared.seed(), -taskId));
        out.moveTo(outputs, isSole());
        task.take(
                bolt,
                inputs.several
                        ? new CountingBoltCollector(this, out, context, taskId)
                        : new BoltCollector(this, out, context, taskId));
        bolt.prepare(newConf(), context, task.collector);
        task.opened();
    }

    boolean isSole() {
        return tasks.length == 1;
    }

    @Override
    Object anyInstance() {
        return tasks[0].instance();
    }

    @Override
    void rewrap(int taskId) {
        tasks[taskId - firstTask].rewrap();
    }

    @Override
    void abandon(int taskId) {
        tasks[taskId - firstTask].release();
        allOpen = false;
    }

    @Override
    void closeInstance(int taskId) {
        BoltTask task = tasks[taskId - firstTask];
        IBolt bolt = task.bolt;
        task.bolt = null;
        allOpen = false;
        if (bolt == null) {
            return;
        }
        try {
            bolt.cleanup();
        } catch (Throwable t) {
            shared.errors().report(component.id(), taskId, "cleanup", t, "the instance is removed anyway");
        }
        task.release();
    }

    @Override
    void releaseOwn() {}

    @Override
    BoltExecutor successor(ExecutorPlan next) {
        return new BoltExecutor(shared, next, host, onDeath);
    }

    /** Returns true: a bolt owns no trees, and it can ack the tuples that it holds on any executor. */
    @Override
    boolean isSettled() {
        return true;
    }

    @Override
    void handOver(int taskId, Executor to) {
        BoltExecutor next = (BoltExecutor) to;
        BoltTask task = tasks[taskId - firstTask];
        next.tasks[taskId - next.firstTask] = task;
        task.moveTo(next);
    }

    @Override
    void begin() {
        sole = tasks.length == 1 ? tasks[0] : null;
        allOpen = Arrays.stream(tasks).allMatch(task -> task.bolt != null);
    }

    @Override
    void afterLongTurn(long nanos) {}

    @Override
    void publishOwn() {}
}
