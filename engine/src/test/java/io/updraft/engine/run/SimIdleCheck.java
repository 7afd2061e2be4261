package io.updraft.engine.run;

/** Checks the engine's internal state when no tuple is under way. */
final class SimIdleCheck {

    private final LoopAssembly assembly;
    private final SimModel model;

    SimIdleCheck(LoopAssembly assembly, SimModel model) {
        this.assembly = assembly;
        this.model = model;
    }

    void check() {
        for (EventLoop loop : assembly.loops()) {
            model.check(!loop.hasArrivals(), "something has arrived and was not taken", "loop " + loop.index());
            model.check(!loop.settle(), "something was left in a lane", "loop " + loop.index());
            model.check(
                    loop.routes().hasLeft(), "something was left in a lane to another worker", "loop " + loop.index());
        }
        assembly.slots().forEach(this::check);
        assembly.registry().get().all().stream()
                .filter(slot -> !assembly.slots().contains(slot))
                .forEach(this::check);
        for (ExecutorSlot slot : assembly.slots()) {
            model.check(
                    !slot.executor().isHeldBack(),
                    "held back by nobody",
                    slot.executor().component().id());
        }
    }

    private void check(ExecutorSlot slot) {
        Executor executor = slot.executor();
        String name =
                executor.component().id() + " on loop " + slot.loop().index() + (slot.isDetached() ? ", apart" : "");
        model.check(!slot.hasInput(), "input that nobody works off", name);
        model.check(executor.input().isEmpty(), "something is in hand", name);
        model.check(executor.outbox().batch().isEmpty(), "something was not sent", name);
        model.check(slot.queued() == 0, "something is queued", name);
        model.check(!slot.isCongested(), "congested though empty", name);
        model.check(executor.connection().isEmpty(), "something is on its way to the executor or from it", name);
        if (executor instanceof SpoutExecutor spout) {
            int waiting = spout.output().waiting().size();
            model.check(waiting == 0 || spout.isFull(), "emits of other threads are waiting", name);
            int inFlight = spout.trees().inFlight();
            boolean gone = !assembly.slots().contains(slot);
            int pending = gone ? 0 : model.pending(executor.plan().taskIds());
            model.check(
                    inFlight <= pending && inFlight >= pending - waiting,
                    inFlight + " trees in flight instead of " + pending,
                    name);
        }
    }
}
