package io.updraft.engine.run;

import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.storm.task.IBolt;

/** Runs the tasks of one executor of a bolt. */
final class BoltExecutor extends Executor {

    private final BoltTask[] tasks;

    /** The task if there is only one, else null. */
    private BoltTask sole;

    private final int firstTask;
    private final InputCounts inputs;

    public BoltExecutor(
            TopologyServices shared, ExecutorPlan plan, ExecutorRuntime runtime, Consumer<ErrorReport> onDeath) {
        super(shared, plan, runtime, onDeath);
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
        input.prefetch(to);
        if (from < to && budget.isSampled()) {
            executeTimed(now);
        }
        execute(to, now);
        int done = input.position() - from;
        executed += done;
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
     * Executes at least one tuple, and continues while the turn has its loop. Other checks are made only every few calls,
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

    @Override
    int taskCalled() {
        Batch in = input.batch();
        int last = input.position() - 1;
        return sole == null && last >= 0 && last < in.tupleCount() ? in.target(last) : firstTask;
    }

    @Override
    BoltTask[] tasks() {
        return tasks;
    }

    @Override
    public BoltExecutor successor(ExecutorPlan next) {
        return new BoltExecutor(shared, next, runtime, failures.onDeath());
    }

    @Override
    public void begin() {
        super.begin();
        sole = tasks.length == 1 ? tasks[0] : null;
    }
}
