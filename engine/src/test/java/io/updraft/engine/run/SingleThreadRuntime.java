package io.updraft.engine.run;

import io.updraft.engine.run.TurnBudget.TurnProbe;

/** A host for loops that the test itself runs; no turn counts as too long. */
public final class SingleThreadRuntime implements LoopRuntime {

    @Override
    public void continueLoop(EventLoop loop, ExecutorSlot turn) {
        throw new AssertionError("no turn is to be given up");
    }

    @Override
    public void runDetached(Executor executor) {
        throw new AssertionError("no executor is to go");
    }

    @Override
    public void continueDetached(Executor executor) {
        throw new AssertionError("no loop is taken");
    }

    @Override
    public void pause(Executor executor) {
        throw new AssertionError("nobody has to wait");
    }

    @Override
    public TurnProbe newProbe() {
        return new TurnProbe() {
            @Override
            public void begin() {}

            @Override
            public boolean end(long nanos, int calls, long slow) {
                return false;
            }

            @Override
            public long waitedNanos() {
                return 0;
            }
        };
    }
}
