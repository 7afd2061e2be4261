package io.updraft.engine.run;

import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.tuple.Batch;
import java.util.List;

/**
 * Gives executors their turns and delivers the tuples that they emit. {@link #doWork} is the path of a tuple: receive batches
 * from others, let bolts execute, let spouts emit, send batches.
 *
 * <p>A loop belongs to one thread at a time. Another thread can steal the loop during a turn that does not end; see
 * {@link TurnGuard}. Only the owner uses the state here, except the inbound ends of rings, the mailbox and the doorbell.
 */
final class EventLoop implements TurnWatchdog.Turns, OutboundLane.LaneReceiver {

    /** Returned by {@link #doWork} when the loop was stolen from the thread, which must not use it again. */
    public static final int LOST = -1;

    /** Most turns of bolts in a round before spouts get their turns. */
    private static final int BOLT_TURNS = 4096;

    /**
     * Time after which bolts, and then spouts, get no more turns in a round, because other loops may have sent batches
     * meanwhile.
     */
    private static final long ROUND_NANOS = 5_000_000;

    /** Tuples that spouts emit before bolts get their turns; few enough to stay in the cache. */
    private static final int SPOUT_TUPLES = 1024;

    private final int index;
    private final TopologyServices shared;
    private final LoopRuntime runtime;
    private final TurnGuard guard = new TurnGuard();
    private final Doorbell bell = new Doorbell();
    private final Mailbox mailbox = new Mailbox(bell);
    private final ReadySlots ready = new ReadySlots();
    private final RoutingTable routes;
    private final TickTimer ticks;
    private final DetachedSlots detached;
    private final IdleStrategy idling;
    private List<SpscRing<Batch>> inbound = List.of();
    private final LoopSlots slots;
    private ExecutorSlot inTurn;
    private volatile Thread driver;
    private boolean refreshed;

    /** Whether an executor requests a turn for a reason other than input. Written by any thread. */
    private volatile boolean refreshWanted;

    private long now;
    private long busyNanos;
    private volatile long publishedBusyNanos;

    EventLoop(int index, TopologyServices shared, LoopRuntime runtime) {
        this.index = index;
        this.shared = shared;
        this.runtime = runtime;
        int tasks = shared.plan().taskToExecutor().length;
        int executors = shared.plan().executors().size();
        this.routes = new RoutingTable(ready, shared.plan().loops(), tasks, executors);
        this.ticks = new TickTimer(shared, routes);
        this.detached = new DetachedSlots(shared, mailbox, routes, ready);
        this.slots = new LoopSlots(this, ready, detached, ticks);
        this.idling = new IdleStrategy(this, shared.clock(), shared.settings().idle());
    }

    /** Connects this loop to the other loops and workers, before any loop runs. */
    void connect(OutboundLane[] lanesOut, List<SpscRing<Batch>> ringsIn, Runnable whenPressureIsReleased) {
        routes.connect(lanesOut);
        inbound = ringsIn;
        ready.onPressureReleased(whenPressureIsReleased);
    }

    public int index() {
        return index;
    }

    /** Runs one round of all pending work. Returns the amount of work done, or {@link #LOST}. */
    public int doWork() {
        long started = shared.clock().nanoTime();
        now = started;
        if (refreshWanted || !refreshed && shared.lifecycle().wasEverActive()) {
            refreshWanted = false;
            refreshed = shared.lifecycle().wasEverActive();
            slots.refresh();
        }
        int work = mailbox.drain(routes);
        runtime.betweenSteps();
        work += receive() + detached.drain() + ticks.fire(now);
        int bolts = runBolts();
        if (bolts == LOST) {
            return LOST;
        }
        int polled = runSpouts();
        if (polled == LOST) {
            return LOST;
        }
        runtime.betweenSteps();
        routes.flush();
        work += bolts + polled;
        if (work > 0) {
            busyNanos += now - started;
            publishedBusyNanos = busyNanos;
        }
        return work;
    }

    /** Routes the batches of other loops and workers. Returns their number. */
    private int receive() {
        int count = 0;
        for (int i = 0; i < inbound.size(); i++) {
            SpscRing<Batch> ring = inbound.get(i);
            Batch batch;
            while ((batch = ring.poll()) != null) {
                routes.receive(batch);
                count++;
            }
        }
        return count;
    }

    private int runBolts() {
        int work = 0;
        long end = now + ROUND_NANOS;
        for (int turns = 0; turns < BOLT_TURNS && now - end < 0; turns++) {
            ExecutorSlot slot = ready.poll();
            if (slot == null) {
                break;
            }
            if (slot.detached) {
                // The executor left the loop after its input had arrived. It now receives the input by its link.
                continue;
            }
            if (!slot.executor().mayRun(now)) {
                ready.defer(slot);
                continue;
            }
            if (!takeTurn(slot)) {
                return LOST;
            }
            work += slot.executor().workDone();
            ready.add(slot);
        }
        ready.reconsider();
        return work;
    }

    private int runSpouts() {
        int work = 0;
        int count = slots.spouts();
        boolean clear = routes.areClear();
        long end = now + ROUND_NANOS;
        for (int i = 0; i < count && work < SPOUT_TUPLES && now - end < 0; i++) {
            ExecutorSlot slot = slots.nextSpout();
            if (slot.detached || !slot.hasInput() && !slot.executor().isPolled()) {
                continue;
            }
            slot.setLoopClear(clear);
            if (!takeTurn(slot)) {
                return LOST;
            }
            work += slot.executor().workDone();
        }
        return work;
    }

    /** Runs one turn. Returns false when the loop was stolen in the turn. */
    private boolean takeTurn(ExecutorSlot slot) {
        Executor executor = slot.executor();
        slot.handOver();
        inTurn = slot;
        long turn = guard.begin();
        executor.connection().beginTurn(turn);
        long end = executor.turn(now);
        if (!guard.end(turn)) {
            runtime.continueDetached(executor);
            return false;
        }
        now = end;
        afterTurn(slot);
        return true;
    }

    private void afterTurn(ExecutorSlot slot) {
        Executor executor = slot.executor();
        if (!mailbox.isEmpty()) {
            // Emits of other threads that are anchored to this executor's tuples must be counted before the acks of the
            // turn; see UserThreadCalls.
            mailbox.drain(routes);
        }
        sendOn(executor);
        ready.measure(slot);
        if (executor.budget().isSlow() && !shared.lifecycle().isStopping()) {
            detached.depart(slot, executor.budget().slowness());
            runtime.runDetached(executor);
        }
    }

    /** Sends the outbox of an executor of this loop, which is not in a turn. */
    public void sendOn(Executor executor) {
        Batch out = executor.outbox().batch();
        if (!out.isEmpty()) {
            routes.route(out);
            out.clear();
        }
    }

    public RoutingTable routes() {
        return routes;
    }

    /** Continues the loop that was stolen from another thread in a turn of a slot, whose executor is detached from now on. */
    public void resume(ExecutorSlot slot) {
        slot.executor().outbox().shipAt(1);
        detached.depart(slot, "a call did not return, and delayed the loop");
    }

    @Override
    public TurnGuard guard() {
        return guard;
    }

    @Override
    public void onStuck(long turn) {
        if (guard.steal(turn)) {
            // The turn had not ended, so inTurn is its slot. On another thread, the read is ordered after the loop's
            // thread began the turn.
            runtime.continueLoop(this, inTurn);
        }
    }

    public void drivenBy(Thread thread) {
        driver = thread;
    }

    @Override
    public Thread driver() {
        return driver;
    }

    public void idle() {
        idling.idle();
    }

    public void busy() {
        idling.busy();
    }

    /** Wakes the loop. May be called from any thread. */
    void ring() {
        bell.ring();
    }

    Doorbell bell() {
        return bell;
    }

    @Override
    public void sent(SpscRing<Batch> ring) {
        bell.ring();
    }

    /** Passes a batch to the loop, which routes it. May be called from any thread. */
    void post(Batch batch) {
        mailbox.post(batch);
    }

    /** Returns whether user threads should wait before they post more. May be called from any thread. */
    boolean isMailboxFull() {
        return mailbox.isFull();
    }

    /** Makes the loop give turns soon to executors that request one. May be called from any thread. */
    void requestTurns() {
        refreshWanted = true;
        bell.ring();
    }

    public boolean hasArrivals() {
        if (refreshWanted || !mailbox.isEmpty()) {
            return true;
        }
        for (int i = 0; i < inbound.size(); i++) {
            if (!inbound.get(i).isEmpty()) {
                return true;
            }
        }
        return detached.haveOutput();
    }

    /** Returns whether spouts are to be polled or executors are held back, so that sleeps must be short. */
    boolean mustPoll() {
        return !ready.isEmpty() || slots.isPolled() || routes.isParked();
    }

    long untilTick(long time) {
        return ticks.next() - time;
    }

    /** Stores the loop of an executor, while the loop does not run. */
    public void setRoute(ExecutorSlot slot, EventLoop loop) {
        routes.put(slot.executor().plan(), loop == this ? slot : null, loop.index);
    }

    /** Receives all batches under way and sends all waiting batches, while no loop runs. Returns whether there were any. */
    public boolean settle() {
        int work = mailbox.drain(routes) + receive();
        return routes.flush() || work > 0;
    }

    public LoopSlots slots() {
        return slots;
    }

    public long publishedBusyNanos() {
        return publishedBusyNanos;
    }

    /**
     * Closes the components of the executors that run here, each in a turn.
     *
     * @return the number of executors that are not closed yet, including those that are detached; {@link #LOST} if the loop was
     *     stolen
     */
    public int close() {
        detached.drain();
        int open = 0;
        for (int i = 0; i < slots.all().size(); i++) {
            ExecutorSlot slot = slots.all().get(i);
            if (!slot.closed && !slot.detached) {
                slot.closed = true;
                inTurn = slot;
                long turn = guard.begin();
                slot.executor().connection().beginTurn(turn);
                slot.executor().end();
                if (!guard.end(turn)) {
                    return LOST;
                }
            }
            if (!slot.executor().hasEnded()) {
                open++;
            }
        }
        return open;
    }
}
