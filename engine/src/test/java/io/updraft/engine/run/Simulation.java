package io.updraft.engine.run;

import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.Assignment;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.snapshot.DeadLetter;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimClock;
import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimException;
import io.updraft.engine.testing.SimResult;
import io.updraft.engine.testing.SimTrace;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongToIntFunction;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.storm.generated.StormTopology;

/**
 * One run of a random topology under a random interleaving, all on the calling thread. The seed determines everything: the
 * topology, the actions of its components, the schedule and the time. With several workers it also determines which processes
 * die and which connections break.
 */
final class Simulation {
    private static final int SHOWN = 5;

    private static final ThreadLocal<Simulation> CURRENT = new ThreadLocal<>();

    /** Rounds in which a topology has to come to rest. */
    private static final int MOST_ROUNDS = 20_000;

    /** Longer than any back-off, probation and timeout. */
    private static final long LONG_NANOS = 120_000_000_000L;

    /** More than a tracker has room for in the beginning. */
    private static final int MANY_MESSAGES = 600;

    private final long seed;
    private final SeededRandom chance;
    private final SimTrace trace;
    private final SimClock clock = new SimClock();
    private final SimCallStack stack = new SimCallStack();
    private final Map<SimEvent, Integer> events = new EnumMap<>(SimEvent.class);
    private final List<SimCalls> desks = new ArrayList<>();
    private final SimTopology topology;
    private final Plan plan;
    private final EngineSettings settings;
    private final SimModel model;
    private final SimNetwork network;

    /** The newest process of each worker. */
    private final List<SimWorker> workers = new ArrayList<>();

    /** Numbers of executors change only where there is one worker; else null. */
    private final SimRebalance rebalance;

    /** The newest of each task. */
    private final Map<Integer, SimWrapping> wrappings = new TreeMap<>();

    /** Of a hundred instances, how many are wrapped from the beginning. */
    private final int wrappedPercent;

    /** Steps for which each worker stands still. */
    private final int[] standing;

    /** Of a thousand steps, how many bring harm to a worker or a connection. */
    private final int harmPermille;

    private final int remoteRing;

    private final int mostMessages;
    private final int mostSent;
    private final int mostHops;

    private int messages;
    private boolean active;
    private boolean calm;
    private boolean died;
    private boolean abandoned;

    /** Whether no more messages are to be emitted. */
    private boolean ending;

    private Simulation(long seed, boolean readable, int workerCount) {
        this.seed = seed;
        chance = new SeededRandom(seed);
        trace = new SimTrace(readable);
        topology = new SimTopology(chance);
        mostMessages = chance.percent(20) ? MANY_MESSAGES : chance.between(10, 150);
        mostSent = chance.between(50, 1500);
        mostHops = chance.between(2, 8);
        settings = EngineSettings.of(topology.conf());
        plan = plan(topology.create(), workerCount);
        model = new SimModel(plan, settings, topology, clock, trace);
        network = workerCount == 1 ? null : new SimNetwork(workerCount, chance, clock);
        remoteRing = workerCount == 1 ? 1 : chance.oneOf(1, 2, 8, 64);
        harmPermille = workerCount == 1 ? 0 : chance.oneOf(0, 2, 10, 40);
        standing = new int[workerCount];
        wrappedPercent = chance.oneOf(0, 0, 20, 100);
        for (int number = 0; number < workerCount; number++) {
            workers.add(newWorker(number, workerCount == 1 ? 0 : 1));
        }
        rebalance = workerCount == 1 ? new SimRebalance(this, workers.get(0), plan, chance) : null;
        clock.whenRead(this::whenTimeIsRead);
    }

    /** Of several workers, sometimes one of which a scheduler has said which executors it runs, and numbered the tasks. */
    private Plan plan(StormTopology built, int workerCount) {
        Assignment even = Assignment.even(workerCount);
        Plan plan = Planner.plan("simulation", "simulation-" + seed, built, topology.conf(), settings, even);
        if (workerCount == 1 || chance.percent(50)) {
            return plan;
        }
        Map<Integer, String> componentOfTask = new TreeMap<>();
        Map<Integer, Integer> workerOfExecutor = new TreeMap<>();
        int next = 0;
        for (ComponentPlan component : plan.components()) {
            next += chance.between(1, 3);
            for (int i = 0; i < component.taskIds().length; i++) {
                componentOfTask.put(next, component.id());
                if (i == 0 || chance.percent(50)) {
                    workerOfExecutor.put(next, chance.between(0, workerCount - 1));
                }
                next++;
            }
        }
        Assignment assigned = Assignment.of(componentOfTask, workerOfExecutor, workerCount);
        return Planner.plan(plan.name(), plan.id(), built, topology.conf(), settings, assigned);
    }

    private SimWorker newWorker(int number, int incarnation) {
        TopologyLifecycle lifecycle = new TopologyLifecycle();
        SimRuntime host = new SimRuntime(this, chance, clock, trace, stack);
        EngineOptions options =
                new EngineOptions(plan.name(), plan.id(), new SimContexts(), clock, seed, this::onError, report -> {});
        WorkerOptions self = new WorkerOptions(number, incarnation, () -> {});
        LoopAssembly assembly =
                LoopAssembly.of(plan, settings, options, self, this::onDeadLetter, host, lifecycle, this::onDeath);
        host.start(assembly.loops());
        SimGateway gateway = network == null ? null : new SimGateway(this, network, assembly.remote());
        return new SimWorker(number, incarnation, lifecycle, host, assembly, gateway);
    }

    /** Describes the first runs of some seeds that fail; adds to each event the number of runs in which it came about. */
    static List<String> failures(long first, long count, LongToIntFunction workers, Map<SimEvent, Long> provoked) {
        return LongStream.range(first, first + count)
                .mapToObj(seed -> run(seed, false, workers.applyAsInt(seed)))
                .peek(result -> result.events().keySet().forEach(event -> provoked.merge(event, 1L, Long::sum)))
                .filter(result -> !result.holds())
                .limit(SHOWN)
                .map(SimResult::describe)
                .toList();
    }

    /** Runs the simulation of a seed. */
    static SimResult run(long seed) {
        return run(seed, false, 1);
    }

    /**
     * Runs the simulation of a seed.
     *
     * @param readable whether to keep a log
     * @param workerCount number of workers
     */
    static SimResult run(long seed, boolean readable, int workerCount) {
        Simulation simulation = new Simulation(seed, readable, workerCount);
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
        return new SimResult(
                seed, workers.size(), trace.hash(), List.copyOf(model.violations()), Map.copyOf(events), trace.log());
    }

    // ------------------------------------------------------------------------------------------------- the run

    private void run() {
        setActive(true);
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
        switch (chance.weighted(900, 50, 25, 2, 6, rebalance == null ? 0 : rebalance.isOn() ? 100 : 10, 4)) {
            case 0 -> step();
            case 1 -> actOutside();
            case 2 -> clock.advance(chance.between(0, 300) * 1_000_000L);
            case 3 -> clock.advance(settings.timeoutNanos() * chance.between(1, 3) / 2);
            case 4 -> order();
            case 5 -> rebalance.act();
            default -> shipEarly();
        }
    }

    private void actAtTop() {
        switch (chance.weighted(960, 5, 15, 3)) {
            case 0 -> {}
            case 1 -> {
                setActive(false);
                trace.note("deactivate", 0, 0);
            }
            case 2 -> {
                if (goesOn()) {
                    setActive(true);
                }
                move();
            }
            default -> comeToRest();
        }
        if (network != null && goesOn()) {
            actOnNetwork();
        }
    }

    private void setActive(boolean now) {
        active = now;
        for (SimWorker worker : workers) {
            if (now) {
                worker.lifecycle().activate();
            } else {
                worker.lifecycle().deactivate();
            }
        }
    }

    /** One step of some worker. */
    void step() {
        if (network == null) {
            workers.get(0).step(chance);
            return;
        }
        if (chance.oneIn(20)) {
            mend();
        }
        int number = chance.between(0, workers.size() - 1);
        if (standing[number] > 0) {
            standing[number]--;
        } else {
            workers.get(number).step(chance);
        }
    }

    /** The same, and a change of executors goes on: a call may wait for those that are held. */
    boolean isAnyWorkerDead() {
        return workers.stream().anyMatch(worker -> worker.lifecycle().isDead());
    }

    void stepOn() {
        step();
        if (rebalance != null && rebalance.isOn() && chance.oneIn(3)) {
            rebalance.goOn();
        }
    }

    private void actOnNetwork() {
        if (chance.between(1, 1000) <= harmPermille) {
            int number = chance.between(0, workers.size() - 1);
            int other = (number + chance.between(1, workers.size() - 1)) % workers.size();
            switch (chance.weighted(2, 2, 3)) {
                case 0 -> kill(number);
                case 1 -> breakUp(number, other);
                default -> {
                    count(SimEvent.WORKER_STOOD_STILL);
                    standing[number] = chance.oneOf(20, 100, 500);
                }
            }
        }
        for (SimWorker worker : workers) {
            noticeParked(worker);
        }
    }

    private void kill(int number) {
        SimWorker worker = workers.get(number);
        trace.note("kill", number, worker.incarnation());
        count(SimEvent.WORKER_DIED);
        List<Integer> tasks = worker.tasks();
        desks.removeIf(desk -> tasks.contains(desk.instance.task));
        model.killed(tasks);
        boolean noticed = false;
        for (int other = 0; other < workers.size(); other++) {
            network.breakUp(number, other);
            noticed |= network.end(other, number).broken;
        }
        network.forget(number);
        // If not, the others had noticed before that it was cut off, and no message of theirs can have been there.
        model.lost(noticed);
        // Nothing else runs meanwhile: it could be what has just died.
        clock.whenRead(() -> {});
        SimWorker next = newWorker(number, worker.incarnation() + chance.between(1, 3));
        workers.set(number, next);
        clock.whenRead(this::whenTimeIsRead);
        if (active) {
            next.lifecycle().activate();
        }
    }

    private void breakUp(int a, int b) {
        if (network.breakUp(a, b)) {
            trace.note("break", a, b);
            count(SimEvent.LINK_BROKEN);
            model.lost(true);
        }
    }

    /** Opens connections that are not open; returns how many. */
    private int mend() {
        int opened = 0;
        for (int a = 0; a < workers.size(); a++) {
            for (int b = 0; b < a; b++) {
                opened += network.open(a, b) ? 1 : 0;
            }
        }
        return opened;
    }

    private void noticeParked(SimWorker worker) {
        for (EventLoop loop : worker.assembly().loops()) {
            if (loop.routes().isParkedToWorkers()) {
                count(SimEvent.LANE_PARKED);
            }
        }
    }

    /** Everything that can happen happens once, in order; returns how much that was. */
    private int round() {
        int work = 0;
        for (SimWorker worker : workers) {
            standing[worker.number()] = 0;
            work += worker.round();
        }
        if (rebalance != null && rebalance.isOn()) {
            rebalance.goOn();
            work++;
        }
        return network == null ? work : work + mend();
    }

    /** What the watchdogs do. */
    void watch() {
        workers.forEach(worker -> worker.host().watch());
    }

    private Stream<ExecutorSlot> slots() {
        return workers.stream().flatMap(worker -> worker.assembly().slots().stream());
    }

    private void actOutside() {
        if (desks.isEmpty()) {
            return;
        }
        SimCalls desk = chance.pick(desks);
        if (!desk.isOutsideBusy()) {
            desk.actOutside();
        }
    }

    /** Has a task wrapped or unwrapped, as another thread would. */
    private void order() {
        if (!wrappings.isEmpty()) {
            int task = chance.pick(List.copyOf(wrappings.keySet()));
            outside(task, () -> {
                wrappings.get(task).order();
                return null;
            });
        }
    }

    /** Makes an executor send in the middle of its turn, as it does when it has emitted very much. */
    private void shipEarly() {
        Outbox outbox = chance.pick(slots().toList()).executor().outbox();
        outbox.shipAt(Math.min(outbox.shipAt(), chance.between(1, 20)));
    }

    private void move() {
        SimWorker worker = network == null ? workers.get(0) : chance.pick(workers);
        LoopAssembly assembly = worker.assembly();
        if (assembly.slots().isEmpty()) {
            return;
        }
        ExecutorSlot slot = chance.pick(assembly.slots());
        EventLoop to = chance.pick(assembly.loops());
        if (worker.host().allLoopsStand() && !slot.isDetached() && slot.loop() != to) {
            trace.note("move", slot.executor().plan().index(), to.index());
            count(assembly.move(slot, to) ? SimEvent.EXECUTOR_MOVED : SimEvent.MOVE_REFUSED);
        }
    }

    // ---------------------------------------------------------------------------------------------- coming to rest

    /** Deactivates and lets all that is under way arrive, in no time. Then nothing may be left over anywhere. */
    private void comeToRest() {
        boolean before = active;
        trace.note("rest", before ? 1 : 0, 0);
        setActive(false);
        calm = true;
        int quiet = 0;
        for (int round = 0; quiet < 3 && goesOn(); round++) {
            slots().forEach(slot -> slot.executor().failures().backOff().waitUntil(0));
            quiet = round() == 0 ? quiet + 1 : 0;
            if (round == MOST_ROUNDS) {
                violation("does not come to rest");
            }
        }
        if (goesOn()) {
            model.atRest(this::hasEmitsWaiting);
            workers.forEach(worker -> new SimIdleCheck(worker.assembly(), model).check());
            wrappings.values().forEach(SimWrapping::atRest);
        }
        calm = false;
        if (before && goesOn()) {
            setActive(true);
        }
    }

    /** The end of a topology that is left to itself: everything ends in the way that its spouts were promised. */
    private void settle() {
        ending = true;
        setActive(false);
        comeToRest();
        if (settings.timeouts()) {
            do {
                clock.advance(settings.timeoutNanos() + 1_000_000_000);
                comeToRest();
                clock.advance(settings.timeoutNanos() + 1_000_000_000);
                comeToRest();
            } while (goesOn() && plan.components().stream().anyMatch(this::hasEmitsWaiting));
            if (goesOn()) {
                model.nothingIsPending();
            }
        }
        for (SimCalls desk : List.copyOf(desks)) {
            if (desk instanceof SimBoltCalls bolt) {
                bolt.ackAll();
            }
        }
        comeToRest();
        clock.advance(LONG_NANOS);
        comeToRest();
        if (goesOn()) {
            for (SimWorker worker : workers) {
                model.check(worker.host().isEveryoneAtHome(), "an executor has not come back to its loop", plan.name());
            }
        }
    }

    private boolean hasEmitsWaiting(ComponentPlan component) {
        return Arrays.stream(component.taskIds()).anyMatch(this::hasEmitsWaiting);
    }

    /** Whether threads of a spout's own have emitted more than may be pending. */
    private boolean hasEmitsWaiting(int task) {
        return executorOf(task) instanceof SpoutExecutor spout
                && !spout.output().waiting().isEmpty();
    }

    private void stop() {
        ending = true;
        workers.forEach(worker -> worker.lifecycle().stop());
        workers.forEach(worker -> worker.host().close());
        for (int round = 0; round < 100; round++) {
            round();
        }
        slots().forEach(slot -> model.check(
                slot.executor().hasEnded(),
                "not ended",
                slot.executor().component().id()));
        model.allAreClosed();
    }

    /** Ends the run at once. What has been found until then counts. */
    void abandon() {
        count(SimEvent.ABANDONED);
        abandoned = true;
        model.mute();
        workers.forEach(worker -> worker.lifecycle().stop());
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
        setActive(false);
        if (settings.onError() != EngineSettings.OnError.DIE) {
            violation("died: " + report);
        }
    }

    private void onDeadLetter(DeadLetter letter) {
        count(SimEvent.GIVEN_UP);
        model.givenUp(letter.task(), (SimMessage) letter.messageId(), letter.failures());
        interlude();
    }

    private static String stackOf(Throwable error) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    // ------------------------------------------------------------------------------------------ for the components

    /** Does something as another thread would than the one in the turn of a task, if there is one. */
    <T> T outside(int task, Supplier<T> action) {
        TurnThread detour = executorOf(task).turnThread();
        boolean inTurn = detour.isTurnOn();
        long since = detour.since();
        detour.endTurn();
        try {
            return action.get();
        } finally {
            if (inTurn) {
                detour.beginTurn(since);
            }
        }
    }

    /** Does something while nothing else runs. */
    boolean undisturbed(BooleanSupplier action) {
        clock.whenRead(() -> {});
        try {
            return action.getAsBoolean();
        } finally {
            clock.whenRead(this::whenTimeIsRead);
        }
    }

    /** The context of a new instance is made. */
    void controlled(int task, TaskControl control) {
        SimWrapping wrapping = new SimWrapping(this, task, control);
        wrappings.put(task, wrapping);
        if (chance.percent(wrappedPercent)) {
            wrapping.turnOver(false);
        }
    }

    SimInstance opening(String component, int task) {
        SimInstance instance = model.opening(component, task);
        instance.wrapping = wrappings.get(task);
        instance.wrapping.instance = instance;
        return instance;
    }

    /** An instance is called, by the one executor that has its task. */
    void called(SimInstance instance, Runnable call) {
        model.called(instance);
        model.check(instance.calls == 0, "two calls at once", instance);
        model.check(executorOf(instance.task).turnThread().isTurnOn(), "called by another executor", instance);
        instance.wrapping.called();
        instance.calls++;
        try {
            call.run();
        } finally {
            instance.calls--;
        }
    }

    /** A moment at which others may run. */
    void interlude() {
        anyHost().interlude();
    }

    /** The same one always: it is chance that it has to be asked. */
    private SimRuntime anyHost() {
        return workers.get(0).host();
    }

    /** Others run for a good while, on the loop that this call was on as well. */
    void waitForOthers() {
        anyHost().waitForOthers();
    }

    private void whenTimeIsRead() {
        if (chance.oneIn(20)) {
            anyHost().interlude();
        }
    }

    boolean isCalm() {
        return calm
                || abandoned
                || workers.get(0).lifecycle().isStopping()
                        && !model.violations().isEmpty();
    }

    boolean isToThrow(SimBehavior habits) {
        return !isCalm() && habits.throwPermille() > 0 && chance.between(1, 1000) <= habits.throwPermille();
    }

    void mayThrow(SimBehavior habits, SimInstance instance, String during) {
        if (isToThrow(habits)) {
            throwNow(instance, during);
        }
    }

    void throwNow(SimInstance instance, String during) {
        model.throwing(instance, during);
        throw new SimException(during);
    }

    /** Takes long, sometimes. */
    void takeTime(SimBehavior habits) {
        if (!isCalm() && chance.between(1, 1000) <= habits.slowPermille()) {
            int millis = habits.slowPermille() == SimBehavior.ALWAYS ? 1 : chance.oneOf(1, 1, 10, 300, 5000);
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
    int add(SimCalls desk) {
        desks.add(desk);
        return desks.size();
    }

    void count(SimEvent event) {
        events.merge(event, 1, Integer::sum);
    }

    void violation(String what) {
        model.violation(what);
    }

    int remoteRing() {
        return remoteRing;
    }

    boolean isAtTop() {
        return stack.isAtTop();
    }

    SimModel model() {
        return model;
    }

    SimTrace trace() {
        return trace;
    }

    SeededRandom chance() {
        return chance;
    }

    SimTopology topology() {
        return topology;
    }

    Executor executorOf(int task) {
        return slots().map(ExecutorSlot::executor)
                .filter(each -> Arrays.binarySearch(each.plan().taskIds(), task) >= 0)
                .findFirst()
                .orElseThrow();
    }

    int[] tasksOf(String component) {
        return plan.component(component).taskIds();
    }
}
