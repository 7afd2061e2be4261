package io.updraft.engine.run;

import io.updraft.engine.api.CallNotReturned;
import io.updraft.engine.api.ExitCalled;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.failure.FailureBackOff;
import io.updraft.engine.snapshot.ErrorReport;
import java.util.function.Consumer;

/** Reacts to the failures of one executor: reports them, restarts instances, ends the topology. */
final class ExecutorFailures {

    private final Executor executor;
    private final TopologyServices shared;
    private final Consumer<ErrorReport> onDeath;
    private final FailureBackOff backOff = new FailureBackOff();
    private long errors;
    private long restarts;

    ExecutorFailures(Executor executor, TopologyServices shared, Consumer<ErrorReport> onDeath) {
        this.executor = executor;
        this.shared = shared;
        this.onDeath = onDeath;
    }

    public FailureBackOff backOff() {
        return backOff;
    }

    Consumer<ErrorReport> onDeath() {
        return onDeath;
    }

    /** Handles an exception of user code: reports it and reacts according to {@code updraft.on.error}. */
    void handle(int task, String during, Throwable error) {
        if (shared.lifecycle().isStopping() || shared.lifecycle().isDead()) {
            return;
        }
        if (error instanceof VirtualMachineError && !(error instanceof StackOverflowError)) {
            cannotGoOn(task, during, error);
            return;
        }
        errors++;
        executor.counters().putRelease(ExecutorCounter.ERRORS, errors);
        switch (shared.settings().onError()) {
            case DIE -> die(task, during, error, "the topology ends (updraft.on.error is die)");
            case FAIL_TUPLE -> {
                report(task, during, error, "the instance continues");
                backOff.failed(shared.clock().nanoTime(), executor.successes());
            }
            case RESTART -> {
                backOff.failed(shared.clock().nanoTime(), executor.successes());
                report(task, during, error, "the instance is restarted " + backOff.describe());
                executor.closeInstance(task);
                restarts++;
                executor.counters().putRelease(ExecutorCounter.RESTARTS, restarts);
                // The messages of the instance in flight are gone, even if the turn counts as one without work.
                executor.publishOwn();
            }
        }
    }

    private ErrorReport report(int task, String during, Throwable error, String consequence) {
        return shared.errors().report(executor.component().id(), task, during, error, consequence);
    }

    void closing(int task, String during, Throwable error) {
        report(task, during, error, "the instance is removed anyway");
    }

    /**
     * Ends the topology. Before its report, tells who watches the heap, then frees memory: drops the instance with its data, and
     * the reserve.
     */
    private void cannotGoOn(int task, String during, Throwable error) {
        shared.lifecycle().die();
        MemoryWatch.componentFailed(executor.component().id(), task, during, error);
        executor.abandon(task);
        shared.errors().releaseReserve();
        die(task, during, error, "a restart of the instance would not help; " + whatEnds(error));
    }

    /** A worker process ends after these errors and is started again. */
    private String whatEnds(Throwable error) {
        boolean worker = shared.self() != WorkerOptions.ALONE
                && (error instanceof OutOfMemoryError || error instanceof ExitCalled);
        return worker ? "the worker ends" : "the topology ends";
    }

    /** Ends the topology after a failure outside user code, or one that cannot be handled. */
    void fatal(Throwable error) {
        int task = executor.plan().taskIds()[0];
        MemoryWatch.componentFailed(executor.component().id(), task, "the engine", error);
        die(task, "the engine", error, "the topology ends");
    }

    /**
     * Ends the topology after the executor's thread called {@code System.exit} in a turn. May be called from any thread,
     * because no other thread runs this executor any more.
     */
    void exitedInTurn(String during, Throwable error) {
        executor.counters().putRelease(ExecutorCounter.ERRORS, errors + 1);
        exited(soleTask(), during, error);
    }

    /**
     * Ends the topology after a thread that the component has started called {@code System.exit}. May be called from any
     * thread.
     */
    public void exitedOutside(String during, Throwable error) {
        exited(ErrorReport.NO_TASK, during, error);
    }

    private void exited(int task, String during, Throwable error) {
        if (!shared.lifecycle().isDead()) {
            die(task, during, error, "the thread never returns; " + whatEnds(error));
        }
    }

    /** Reports that a call of the component did not return when the topology was closed. May be called from any thread. */
    public void leftBehind(String method, StackTraceElement[] stack) {
        report(soleTask(), method, new CallNotReturned(method, stack), "its thread is abandoned");
    }

    private int soleTask() {
        int[] tasks = executor.plan().taskIds();
        return tasks.length == 1 ? tasks[0] : ErrorReport.NO_TASK;
    }

    private void die(int task, String during, Throwable error, String consequence) {
        shared.lifecycle().die();
        onDeath.accept(report(task, during, error, consequence));
    }
}
