package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.tuple.Batch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Distributes the tasks of some components over other executors while the topology runs. Tasks move with their instances, their
 * queued tuples and the tuples they hold. Components do not notice the change.
 *
 * <pre>
 *   settle      spouts emit no more and receive the results of their messages; after a time limit, these fail
 *   hold        the executors get no new work; a detached executor returns to its loop
 *   stand still all loops, between two rounds
 *   swap        tasks, queues, ticks; the old executors keep their counters, and their numbers for late acks
 * </pre>
 *
 * <p>All other components continue meanwhile. Only a spout waits for its own messages, because the trees of an executor cannot
 * be divided.
 *
 * <p>Used once, by a thread that does not belong to the engine: {@link #carryOut}, or its single steps.
 */
final class ExecutorRebalance {

    /** How long executors may take beyond the time limit for their messages. */
    private static final long STAND_NANOS = 10_000_000_000L;

    private static final long LOOK_MILLIS = 2;

    private final LoopAssembly assembly;
    private final Plan next;
    private final List<ExecutorSlot> old;

    /** The same slots by region, from upstream to downstream, that is, by descending region number. */
    private final Collection<List<ExecutorSlot>> regions;

    private boolean failedOpen;

    public ExecutorRebalance(LoopAssembly assembly, Plan next, Set<String> components) {
        this.assembly = assembly;
        this.next = next;
        this.old = assembly.slots().stream()
                .filter(slot -> components.contains(slot.executor().component().id()))
                .sorted(Comparator.comparingInt(slot -> slot.executor().plan().index()))
                .toList();
        this.regions = byRegion(old, assembly.shared().pressure().regions());
    }

    private static Collection<List<ExecutorSlot>> byRegion(List<ExecutorSlot> slots, Regions regions) {
        SortedMap<Integer, List<ExecutorSlot>> byRegion = new TreeMap<>(Comparator.reverseOrder());
        for (ExecutorSlot slot : slots) {
            int region = regions.regionOf(slot.executor().component().index());
            byRegion.computeIfAbsent(region, number -> new ArrayList<>()).add(slot);
        }
        return byRegion.values();
    }

    /**
     * Changes the executors.
     *
     * @param limit how long to wait for messages in flight of the changed spouts before they fail
     * @return false when user code did not return in time; then nothing has changed, except that messages may have failed
     */
    public boolean carryOut(LoopThreads threads, Duration limit) throws InterruptedException {
        long failAt = System.nanoTime() + limit.toNanos();
        AtomicBoolean done = new AtomicBoolean();
        try {
            while (!done.get() && System.nanoTime() - failAt < STAND_NANOS && !isEnding()) {
                boolean late = System.nanoTime() - failAt > 0;
                if (prepare(late)) {
                    threads.whilePaused(() -> done.set(changeIfReady(late)));
                }
                if (!done.get()) {
                    Thread.sleep(LOOK_MILLIS);
                }
            }
            return done.get();
        } finally {
            release();
        }
    }

    public boolean isEnding() {
        TopologyLifecycle lifecycle = assembly.shared().lifecycle();
        return lifecycle.isStopping() || lifecycle.isDead();
    }

    /**
     * Holds the executors that can be held now.
     *
     * @param late whether the time limit for messages in flight has passed
     * @return whether all loops should stand still now, for {@link #changeIfReady}
     */
    public boolean prepare(boolean late) {
        return hold() || late && !failedOpen;
    }

    /** Releases the executors that are still there, and wakes the loops, which may have new executors. */
    public void release() {
        old.forEach(slot -> slot.executor().hold(false));
        assembly.loops().forEach(EventLoop::ring);
    }

    public boolean hasFailedOpen() {
        return failedOpen;
    }

    /**
     * Holds the spouts, and holds bolts once no message of the spouts is in flight, because such messages may need the bolts.
     * Regions are held from upstream to downstream, each one when the executors of the previous regions have returned to their
     * loops. A detached executor returns when its output is taken, which may have to wait until executors downstream
     * have processed their queues.
     *
     * @return whether all executors may be ready: an estimate, before all loops are stopped to check
     */
    private boolean hold() {
        old.stream()
                .filter(ExecutorSlot::isSpout)
                .forEach(slot -> slot.executor().hold(true));
        boolean ready =
                old.stream().allMatch(slot -> slot.executor().counters().getAcquire(ExecutorCounter.TREES) == 0);
        for (List<ExecutorSlot> region : regions) {
            boolean now = ready;
            region.stream()
                    .filter(slot -> !slot.isSpout())
                    .forEach(slot -> slot.executor().hold(now));
            ready &= region.stream().noneMatch(ExecutorSlot::isDetached);
        }
        return ready;
    }

    /**
     * Changes the executors if they are ready. Call this only while all loops stand still.
     *
     * @param late whether the time limit for messages in flight has passed; the messages of spouts that are not ready then fail
     * @return whether the executors were changed
     */
    public boolean changeIfReady(boolean late) {
        boolean ready = old.stream()
                .allMatch(slot -> !slot.isDetached()
                        && slot.executor().isHeld()
                        && slot.executor().isSettled());
        if (ready) {
            locked(0);
        } else if (late && !failedOpen) {
            failOpen();
        }
        return ready;
    }

    /** Fails the messages that are still in flight, whatever is acked later. */
    private void failOpen() {
        List<ExecutorSlot> spouts = old.stream().filter(ExecutorSlot::isSpout).toList();
        if (spouts.stream().noneMatch(ExecutorSlot::isDetached)) {
            failedOpen = true;
            spouts.forEach(slot -> ((SpoutExecutor) slot.executor()).trees().invalidate());
        }
    }

    /**
     * Swaps under the locks of all old executors, so that no user thread is between reading the executor of a task and emitting
     * for it.
     */
    private void locked(int from) {
        if (from == old.size()) {
            swap();
            return;
        }
        synchronized (old.get(from).executor().emits().lock()) {
            locked(from + 1);
        }
    }

    private void swap() {
        assembly.settle();
        for (ExecutorSlot slot : old) {
            if (slot.executor().actions().isPlaced()) {
                slot.executor().runActionsNow();
                slot.loop().sendOn(slot.executor());
            }
        }
        assembly.settle();
        List<ExecutorSlot> fresh = new ArrayList<>();
        for (ComponentPlan component : next.components()) {
            List<ExecutorSlot> before = old.stream()
                    .filter(slot -> slot.executor().component().id().equals(component.id()))
                    .toList();
            if (!before.isEmpty()) {
                fresh.addAll(swap(component, before, fresh.size()));
            }
        }
        assembly.replace(old, fresh);
        assembly.loops().forEach(loop -> loop.slots().refresh());
    }

    private List<ExecutorSlot> swap(ComponentPlan component, List<ExecutorSlot> before, int made) {
        List<ExecutorSlot> after = new ArrayList<>();
        for (int index : component.executors()) {
            int number = assembly.registry().get().executors() + made + after.size();
            after.add(newSlot(next.executors().get(index), number, before));
        }
        for (ExecutorSlot slot : before) {
            for (int task : slot.executor().plan().taskIds()) {
                slot.executor().handOver(task, slotOf(task, after).executor());
            }
            slot.executor().actions().passOn();
        }
        TickTimer.Tick ticks = null;
        for (ExecutorSlot slot : before) {
            passQueue(slot, after);
            TickTimer.Tick own = slot.loop().slots().retire(slot);
            ticks = ticks == null ? own : ticks;
        }
        for (ExecutorSlot slot : after) {
            take(slot, ticks);
        }
        return after;
    }

    private ExecutorSlot newSlot(ExecutorPlan planned, int number, List<ExecutorSlot> before) {
        ExecutorPlan plan =
                new ExecutorPlan(number, planned.componentIndex(), planned.taskIds(), planned.worker(), planned.loop());
        Executor executor = before.get(0).executor().successor(plan);
        before.forEach(slot -> executor.continueAfter(slot.executor()));
        ExecutorSlot slot = new ExecutorSlot(executor, assembly.shared());
        // A user thread may find the new executor as soon as a task has moved to it, and then posts its batches to this
        // loop.
        slot.moveTo(assembly.loops().get(plan.loop()));
        return slot;
    }

    /** Passes the queued tuples of one executor to the executors that have the tasks now, in order. */
    private static void passQueue(ExecutorSlot from, List<ExecutorSlot> after) {
        Batch queued = new Batch();
        from.executor().input().leave(queued);
        queued.addAll(from.takeInbox());
        for (int i = 0; i < queued.tupleCount(); i++) {
            slotOf(queued.target(i), after).addTuple(queued.tuple(i), queued.target(i));
        }
    }

    private void take(ExecutorSlot slot, TickTimer.Tick ticks) {
        slot.executor().begin();
        EventLoop home = assembly.loops().get(slot.executor().plan().loop());
        home.slots().add(slot, ticks);
        assembly.loops().forEach(loop -> loop.setRoute(slot, home));
        assembly.shared().overload().place(slot.executor().plan().taskIds(), home.index());
    }

    private static ExecutorSlot slotOf(int task, List<ExecutorSlot> slots) {
        for (ExecutorSlot slot : slots) {
            if (Arrays.binarySearch(slot.executor().plan().taskIds(), task) >= 0) {
                return slot;
            }
        }
        throw new IllegalStateException("no executor has task " + task);
    }
}
