package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.plan.Plan;
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
 * Deals the tasks of some components out to other executors while the topology runs. Tasks go with their instances, with what
 * is queued for them and with what they hold: no component notices.
 *
 * <pre>
 *   settle      spouts are asked for no more, and hear what becomes of their messages; after a time, that they have failed
 *   hold        the executors get nothing more to do; who runs apart comes back to its loop
 *   stand still all loops, between two rounds
 *   swap        tasks, queues, ticks; the old executors keep their counts, and their names for acks that come too late
 * </pre>
 *
 * <p>All else goes on meanwhile; only a spout waits for its own messages, since the trees of an executor cannot be shared out.
 *
 * <p>Used once, by a thread that is none of the engine's: {@link #carryOut}, or the steps that it consists of.
 */
final class Regroup {

    /** How long executors may take beyond the time that their messages are waited for. */
    private static final long STAND_NANOS = 10_000_000_000L;

    private static final long LOOK_MILLIS = 2;

    private final Assembly assembly;
    private final Plan next;
    private final List<Seat> old;

    /** The same by region, from upstream down: regions have numbers in the other direction. */
    private final Collection<List<Seat>> regions;

    private boolean failedOpen;

    /**
     * Prepares to change components.
     *
     * @param assembly what runs
     * @param next the plan to change to
     * @param components the components that it changes
     */
    Regroup(Assembly assembly, Plan next, Set<String> components) {
        this.assembly = assembly;
        this.next = next;
        this.old = assembly.seats().stream()
                .filter(seat -> components.contains(seat.executor.component.id()))
                .sorted(Comparator.comparingInt(seat -> seat.executor.index))
                .toList();
        this.regions = byRegion(old, assembly.shared().pressure());
    }

    private static Collection<List<Seat>> byRegion(List<Seat> seats, Pressure pressure) {
        SortedMap<Integer, List<Seat>> regions = new TreeMap<>(Comparator.reverseOrder());
        for (Seat seat : seats) {
            int region = pressure.regionOf(seat.executor.component.index());
            regions.computeIfAbsent(region, number -> new ArrayList<>()).add(seat);
        }
        return regions.values();
    }

    /**
     * Changes the executors.
     *
     * @param threads on what they run
     * @param limit how long messages in flight of spouts that change are waited for before they fail
     * @return false when user code did not return in time; then nothing has changed, except that messages may have failed
     * @throws InterruptedException when the calling thread is interrupted
     */
    boolean carryOut(Threads threads, Duration limit) throws InterruptedException {
        long failAt = System.nanoTime() + limit.toNanos();
        AtomicBoolean done = new AtomicBoolean();
        try {
            while (!done.get() && System.nanoTime() - failAt < STAND_NANOS && !isEnding()) {
                boolean late = System.nanoTime() - failAt > 0;
                if (prepare(late)) {
                    threads.whileStanding(() -> done.set(standing(late)));
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

    /** Whether the topology ends, so that there is nothing to wait for. */
    boolean isEnding() {
        Lifecycle lifecycle = assembly.shared().lifecycle();
        return lifecycle.isStopping() || lifecycle.isDead();
    }

    /**
     * Holds who is to be held by now.
     *
     * @param late whether messages in flight have been waited for long enough
     * @return whether all loops are to be made to stand still, for {@link #standing}
     */
    boolean prepare(boolean late) {
        return hold() || late && !failedOpen;
    }

    /** Lets those go on that are still there; and wakes the loops, which may have got new executors. */
    void release() {
        old.forEach(seat -> hold(seat, false));
        assembly.loops().forEach(EventLoop::ring);
    }

    /** Whether messages in flight have been made to fail. */
    boolean hasFailedOpen() {
        return failedOpen;
    }

    /**
     * Holds the spouts, and bolts while no message of the spouts is in flight, which may need them: from upstream down, each
     * when those before it have come home. One that runs apart comes home when what it has sent is taken, and that may have to
     * wait for those behind it to work off what they have.
     *
     * @return whether all may be ready: a guess from outside, before all loops are made to stand still for it
     */
    private boolean hold() {
        old.stream().filter(Seat::isSpout).forEach(seat -> hold(seat, true));
        boolean ready = old.stream().allMatch(seat -> seat.executor.counters.getAcquire(Counter.TREES) == 0);
        for (List<Seat> region : regions) {
            boolean now = ready;
            region.stream().filter(seat -> !seat.isSpout()).forEach(seat -> hold(seat, now));
            ready &= region.stream().noneMatch(seat -> seat.apart);
        }
        return ready;
    }

    private static void hold(Seat seat, boolean held) {
        if (seat.executor.held != held) {
            seat.executor.held = held;
            seat.executor.ring();
        }
    }

    /**
     * Changes the executors if they are ready. While all loops stand still.
     *
     * @param late whether messages in flight have been waited for long enough: those of spouts that are not ready then fail
     * @return whether it was done
     */
    boolean standing(boolean late) {
        boolean ready = old.stream().allMatch(seat -> !seat.apart && seat.executor.held && seat.executor.isSettled());
        if (ready) {
            locked(0);
        } else if (late && !failedOpen) {
            failOpen();
        }
        return ready;
    }

    /** Messages that are still in flight have failed, whatever becomes of them. */
    private void failOpen() {
        List<Seat> spouts = old.stream().filter(Seat::isSpout).toList();
        if (spouts.stream().noneMatch(seat -> seat.apart)) {
            failedOpen = true;
            spouts.forEach(seat -> ((SpoutExecutor) seat.executor).doom());
        }
    }

    /** Swaps while no thread of the user's is between reading whose a task is and emitting for it. */
    private void locked(int from) {
        if (from == old.size()) {
            swap();
            return;
        }
        synchronized (old.get(from).executor.outsideLock) {
            locked(from + 1);
        }
    }

    private void swap() {
        assembly.settle();
        for (Seat seat : old) {
            if (seat.executor.detour.isOrdered()) {
                seat.executor.obeyNow();
                seat.executor.home.sendOn(seat.executor);
            }
        }
        assembly.settle();
        List<Seat> fresh = new ArrayList<>();
        for (ComponentPlan component : next.components()) {
            List<Seat> before = old.stream()
                    .filter(seat -> seat.executor.component.id().equals(component.id()))
                    .toList();
            if (!before.isEmpty()) {
                fresh.addAll(swap(component, before, fresh.size()));
            }
        }
        assembly.roster().replace(old, fresh);
        assembly.loops().forEach(EventLoop::refresh);
    }

    private List<Seat> swap(ComponentPlan component, List<Seat> before, int made) {
        List<Seat> after = new ArrayList<>();
        for (int index : component.executors()) {
            int number = assembly.roster().now().executors() + made + after.size();
            after.add(newSeat(next.executors().get(index), number, before));
        }
        for (Seat seat : before) {
            for (int task : seat.executor.plan.taskIds()) {
                seat.executor.handOver(task, seatOf(task, after).executor);
            }
            seat.executor.detour.passOn();
        }
        Ticks.Tick ticks = null;
        for (Seat seat : before) {
            handOn(seat, after);
            Ticks.Tick own = seat.executor.home.retire(seat);
            ticks = ticks == null ? own : ticks;
        }
        for (Seat seat : after) {
            take(seat, ticks);
        }
        return after;
    }

    private Seat newSeat(ExecutorPlan planned, int number, List<Seat> before) {
        ExecutorPlan plan =
                new ExecutorPlan(number, planned.componentIndex(), planned.taskIds(), planned.worker(), planned.loop());
        Executor executor = before.get(0).executor.successor(plan);
        before.forEach(seat -> executor.learnFrom(seat.executor));
        // A thread of the user's may find the new executor as soon as a task has gone to it, and leaves its batches
        // there.
        executor.home = assembly.loops().get(plan.loop());
        Seat seat = new Seat(executor, assembly.shared());
        executor.seat = seat;
        return seat;
    }

    /** Gives what is queued for the tasks of one executor to those that have them now, in its order. */
    private static void handOn(Seat from, List<Seat> after) {
        Batch queued = new Batch();
        from.executor.leaveWork(queued);
        queued.addAll(from.takeInbox());
        for (int i = 0; i < queued.tupleCount(); i++) {
            seatOf(queued.target(i), after).addTuple(queued.tuple(i), queued.target(i));
        }
    }

    private void take(Seat seat, Ticks.Tick ticks) {
        seat.executor.begin();
        EventLoop home = assembly.loops().get(seat.executor.plan.loop());
        home.add(seat, ticks);
        assembly.loops().forEach(loop -> loop.learn(seat, home));
        assembly.shared().overload().place(seat.executor.plan.taskIds(), home.index);
    }

    private static Seat seatOf(int task, List<Seat> seats) {
        for (Seat seat : seats) {
            if (Arrays.binarySearch(seat.executor.plan.taskIds(), task) >= 0) {
                return seat;
            }
        }
        throw new IllegalStateException("no executor has task " + task);
    }
}
