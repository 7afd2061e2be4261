package io.updraft.engine.run;

import io.updraft.engine.run.TurnBudget.TurnProbe;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimTrace;
import java.util.ArrayList;
import java.util.List;

/**
 * The scheduler of the simulation: instead of threads there are agents, and chance picks the next one. During a call of a
 * component other agents may run, as on other threads; their runs are nested in the call.
 */
final class SimRuntime implements LoopRuntime {

    private static final int DEEPEST = 5;
    private static final int MOMENTS = 6;
    private static final int MOST_PAUSES = 50_000;
    private static final long PAUSE_NANOS = 50_000;
    private static final long LONG_PAUSE_NANOS = 100_000_000;

    private final Simulation simulation;
    private final SeededRandom chance;
    private final SimClock clock;
    private final SimTrace trace;
    private final List<LoopAgent> loops = new ArrayList<>();
    private final List<ApartAgent> detached = new ArrayList<>();

    /** Once in how many moments at which others may run they do. */
    private final int interludes;

    private final SimCallStack stack;
    private boolean closing;

    /** A loop, which some thread owns. */
    private final class LoopAgent {
        private final EventLoop loop;
        private final int eagerness;
        private boolean busy;
        private ExecutorSlot toResume;

        private LoopAgent(EventLoop loop) {
            this.loop = loop;
            this.eagerness = chance.oneOf(1, 4, 10, 10);
        }

        private boolean isFree() {
            return toResume != null || !busy;
        }

        private int run() {
            trace.note("loop", loop.index(), toResume == null ? 0 : 1);
            if (toResume != null) {
                ExecutorSlot slot = toResume;
                toResume = null;
                busy = false;
                loop.resume(slot);
                return 1;
            }
            busy = true;
            int work = closing ? loop.close() : loop.doWork();
            if (work != EventLoop.LOST) {
                // Else whoever took it decides.
                busy = false;
            }
            return work == EventLoop.LOST ? 1 : work;
        }
    }

    /** An executor with a thread of its own. */
    private final class ApartAgent {
        private final Executor executor;
        private final DetachedRunner runner;
        private boolean busy;

        private ApartAgent(Executor executor) {
            this.executor = executor;
            this.runner = new DetachedRunner(executor);
        }

        private int run() {
            trace.note("apart", executor.plan().index(), 0);
            busy = true;
            int work = runner.doWork();
            busy = false;
            if (runner.isFinished()) {
                trace.note("goes back", executor.plan().index(), 0);
                simulation.count(SimEvent.EXECUTOR_RETURNED);
                work++;
                detached.remove(this);
            }
            return work;
        }
    }

    SimRuntime(Simulation simulation, SeededRandom chance, SimClock clock, SimTrace trace, SimCallStack stack) {
        this.simulation = simulation;
        this.chance = chance;
        this.clock = clock;
        this.trace = trace;
        this.stack = stack;
        this.interludes = chance.oneOf(3, 10, 40, 1000);
    }

    void start(List<EventLoop> all) {
        all.forEach(loop -> loops.add(new LoopAgent(loop)));
    }

    void close() {
        closing = true;
    }

    // ------------------------------------------------------------------------------------------------ who runs next

    /** Whether every loop is between two rounds, as it has to be for an executor to move. */
    boolean allLoopsStand() {
        return loops.stream().allMatch(agent -> !agent.busy && agent.toResume == null);
    }

    /** Runs one agent. */
    void step() {
        clock.advance(chance.between(0, 40_000));
        noticePressure();
        int[] weights = new int[loops.size() + detached.size()];
        int free = 0;
        for (int i = 0; i < weights.length; i++) {
            weights[i] = weight(i);
            free += weights[i];
        }
        if (free == 0) {
            watch();
            return;
        }
        int index = chance.weighted(weights);
        if (index < loops.size()) {
            loops.get(index).run();
        } else {
            detached.get(index - loops.size()).run();
        }
    }

    private void noticePressure() {
        for (LoopAgent agent : loops) {
            for (ExecutorSlot slot : agent.loop.slots().all()) {
                if (slot.isCongested()) {
                    simulation.count(SimEvent.HELD_BACK);
                    return;
                }
            }
        }
    }

    private int weight(int index) {
        if (index < loops.size()) {
            LoopAgent agent = loops.get(index);
            return agent.isFree() ? agent.eagerness : 0;
        }
        return detached.get(index - loops.size()).busy ? 0 : 5;
    }

    /** Runs each agent once, in order; returns how much was done. */
    int round() {
        int work = 0;
        for (LoopAgent agent : loops) {
            work += agent.isFree() ? agent.run() : 0;
        }
        for (ApartAgent agent : List.copyOf(detached)) {
            // One that waits for room runs others, which may be the last run of one that stands further down.
            work += agent.busy || agent.runner.isFinished() ? 0 : agent.run();
        }
        clock.advance(1000);
        return work;
    }

    boolean isEveryoneAtHome() {
        return detached.isEmpty();
    }

    // ------------------------------------------------------------------------------------- while a call is on

    /** A moment in a call at which others may run, and at which the loop may be taken from the call. */
    void interlude() {
        if (chance.oneIn(interludes)) {
            runOthers();
        }
    }

    /** A call that takes so long that its loop is taken from it, and all others go on. */
    void waitForOthers() {
        runOthers(100, chance.between(10, 30));
    }

    private void runOthers() {
        runOthers(60, chance.between(1, 6));
    }

    private void runOthers(int watched, int steps) {
        if (stack.depth >= DEEPEST || simulation.isCalm()) {
            return;
        }
        stack.depth++;
        trace.enter();
        if (chance.percent(watched)) {
            simulation.watch();
        }
        for (int i = 0; i < steps; i++) {
            simulation.act();
        }
        trace.leave();
        stack.depth--;
    }

    /** What the watchdog does when it finds a loop in a turn that does not end. */
    void watch() {
        for (LoopAgent agent : loops) {
            long turn = agent.loop.guard().current();
            if (turn != 0) {
                simulation.count(SimEvent.LOOP_STOLEN);
                agent.loop.onStuck(turn);
            }
        }
    }

    @Override
    public void betweenSteps() {
        if (chance.oneIn(MOMENTS)) {
            runOthers();
        }
    }

    @Override
    public void continueLoop(EventLoop loop, ExecutorSlot turn) {
        trace.note("carry on", loop.index(), turn.executor().plan().index());
        simulation.count(SimEvent.LOOP_CARRIED_ON);
        loops.get(loop.index()).toResume = turn;
    }

    @Override
    public void runDetached(Executor executor) {
        trace.note("run apart", executor.plan().index(), 0);
        simulation.count(SimEvent.EXECUTOR_DEPARTED);
        detached.add(new ApartAgent(executor));
    }

    @Override
    public void continueDetached(Executor executor) {
        trace.note("lost", executor.plan().index(), 0);
        simulation.count(SimEvent.TURN_LOST);
        if (!executor.hasEnded()) {
            detached.add(new ApartAgent(executor));
        }
    }

    @Override
    public void pause(Executor executor) {
        simulation.count(SimEvent.PAUSED);
        if (++stack.pauses == MOST_PAUSES
                || isCornered(executor.connection().home().index())) {
            // A process whose topology has died takes no more tuples; it is about to be ended, and then there is room.
            if (stack.depth == 0 && !simulation.isAnyWorkerDead()) {
                simulation.violation("a call waits for room forever in "
                        + executor.component().id());
            }
            simulation.abandon();
            return;
        }
        clock.advance(chance.oneIn(50) ? LONG_PAUSE_NANOS : PAUSE_NANOS);
        stack.depth++;
        trace.enter();
        if (chance.oneIn(4)) {
            watch();
        }
        simulation.stepOn();
        trace.leave();
        stack.depth--;
    }

    /**
     * Whether a call waits for a loop that is further down the stack, between two of its steps. On threads it would go on;
     * here it cannot before the call has returned. A call may wait for a turn further down as well: then, nested in it, it
     * waits for long and proves nothing.
     */
    private boolean isCornered(int loop) {
        LoopAgent agent = loops.get(loop);
        return !agent.isFree() && agent.loop.guard().current() == 0;
    }

    @Override
    public int remoteRing() {
        return simulation.remoteRing();
    }

    /** By the simulated clock alone: the real one would not do the same twice. */
    @Override
    public TurnProbe newProbe() {
        return new TurnProbe() {
            @Override
            public void begin() {}

            @Override
            public boolean end(long nanos, int calls, long slow) {
                return nanos / Math.max(1, calls) > slow;
            }

            @Override
            public long waitedNanos() {
                return 0;
            }
        };
    }
}
