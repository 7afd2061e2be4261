package io.updraft.engine.loop;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.mesh.Doorbell;
import io.updraft.engine.mesh.SpscRing;
import io.updraft.engine.plan.ExecutorPlan;
import io.updraft.engine.tuple.EngineTuple;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gives executors their turns and delivers the tuples that they emit. {@link #doWork} is the path of a tuple: receive batches
 * from others, let bolts execute, let spouts emit, send batches.
 *
 * <p>A loop belongs to one thread at a time. Another thread can steal the loop during a turn that does not end; see
 * {@link TurnGuard}. Only the owner uses the state here, except the inbound ends of rings, the mailbox and the doorbell.
 */
final class EventLoop implements Watchdog.Turns, Lane.End {

    /** Returned by {@link #doWork} when the thread has lost the loop and must not use it again. */
    static final int LOST = -1;

    /** Most turns of bolts in a round before spouts get their turns. */
    private static final int BOLT_TURNS = 4096;

    /**
     * Time after which bolts, and then spouts, get no more turns in a round, because other loops may have sent batches
     * meanwhile.
     */
    private static final long ROUND_NANOS = 5_000_000;

    /** Tuples that spouts emit before bolts get their turns; few enough to stay in the cache. */
    private static final int SPOUT_TUPLES = 1024;

    /** Idle rounds that spin before the loop yields and then sleeps; some ten microseconds. */
    private static final int SPINS = 100;

    private static final int YIELDS = 5;

    /** Idle rounds after which a loop counts as idle for long; about a tenth of a second. */
    private static final int LONG_IDLE = 200;

    /** Batches in the mailbox, each of one emit, at which user threads must wait. */
    private static final int MUCH_MAIL = 8192;

    private static final long SHORT_NAP = 1_000_000;
    private static final long LONGER_NAP = 4_000_000;
    private static final long LONGEST_NAP = 100_000_000;

    final int index;

    private final Shared shared;
    private final Host host;
    private final TurnGuard guard = new TurnGuard();
    private final Doorbell bell = new Doorbell();
    private final Queue<Batch> mailbox = new ConcurrentLinkedQueue<>();

    /** Number of batches in the mailbox. */
    private final AtomicInteger mail = new AtomicInteger();

    /**
     * The lanes to the other loops, followed by those to the other workers; null for the loop itself and for its own worker.
     */
    private Lane[] lanes;

    private final int loops;
    private List<SpscRing<Batch>> inbound;
    private final Seat[] seatOfTask;
    private Seat[] seatOfExecutor;

    /** Positions in {@code lanes}. */
    private final int[] laneOfTask;

    private int[] laneOfExecutor;

    private final List<Seat> seats = new ArrayList<>();
    private final List<Seat> spouts = new ArrayList<>();
    private final List<Seat> apart = new ArrayList<>();
    private final ArrayDeque<Seat> ready = new ArrayDeque<>();
    private final ArrayList<Seat> deferred = new ArrayList<>();
    private final Ticks ticks;

    private Runnable onPressureReleased = () -> {};
    private int nextSpout;
    private Seat inTurn;
    private volatile Thread driver;
    private boolean refreshed;

    /** Whether an executor requests a turn for a reason other than input. Written by any thread. */
    private volatile boolean refreshWanted;

    private long now;
    private int idleRounds;
    private long busyNanos;
    private volatile long busyNanosForView;

    EventLoop(int index, Shared shared, Host host) {
        this.index = index;
        this.shared = shared;
        this.host = host;
        int tasks = shared.plan().taskToExecutor().length;
        int executors = shared.plan().executors().size();
        this.seatOfTask = new Seat[tasks];
        this.seatOfExecutor = new Seat[executors];
        this.laneOfTask = new int[tasks];
        this.laneOfExecutor = new int[executors];
        this.loops = shared.plan().loops();
        this.ticks = new Ticks(shared);
    }

    /** Connects this loop to the other loops and workers, before any loop runs. */
    void connect(Lane[] lanesOut, List<SpscRing<Batch>> ringsIn, Runnable whenPressureIsReleased) {
        this.lanes = lanesOut;
        this.inbound = ringsIn;
        this.onPressureReleased = whenPressureIsReleased;
    }

    // ------------------------------------------------------------------------------------------- the path of a tuple

    /**
     * Runs one round of all pending work.
     *
     * @return the amount of work done, or {@link #LOST}
     */
    int doWork() {
        long started = shared.clock().nanoTime();
        now = started;
        if (refreshWanted || !refreshed && shared.lifecycle().wasEverActive()) {
            refreshWanted = false;
            refreshed = shared.lifecycle().wasEverActive();
            refresh();
        }
        int work = drainMailbox();
        host.meanwhile();
        work += drainInbound() + drainApart() + ticks.fire(now, this);
        int bolts = runBolts();
        if (bolts == LOST) {
            return LOST;
        }
        int polled = runSpouts();
        if (polled == LOST) {
            return LOST;
        }
        host.meanwhile();
        flush();
        work += bolts + polled;
        if (work > 0) {
            busyNanos += now - started;
            busyNanosForView = busyNanos;
        }
        return work;
    }

    private int drainMailbox() {
        int count = 0;
        Batch batch;
        while ((batch = mailbox.poll()) != null) {
            route(batch);
            count++;
        }
        if (count > 0) {
            mail.addAndGet(-count);
        }
        return count;
    }

    private int drainInbound() {
        int count = 0;
        for (int i = 0; i < inbound.size(); i++) {
            SpscRing<Batch> ring = inbound.get(i);
            Batch batch;
            while ((batch = ring.poll()) != null) {
                route(batch);
                count++;
            }
        }
        return count;
    }

    private int runBolts() {
        int work = 0;
        long end = now + ROUND_NANOS;
        for (int turns = 0; turns < BOLT_TURNS && now - end < 0; turns++) {
            Seat seat = ready.poll();
            if (seat == null) {
                break;
            }
            seat.ready = false;
            if (seat.apart) {
                // The executor left the loop after its input had arrived. It now receives the input by its link.
                continue;
            }
            if (!seat.executor.mayRun(now)) {
                defer(seat);
                continue;
            }
            if (!takeTurn(seat)) {
                return LOST;
            }
            work += seat.executor.workDone;
            makeReady(seat);
        }
        reconsider();
        return work;
    }

    private void defer(Seat seat) {
        // The queue of a held-back executor must be measured too, or it would never cause back-pressure upstream.
        measure(seat);
        seat.ready = true;
        deferred.add(seat);
    }

    /** Puts the executors that were held back into the queue again for the next round. */
    private void reconsider() {
        for (int i = 0; i < deferred.size(); i++) {
            ready.add(deferred.get(i));
        }
        deferred.clear();
    }

    private int runSpouts() {
        int work = 0;
        int count = spouts.size();
        boolean clear = lanesAreClear();
        long end = now + ROUND_NANOS;
        for (int i = 0; i < count && work < SPOUT_TUPLES && now - end < 0; i++) {
            if (nextSpout >= count) {
                nextSpout = 0;
            }
            Seat seat = spouts.get(nextSpout++);
            if (seat.apart || !seat.hasInput() && !seat.executor.isPolled()) {
                continue;
            }
            ((SpoutExecutor) seat.executor).loopIsClear = clear;
            if (!takeTurn(seat)) {
                return LOST;
            }
            work += seat.executor.workDone;
        }
        return work;
    }

    /** Runs one turn. Returns false when the loop was lost in the turn. */
    private boolean takeTurn(Seat seat) {
        Executor executor = seat.executor;
        seat.handOver();
        inTurn = seat;
        executor.turnOnLoop = guard.begin();
        long end = executor.turn(now);
        if (!guard.end(executor.turnOnLoop)) {
            host.lost(executor);
            return false;
        }
        now = end;
        afterTurn(seat);
        return true;
    }

    private void afterTurn(Seat seat) {
        Executor executor = seat.executor;
        if (!mailbox.isEmpty()) {
            // Emits of other threads that are anchored to this executor's tuples must be counted before the acks of the
            // turn; see OutsideCalls.
            drainMailbox();
        }
        if (!executor.outbox.isEmpty()) {
            route(executor.outbox);
            executor.outbox.clear();
        }
        measure(seat);
        if (executor.isSlow() && !shared.lifecycle().isStopping()) {
            depart(seat);
            host.runApart(executor);
        }
    }

    private void measure(Seat seat) {
        if (seat.measure()) {
            onPressureReleased.run();
        }
    }

    private void route(Batch batch) {
        Seat only = batch.hasSingleTarget() ? seatOfTask[batch.target(0)] : null;
        if (only != null) {
            only.takeTuples(batch);
            arrived(only);
        } else {
            int tuples = batch.tupleCount();
            for (int i = 0; i < tuples; i++) {
                deliver(batch.tuple(i), batch.target(i));
            }
        }
        int reports = batch.reportCount();
        for (int i = 0; i < reports; i++) {
            int owner = batch.owner(i);
            Seat seat = seatOfExecutor[owner];
            if (seat != null) {
                seat.addReport(batch.kind(i), batch.root(i), batch.value(i));
            } else {
                lanes[laneOfExecutor[owner]].addReport(batch.kind(i), owner, batch.root(i), batch.value(i));
            }
        }
    }

    void deliver(EngineTuple tuple, int task) {
        Seat seat = seatOfTask[task];
        if (seat != null) {
            seat.addTuple(tuple, task);
            arrived(seat);
        } else {
            lanes[laneOfTask[task]].add(tuple, task);
        }
    }

    /** Makes a seat ready that had no work before. */
    private void arrived(Seat seat) {
        if (!seat.ready) {
            makeReady(seat);
            measure(seat);
        }
    }

    /**
     * Puts a bolt with work into the queue. Spouts get their turns once in every round, so they must not take turns of bolts.
     */
    private void makeReady(Seat seat) {
        if (!seat.ready && !seat.apart && !seat.isSpout() && (seat.hasInput() || seat.executor.isPolled())) {
            seat.ready = true;
            ready.add(seat);
        }
    }

    private void flush() {
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.flush();
            }
        }
    }

    /**
     * Returns whether all lanes to loops of this worker have room. Full lanes to other workers hold back only the components
     * that send to those workers; see Pressure.
     */
    private boolean lanesAreClear() {
        return !isParked(0, loops);
    }

    private boolean isParked(int from, int to) {
        for (int i = from; i < to; i++) {
            if (lanes[i] != null && lanes[i].isParked()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a lane to another worker is full. */
    boolean isParkedAbroad() {
        return isParked(loops, lanes.length);
    }

    /** Returns whether all batches for other workers have left this one. */
    boolean hasLeft() {
        for (int i = loops; i < lanes.length; i++) {
            if (lanes[i] != null && !lanes[i].isClear()) {
                return false;
            }
        }
        return true;
    }

    // ----------------------------------------------------------------------------------- executors that run apart

    private int drainApart() {
        int work = 0;
        for (int i = 0; i < apart.size(); i++) {
            Seat seat = apart.get(i);
            work += drainFrom(seat);
            if (!seat.apart) {
                apart.remove(i--);
                // The executor may have no work left, and so no turn after which it would be measured.
                measure(seat);
                continue;
            }
            feed(seat);
            measure(seat);
        }
        return work;
    }

    private int drainFrom(Seat seat) {
        SpscRing<Batch> ring = seat.executor.link.fromExecutor;
        int count = 0;
        int tuples = 0;
        Batch batch;
        while (tuples < Executor.OUTBOX_ENOUGH && !isHeldBack(seat) && (batch = ring.poll()) != null) {
            drainMailbox();
            route(batch);
            tuples += batch.tupleCount();
            count++;
            if (batch.isLast()) {
                rejoin(seat);
                break;
            }
        }
        return count;
    }

    /**
     * Returns whether the output of an executor that runs apart must wait. A single call can send any number of tuples, and
     * while its ring is full the executor waits within that call. The output need not wait when the executor has given up its
     * thread: until the loop takes it back no thread runs it, and a spout would receive no acks while its downstream bolts are
     * congested.
     */
    private boolean isHeldBack(Seat seat) {
        return shared.pressure().holdsBack(seat.executor.downstream)
                && !seat.executor.link.isReturning
                && !shared.lifecycle().isStopping();
    }

    private void feed(Seat seat) {
        if (seat.inboxIsEmpty()) {
            return;
        }
        Link link = seat.executor.link;
        if (link.toExecutor.size() < link.toExecutor.capacity()) {
            Batch inbox = seat.takeInbox();
            link.tuplesToExecutor.addAndGet(inbox.tupleCount());
            link.toExecutor.offer(inbox);
            link.executorBell.ring();
        }
    }

    private void depart(Seat seat) {
        seat.apart = true;
        apart.add(seat);
    }

    private void rejoin(Seat seat) {
        Batch left = new Batch();
        Batch batch;
        while ((batch = seat.executor.link.toExecutor.poll()) != null) {
            seat.executor.link.tuplesToExecutor.addAndGet(-batch.tupleCount());
            left.addAll(batch);
        }
        seat.executor.link.isReturning = false;
        seat.rejoin(left);
        seat.executor.rejoin();
        if (!seat.isSpout()) {
            makeReady(seat);
        }
    }

    /**
     * Continues the loop that another thread lost in the middle of a turn.
     *
     * @param seat the seat whose turn it was; its executor runs apart from now on
     */
    void resume(Seat seat) {
        seat.executor.shipEverything();
        depart(seat);
    }

    /** Gives up the loop in the middle of a turn. Returns false when the loop was already stolen. */
    boolean surrender(long turn) {
        return guard.steal(turn);
    }

    @Override
    public TurnGuard guard() {
        return guard;
    }

    @Override
    public void onStuck(long turn) {
        if (guard.steal(turn)) {
            // The turn had not ended, so inTurn is its seat. The read is ordered after the loop's thread began the
            // turn.
            host.carryOn(this, inTurn);
        }
    }

    /** Stores the thread that owns the loop from now on. */
    void drivenBy(Thread thread) {
        driver = thread;
    }

    @Override
    public Thread driver() {
        return driver;
    }

    // --------------------------------------------------------------------------------------------------- waiting

    /** Idles after a round without work: spins, yields, then sleeps until there is input. */
    void idle() {
        idleRounds++;
        if (idleRounds < SPINS) {
            Thread.onSpinWait();
        } else if (idleRounds < SPINS + YIELDS) {
            Thread.yield();
        } else {
            bell.sleepUnless(this::hasArrivals, nap());
        }
    }

    void busy() {
        idleRounds = 0;
    }

    /** Wakes the loop. May be called from any thread. */
    void ring() {
        bell.ring();
    }

    @Override
    public void sent(SpscRing<Batch> ring) {
        bell.ring();
    }

    @Override
    public void parked(boolean now) {}

    /** Puts a batch into the mailbox, from which the loop routes it. May be called from any thread. */
    void post(Batch batch) {
        mail.incrementAndGet();
        mailbox.add(batch);
        bell.ring();
    }

    /** Returns whether user threads should wait before they post more. May be called from any thread. */
    boolean hasMuchMail() {
        return mail.get() > MUCH_MAIL;
    }

    /** Makes the loop give turns soon to executors that request one. May be called from any thread. */
    void wantRefresh() {
        refreshWanted = true;
        bell.ring();
    }

    boolean hasArrivals() {
        if (refreshWanted || !mailbox.isEmpty()) {
            return true;
        }
        for (int i = 0; i < inbound.size(); i++) {
            if (!inbound.get(i).isEmpty()) {
                return true;
            }
        }
        for (int i = 0; i < apart.size(); i++) {
            Seat seat = apart.get(i);
            if (!seat.executor.link.fromExecutor.isEmpty() && !isHeldBack(seat)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the longest time to sleep, nanoseconds. The sleep is short when spouts are to be polled or executors are held
     * back.
     */
    private long nap() {
        if (!ready.isEmpty() || isPolled() || isParked(0, lanes.length)) {
            return idleRounds < LONG_IDLE ? SHORT_NAP : LONGER_NAP;
        }
        long untilTick = ticks.next() - shared.clock().nanoTime();
        return Math.max(1, Math.min(LONGEST_NAP, untilTick));
    }

    private boolean isPolled() {
        for (int i = 0; i < spouts.size(); i++) {
            Seat seat = spouts.get(i);
            if (!seat.apart && seat.executor.isPolled()) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------------------------------------------- seating

    /** Adds an executor, while the loop does not run. */
    void add(Seat seat) {
        seats.add(seat);
        if (seat.executor.component.spout()) {
            spouts.add(seat);
        }
        if (seat.apart) {
            apart.add(seat);
        }
        seat.executor.home = this;
        seat.ready = false;
    }

    /** Starts the ticks of an executor, before the loop runs. */
    void startTicks(Seat seat) {
        ticks.add(seat);
    }

    /** Moves an executor with its queued tuples to another loop, while neither loop runs. */
    void move(Seat seat, EventLoop to) {
        leave(seat);
        ticks.move(seat, to.ticks);
        to.add(seat);
    }

    private void leave(Seat seat) {
        seats.remove(seat);
        spouts.remove(seat);
        apart.remove(seat);
        ready.remove(seat);
        deferred.remove(seat);
    }

    /**
     * Removes an executor whose tasks have moved to other executors, while no loop runs. Late acks for its tuple trees still
     * reach the executor, and find no tree.
     *
     * @return the ticks of the executor, null if it has none
     */
    Ticks.Tick retire(Seat seat) {
        leave(seat);
        seat.retire();
        return ticks.remove(seat);
    }

    /** Adds an executor in place of others and takes over their ticks if they had any, while no loop runs. */
    void add(Seat seat, Ticks.Tick tick) {
        add(seat);
        if (tick != null) {
            ticks.addLike(seat, tick);
        }
    }

    /** Sends the outbox of an executor of this loop that gets no turn, while no loop runs. */
    void sendOn(Executor executor) {
        route(executor.outbox);
        executor.outbox.clear();
    }

    /** Stores the loop of an executor, while the loop does not run. */
    void learn(Seat seat, EventLoop loop) {
        seat(seat.executor.plan, loop == this ? seat : null, loop.index);
    }

    /** Stores that another worker runs an executor, before the loop runs. */
    void learnRemote(ExecutorPlan executor) {
        seat(executor, null, loops + executor.worker());
    }

    private void seat(ExecutorPlan executor, Seat seat, int lane) {
        if (executor.index() >= seatOfExecutor.length) {
            seatOfExecutor = Arrays.copyOf(seatOfExecutor, executor.index() + 1);
            laneOfExecutor = Arrays.copyOf(laneOfExecutor, executor.index() + 1);
        }
        seatOfExecutor[executor.index()] = seat;
        laneOfExecutor[executor.index()] = lane;
        for (int task : executor.taskIds()) {
            seatOfTask[task] = seat;
            laneOfTask[task] = lane;
        }
    }

    /** Puts all bolts with work into the queue, after a change of seats and when components may be opened. */
    void refresh() {
        for (Seat seat : seats) {
            if (!seat.isSpout()) {
                makeReady(seat);
            }
        }
    }

    /** Receives all batches under way and sends all waiting batches, while no loop runs. Returns whether there were any. */
    boolean settle() {
        int work = drainMailbox() + drainInbound();
        boolean sent = false;
        for (Lane lane : lanes) {
            sent |= lane != null && lane.flush();
        }
        return work > 0 || sent;
    }

    List<Seat> seats() {
        return seats;
    }

    long busyNanosForView() {
        return busyNanosForView;
    }

    // ---------------------------------------------------------------------------------------------------- the end

    /**
     * Closes the components of the executors that run here, each in a turn.
     *
     * @return the number of executors that are not closed yet, including those that run apart; {@link #LOST} if the loop was
     *     lost
     */
    int close() {
        drainApart();
        int open = 0;
        for (int i = 0; i < seats.size(); i++) {
            Seat seat = seats.get(i);
            if (!seat.closed && !seat.apart) {
                seat.closed = true;
                inTurn = seat;
                seat.executor.turnOnLoop = guard.begin();
                seat.executor.end();
                if (!guard.end(seat.executor.turnOnLoop)) {
                    return LOST;
                }
            }
            if (!seat.executor.hasEnded()) {
                open++;
            }
        }
        return open;
    }
}
