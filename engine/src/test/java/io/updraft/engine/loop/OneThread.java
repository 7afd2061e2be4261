package io.updraft.engine.loop;

/** A host for loops that the test itself runs; no turn counts as too long. */
final class OneThread implements Host {

    @Override
    public void carryOn(EventLoop loop, Seat turn) {
        throw new AssertionError("no turn is to be given up");
    }

    @Override
    public void runApart(Executor executor) {
        throw new AssertionError("no executor is to go");
    }

    @Override
    public void lost(Executor executor) {
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
        };
    }
}
