package io.updraft.engine.loop;

import java.util.List;

/** Checks the engine's internal state when no tuple is under way. */
final class SimRest {

    private final Assembly assembly;
    private final SimModel model;

    SimRest(Assembly assembly, SimModel model) {
        this.assembly = assembly;
        this.model = model;
    }

    void check() {
        for (EventLoop loop : assembly.loops()) {
            model.check(!loop.hasArrivals(), "something has arrived and was not taken", "loop " + loop.index);
            model.check(!loop.settle(), "something was left in a lane", "loop " + loop.index);
            model.check(loop.hasLeft(), "something was left in a lane to another worker", "loop " + loop.index);
        }
        assembly.seats().forEach(this::check);
        List<Executor> running =
                assembly.seats().stream().map(seat -> seat.executor).toList();
        assembly.roster().now().counted().stream()
                .filter(executor -> !running.contains(executor))
                .forEach(executor -> check(executor.seat));
        Pressure pressure = assembly.shared().pressure();
        for (Seat seat : assembly.seats()) {
            model.check(
                    !pressure.holdsBack(seat.executor.downstream), "held back by nobody", seat.executor.component.id());
        }
    }

    private void check(Seat seat) {
        Executor executor = seat.executor;
        String name = executor.component.id() + " on loop " + executor.home.index + (seat.apart ? ", apart" : "");
        model.check(!seat.hasInput(), "input that nobody works off", name);
        model.check(executor.hasNothingInHand(), "something is in hand", name);
        model.check(executor.outbox.isEmpty(), "something was not sent", name);
        model.check(seat.queued() == 0, "something is queued", name);
        model.check(!seat.congestedForView(), "congested though empty", name);
        model.check(executor.link.toExecutor.isEmpty(), "something is on its way to the executor", name);
        model.check(executor.link.fromExecutor.isEmpty(), "something is on its way from the executor", name);
        if (executor instanceof SpoutExecutor spout) {
            int waiting = spout.outsideEmits.size();
            model.check(waiting == 0 || spout.isFull(), "emits of other threads are waiting", name);
            boolean gone = !assembly.seats().contains(seat);
            int pending = gone ? 0 : model.pending(executor.plan.taskIds());
            model.check(
                    spout.tracker.inFlight() <= pending && spout.tracker.inFlight() >= pending - waiting,
                    spout.tracker.inFlight() + " trees in flight instead of " + pending,
                    name);
        }
    }
}
