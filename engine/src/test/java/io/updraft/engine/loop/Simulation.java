package io.updraft.engine.loop;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.ErrorReport;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.plan.Settings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One run of a random topology under a random interleaving, all on the calling thread. The seed decides everything: what
 * the topology is, what its components do, who runs when, and how time passes.
 */
final class Simulation {

    private static final ThreadLocal<Simulation> CURRENT = new ThreadLocal<>();

    /** Rounds in which a topology has to come to rest. */
    private static final int MOST_ROUNDS = 20_000;

    /** Longer than any back-off, probation and timeout. */
    private static final long LONG_NANOS = 120_000_000_000L;

    /** More than a tracker has room for in the beginning. */
    private static final int MANY_MESSAGES = 600;

    private final long seed;
    private final Chance chance;
    private final SimTrace trace;
    private final SimClock clock = new SimClock();
    private final Lifecycle lifecycle = new Lifecycle();
    private final Map<SimEvent, Integer> events = new EnumMap<>(SimEvent.class);
    private final List<SimDesk> desks = new ArrayList<>();
    private final SimTopology topology;
    private final Plan plan;
    private final Settings settings;
    private final SimModel model;
    private final SimHost host;
    private final Assembly assembly;
    private final int mostMessages;
    private final int mostSent;
    private final int mostHops;

    private int messages;
    private boolean calm;
    private boolean died;
    private boolean abandoned;

    /** Whether no more messages are to be emitted. */
    private boolean ending;

    private Simulation(long seed, boolean readable) {
        this.seed = seed;
        chance = new Chance(seed);
        trace = new SimTrace(readable);
        topology = new SimTopology(chance);
        mostMessages = chance.percent(20) ? MANY_MESSAGES : chance.between(10, 150);
        mostSent = chance.between(50, 1500);
        mostHops = chance.between(2, 8);
        settings = Settings.of(topology.conf());
        plan = Planner.plan("simulation", "simulation-" + seed, topology.create(), topology.conf(), settings);
        model = new SimModel(plan, settings, topology, clock, trace);
        host = new SimHost(this, chance, clock, trace);
        EngineOptions options =
                new EngineOptions(plan.name(), plan.id(), new SimContexts(), clock, seed, this::onError, report -> {});
        assembly = Assembly.of(plan, settings, options, this::onDeadLetter, host, lifecycle, this::onDeath);
        host.start(assembly.loops());
        clock.whenRead(this::whenTimeIsRead);
    }

    /** Runs the simulation of a seed. */
    static SimResult run(long seed) {
        return run(seed, false);
    }

    /**
     * Runs the simulation of a seed.
     *
     * @param readable whether to keep a log
     */
    static SimResult run(long seed, boolean readable) {
        Simulation simulation = new Simulation(seed, readable);
        CURRENT.set(simulation);
        try {
            simulation.run();
        } catch (RuntimeException | Error e) {
            simulation.violation("the engine threw " + stackOf(e));
        } finally {
            CURRENT.remove();
        }
        return simulation.result();
    }

    /** The simulation that runs on this thread. */
    static Simulation current() {
        return CURRENT.get();
    }

    private SimResult result() {
        if (model.ackedLate() > 0) {
            count(SimEvent.ACKED_LATE);
        }
        return new SimResult(seed, trace.hash(), List.copyOf(model.violations()), Map.copyOf(events), trace.log());
    }

    // ------------------------------------------------------------------------------------------------- the run

    private void run() {
        lifecycle.activate();
        int steps = chance.between(100, 1500);
        boolean abrupt = chance.percent(10);
        for (int i = 0; i < steps && goesOn(); i++) {
            act();
            actAtTop();
        }
        if (!abrupt && goesOn()) {
            settle();
        }
        stop();
    }

    private boolean goesOn() {
        return !died && !abandoned && model.violations().isEmpty();
    }

    /** One thing that may happen at any time, at the top or while a call is on. */
    void act() {
        switch (chance.weighted(900, 50, 25, 2, 4)) {
            case 0 -> host.step();
            case 1 -> actOutside();
            case 2 -> clock.advance(chance.between(0, 300) * 1_000_000L);
            case 3 -> clock.advance(settings.timeoutNanos() * chance.between(1, 3) / 2);
            default -> shipEarly();
        }
    }

    private void actAtTop() {
        switch (chance.weighted(960, 5, 15, 3)) {
            case 0 -> {}
            case 1 -> {
                lifecycle.deactivate();
                trace.note("deactivate", 0, 0);
            }
            case 2 -> {
                if (goesOn()) {
                    lifecycle.activate();
                }
                move();
            }
            default -> comeToRest();
        }
    }

    private void actOutside() {
        if (desks.isEmpty()) {
            return;
        }
        SimDesk desk = chance.pick(desks);
        if (!desk.isOutsideBusy()) {
            desk.actOutside();
        }
    }

    /** Makes an executor send in the middle of its turn, as it does when it has emitted very much. */
    private void shipEarly() {
        Executor executor = chance.pick(assembly.seats()).executor;
        executor.shipAt = Math.min(executor.shipAt, chance.between(1, 20));
    }

    private void move() {
        Seat seat = chance.pick(assembly.seats());
        EventLoop to = chance.pick(assembly.loops());
        if (host.allLoopsStand() && !seat.apart && seat.executor.home != to) {
            trace.note("move", seat.executor.plan.index(), to.index);
            count(SimEvent.EXECUTOR_MOVED);
            assembly.move(seat, to);
        }
    }

    // ---------------------------------------------------------------------------------------------- coming to rest

    /** Deactivates and lets all that is under way arrive, in no time. Then nothing may be left over anywhere. */
    private void comeToRest() {
        boolean active = lifecycle.isActive();
        trace.note("rest", active ? 1 : 0, 0);
        lifecycle.deactivate();
        calm = true;
        int quiet = 0;
        for (int round = 0; quiet < 3 && goesOn(); round++) {
            assembly.seats().forEach(seat -> seat.executor.notBefore = 0);
            quiet = host.round() == 0 ? quiet + 1 : 0;
            if (round == MOST_ROUNDS) {
                violation("does not come to rest");
            }
        }
        if (goesOn()) {
            model.atRest();
            new SimRest(assembly, model).check();
        }
        calm = false;
        if (active && goesOn()) {
            lifecycle.activate();
        }
    }

    /** The end of a topology that is left to itself: everything ends in the way that its spouts were promised. */
    private void settle() {
        ending = true;
        lifecycle.deactivate();
        comeToRest();
        if (settings.timeouts()) {
            clock.advance(settings.timeoutNanos() + 1_000_000_000);
            comeToRest();
            clock.advance(settings.timeoutNanos() + 1_000_000_000);
            comeToRest();
            if (goesOn()) {
                model.nothingIsPending();
            }
        }
        for (SimDesk desk : List.copyOf(desks)) {
            if (desk instanceof SimBoltDesk bolt) {
                bolt.ackAll();
            }
        }
        comeToRest();
        clock.advance(LONG_NANOS);
        comeToRest();
        if (goesOn()) {
            model.check(host.isEveryoneAtHome(), "an executor has not come back to its loop", plan.name());
        }
    }

    private void stop() {
        ending = true;
        lifecycle.stop();
        host.close();
        for (int round = 0; round < 100; round++) {
            host.round();
        }
        for (Seat seat : assembly.seats()) {
            model.check(seat.executor.hasEnded(), "not ended", seat.executor.component.id());
        }
        model.allAreClosed();
    }

    /** Ends the run at once. What has been found until then counts. */
    void abandon() {
        count(SimEvent.ABANDONED);
        abandoned = true;
        model.mute();
        lifecycle.stop();
    }

    // ------------------------------------------------------------------------------------ what the engine reports

    private void onError(ErrorReport report) {
        trace.note("error", report.taskId(), report.during().hashCode());
        count(SimEvent.THROWN);
        if (!(report.error() instanceof SimException)) {
            violation(report.during() + " of " + report.componentId() + " threw " + stackOf(report.error()));
        }
    }

    private void onDeath(ErrorReport report) {
        died = true;
        lifecycle.deactivate();
        if (settings.onError() != Settings.OnError.DIE) {
            violation("died: " + report);
        }
    }

    private void onDeadLetter(
            String component, int task, String stream, Object messageId, List<Object> values, int failures) {
        count(SimEvent.GIVEN_UP);
        model.givenUp(task, (SimMessage) messageId, failures);
        interlude();
    }

    private static String stackOf(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    // ------------------------------------------------------------------------------------------ for the components

    /** A moment at which others may run. */
    void interlude() {
        host.interlude();
    }

    /** Others run for a good while, on the loop that this call was on as well. */
    void waitForOthers() {
        host.waitForOthers();
    }

    private void whenTimeIsRead() {
        if (chance.oneIn(20)) {
            host.interlude();
        }
    }

    boolean isCalm() {
        return calm
                || abandoned
                || lifecycle.isStopping() && !model.violations().isEmpty();
    }

    boolean isToThrow(SimHabits habits) {
        return !isCalm() && habits.throwPermille() > 0 && chance.between(1, 1000) <= habits.throwPermille();
    }

    void mayThrow(SimHabits habits, SimInstance instance, String during) {
        if (isToThrow(habits)) {
            throwNow(instance, during);
        }
    }

    void throwNow(SimInstance instance, String during) {
        model.throwing(instance, during);
        throw new SimException(during);
    }

    /** Takes long, sometimes. */
    void takeTime(SimHabits habits) {
        if (!isCalm() && chance.between(1, 1000) <= habits.slowPermille()) {
            int millis = habits.slowPermille() == SimHabits.ALWAYS ? 1 : chance.oneOf(1, 1, 10, 300, 5000);
            clock.advance(millis * 1_000_000L);
        }
    }

    boolean mayEmitMessage() {
        return messages++ < mostMessages && !ending;
    }

    boolean mayEmit(List<SimReceived> anchors) {
        int hops = anchors.stream().mapToInt(SimReceived::hops).max().orElse(mostHops - 1);
        return hops < mostHops && model.sentSoFar() < mostSent;
    }

    /** Takes in the desk of a new instance; returns its number, from 1. */
    int add(SimDesk desk) {
        desks.add(desk);
        return desks.size();
    }

    void count(SimEvent event) {
        events.merge(event, 1, Integer::sum);
    }

    void violation(String what) {
        model.violation(what);
    }

    boolean isAtTop() {
        return host.isAtTop();
    }

    SimModel model() {
        return model;
    }

    Chance chance() {
        return chance;
    }

    SimTopology topology() {
        return topology;
    }

    Executor executorOf(int task) {
        return assembly.seats().get(plan.taskToExecutor()[task]).executor;
    }

    int[] tasksOf(String component) {
        return plan.component(component).taskIds();
    }
}
