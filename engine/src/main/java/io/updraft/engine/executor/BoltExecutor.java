package io.updraft.engine.executor;

import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.count.InputCounts;
import io.updraft.engine.emit.BoltCollector;
import io.updraft.engine.emit.CountingBoltCollector;
import io.updraft.engine.emit.OutStreams;
import io.updraft.engine.emit.Outbox;
import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.state.TopologyServices;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.TopologyContext;

/** Runs the tasks of one executor of a bolt. */
public final class BoltExecutor extends Executor {

    private final BoltTask[] tasks;

    /** The task if there is only one, else null. */
    private BoltTask sole;

    private final int firstTask;
    private final InputCounts inputs;
    private boolean allOpen;

    public BoltExecutor(
            TopologyServices shared, ExecutorPlan plan, ExecutorRuntime host, Consumer<ErrorReport> onDeath) {
        super(shared, plan, host, onDeath);
        firstTask = plan.taskIds()[0];
        tasks = Arrays.stream(plan.taskIds()).mapToObj(BoltTask::new).toArray(BoltTask[]::new);
        sole = tasks.length == 1 ? tasks[0] : null;
        inputs = emits.inputs();
    }

    @Override
    public boolean isPolled() {
        return !allOpen && shared.lifecycle().wasEverActive() || actions.isPlaced();
    }

    @Override
    int run(long now) {
        if (!allOpen) {
            return openAll();
        }
        int from = input.position();
        int to = Math.min(input.batch().tupleCount(), from + budget.calls());
        if (from < to && budget.isSampled()) {
            executeTimed(now);
        }
        execute(to, now);
        int done = input.position() - from;
        countExecuted(done);
        if (inputs.isByStream()) {
            inputs.executed(input.batch(), from, input.position());
        }
        budget.countCalls(done);
        input.clearTaken();
        return done;
    }

    private void executeTimed(long now) {
        int first = input.position();
        EngineTuple tuple = input.batch().tuple(first);
        if (shared.settings().acking()) {
            tuple.time(now);
        }
        execute(first + 1, now);
        long nanos = shared.clock().nanoTime() - now;
        executeLatency.record(nanos);
        if (input.position() > first) {
            inputs.recordExecute(inputs.placeOf(tuple), nanos);
        }
    }

    private void execute(int to, long now) {
        while (input.position() < to && allOpen && !outbox.hasEnough() && !isOver(now)) {
            int end = Math.min(to, input.position() + CALLS_AT_ONCE);
            if (sole != null) {
                executeSole(end);
            } else {
                executeSome(end);
            }
        }
    }

    /** Does the same as executeSome for a single task, without looking up the bolt for each tuple. */
    private void executeSole(int to) {
        Batch in = input.batch();
        Outbox out = outbox;
        IBolt bolt = sole.bolt;
        int index = input.position();
        EngineTuple tuple = null;
        try {
            do {
                tuple = in.tuple(index++);
                bolt.execute(tuple);
            } while (index < to && !out.shipsEach());
            input.moveTo(index);
        } catch (Throwable t) {
            input.moveTo(index);
            sole.collector.fail(tuple);
            failures.handle(sole.taskId, "execute", t);
        }
    }

    /**
     * Executes at least one tuple, and continues while the loop is not lost. Other checks are made only every few calls,
     * because they add up.
     */
    private void executeSome(int to) {
        Batch in = input.batch();
        int index = input.position();
        BoltTask task = null;
        EngineTuple tuple = null;
        try {
            do {
                tuple = in.tuple(index);
                task = tasks[in.target(index) - firstTask];
                input.moveTo(++index);
                task.bolt.execute(tuple);
            } while (index < to && !outbox.shipsEach());
        } catch (Throwable t) {
            task.collector.fail(tuple);
            failures.handle(task.taskId, "execute", t);
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
            failures.handle(task.taskId, "prepare", t);
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
        OutStreams out = newStreams(taskId, context);
        task.take(
                bolt,
                inputs.isByStream()
                        ? new CountingBoltCollector(emits, out, context, taskId)
                        : new BoltCollector(emits, out, context, taskId));
        bolt.prepare(newConf(), context, task.collector);
        task.opened();
    }

    @Override
    public Object anyInstance() {
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
            failures.closing(taskId, "cleanup", t);
        }
        task.release();
    }

    @Override
    void releaseOwn() {}

    @Override
    public BoltExecutor successor(ExecutorPlan next) {
        return new BoltExecutor(shared, next, host, failures.onDeath());
    }

    /** Returns true: a bolt owns no trees, and it can ack the tuples that it holds on any executor. */
    @Override
    public boolean isSettled() {
        return true;
    }

    @Override
    public void handOver(int taskId, Executor to) {
        BoltExecutor next = (BoltExecutor) to;
        BoltTask task = tasks[taskId - firstTask];
        next.tasks[taskId - next.firstTask] = task;
        task.moveTo(next);
    }

    @Override
    public void begin() {
        sole = tasks.length == 1 ? tasks[0] : null;
        allOpen = Arrays.stream(tasks).allMatch(task -> task.bolt != null);
    }

    @Override
    void afterLongTurn(long nanos) {}

    @Override
    void publishOwn() {}
}
