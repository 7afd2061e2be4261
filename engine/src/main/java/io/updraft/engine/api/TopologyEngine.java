package io.updraft.engine.api;

import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.RunningCode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One running topology, in this JVM ({@code Engine}) or in worker processes.
 *
 * <p>All methods may be called from any thread except those that run user code of the topology.
 */
public interface TopologyEngine extends AutoCloseable {

    /** {@return the plan that the engine runs} */
    Plan plan();

    /** Activates the spouts: the engine calls {@code nextTuple} from now on. */
    void activate();

    /** Deactivates the spouts: the engine no longer calls {@code nextTuple}. Tuples in flight are still processed. */
    void deactivate();

    /** {@return whether the spouts are active} */
    boolean isActive();

    /**
     * Waits until nothing is in flight: every tuple executed and every tuple tree completed. Only meaningful when the spouts
     * are inactive or have nothing more to emit.
     *
     * @param limit the longest time to wait
     * @return whether the topology was idle in time
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean awaitIdle(Duration limit) throws InterruptedException;

    /**
     * Waits until every tuple that was emitted is executed. Tuple trees need not be complete: bolts may still hold tuples that
     * they have not acked, and acks may be on their way to spouts. {@link #awaitIdle} waits for these as well.
     *
     * @param limit the longest time to wait
     * @return whether every tuple was executed in time
     * @throws UnsupportedOperationException when the topology runs in worker processes, whose queues this process cannot see
     * @throws InterruptedException when the calling thread is interrupted
     */
    default boolean awaitExecuted(Duration limit) throws InterruptedException {
        throw new UnsupportedOperationException(
                "awaitExecuted cannot see the queues of worker processes; use awaitIdle");
    }

    /**
     * Changes the numbers of executors of some components while the topology runs. Tasks keep their instances and queued
     * tuples. {@link #plan} then returns the new plan.
     *
     * @param executors the numbers by component, at least 1 each; a component gets no more executors than it has tasks
     * @param limit how long to wait for the pending messages of a changed spout before they fail
     * @return false, with the plan unchanged, in two cases: user code did not return in time, or a spout emitted failed
     *     messages again and was not done with them ten seconds later. Messages may have failed then
     * @throws io.updraft.engine.plan.InvalidTopology when there is no such component or the number is not allowed
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean rebalance(Map<String, Integer> executors, Duration limit) throws InterruptedException;

    /** {@return the newest messages that were given up, oldest first, with what became of their replays} */
    default List<DeadLetter> deadLetters() {
        return List.of();
    }

    /**
     * Orders the replay of dead letters: their spouts' tasks emit them once more, as soon as they may emit. A letter whose replay
     * is under way or has completed is not replayed once more. A letter whose replay fails can be replayed again.
     *
     * @param numbers the numbers of the letters
     * @return the numbers of the letters that are replayed by this order
     * @throws IllegalArgumentException when there is no such letter or it cannot be replayed; then none is replayed
     * @throws IllegalStateException when the topology is not active
     */
    default List<Long> replay(Collection<Long> numbers) {
        throw new IllegalArgumentException("topology '" + plan().name() + "' has no dead letters");
    }

    /**
     * Orders the {@link #replay} of all dead letters that can be replayed.
     *
     * @return the numbers of the letters that are replayed by this order
     * @throws IllegalStateException when the topology is not active
     */
    default List<Long> replayAll() {
        return List.of();
    }

    /** {@return the current state of the topology; after close, the last state} */
    EngineSnapshot snapshot();

    /** {@return the failure that ended the topology; null while the topology runs, or if its owner closed it} */
    ErrorReport death();

    /**
     * Finds the code of components that threads of this JVM run.
     *
     * @param stacks threads with their stacks
     * @return the code of each thread that runs code of a component of this topology
     */
    default Map<Thread, RunningCode> codeOf(Map<Thread, StackTraceElement[]> stacks) {
        return Map.of();
    }

    /**
     * Finds the classes of the components that have tasks in this JVM.
     *
     * @return the names of the classes whose frames on a stack are code of the component, by component; components of the same
     *     class have the same names
     */
    default Map<String, Set<String>> componentClasses() {
        return Map.of();
    }

    /**
     * Reports that a thread of this JVM has called {@code System.exit} and blocks there while the exit is held up. If the
     * thread runs code of a component, the topology ends with that failure, whatever {@code updraft.on.error} says: the
     * component's thread never returns.
     *
     * @param thread the thread
     * @param stack the stack of the thread
     * @return whether the code belongs to a component of this topology
     */
    default boolean exitCalled(Thread thread, StackTraceElement[] stack) {
        return false;
    }

    /** Stops at once. Tuples in flight are lost; {@code close} and {@code cleanup} are called. Idempotent. */
    @Override
    void close();
}
