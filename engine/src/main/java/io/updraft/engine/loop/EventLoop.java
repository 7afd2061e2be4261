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
 * Gives executors their turns and carries what they emit to where it goes. {@link #doWork} is the path of a tuple: take
 * what others have sent, let bolts work it off, ask spouts for more, send on.
 *
 * <p>A loop belongs to one thread at a time. It can be taken from a thread that is in a turn which does not end, see
 * {@link TurnGuard}; everything here but the inbound ends of rings, the mailbox and the doorbell is touched by the owner
 * only.
 */
final class EventLoop implements Watchdog.Turns, Lane.End {

    /** Returned by {@link #doWork} when the thread has lost the loop and must not touch it again. */
    static final int LOST = -1;

    /** Turns of bolts before spouts get theirs. */
    private static final int BOLT_TURNS = 4096;

    /** Time after which bolts, and then spouts, get no more turns in a round: others may have sent something meanwhile. */
    private static final long ROUND_NANOS = 5_000_000;

    /** Tuples that spouts emit before bolts get their turns: small enough to stay in the cache. */
    private static final int SPOUT_TUPLES = 1024;

    /** Rounds with nothing to do before the loop sleeps: some ten microseconds. */
    private static final int SPINS = 100;

    private static final int YIELDS = 5;

    /** Rounds after which a loop counts as idle for long: about a tenth of a second. */
    private static final int LONG_IDLE = 200;

    /** Batches in the mailbox, each of one emit, at which threads of the user's have to wait. */
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

    /** Batches in the mailbox. */
    private final AtomicInteger mail = new AtomicInteger();

    /** To the other loops, and behind those to the other workers; null to itself and to its own worker. */
    private Lane[] lanes;

    private final int loops;
    private List<SpscRing<Batch>> inbound;
    private final Seat[] seatOfTask;
    private Seat[] seatOfExecutor;

    /** Positions in lanes. */
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

    /** Whether an executor wants a turn for another reason than input. Written by any thread. */
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

    /** Joins this loop to the others, and to other workers. Before any of them runs. */
    void connect(Lane[] lanesOut, List<SpscRing<Batch>> ringsIn, Runnable whenPressureIsReleased) {
        this.lanes = lanesOut;
        this.inbound = ringsIn;
        this.onPressureReleased = whenPressureIsReleased;
    }

    // ------------------------------------------------------------------------------------------- the path of a tuple

    /**
     * Does what there is to do, once around.
     *
     * @return how much was done, or {@link #LOST}
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
                // It went after something had come in for it: by its link it gets that now.
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
        // What is held back is queued, and has to be measured, or it would never hold back what is upstream of it.
        measure(seat);
        seat.ready = true;
        deferred.add(seat);
    }

    /** Those that were held back stand in the queue again the next time around. */
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

    /** Runs one turn; false when the loop was lost in it. */
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
            // What others emitted for this executor's tuples counts before what the turn acked: see OutsideCalls.
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

    /** Has a seat run that did not have anything to do. */
    private void arrived(Seat seat) {
        if (!seat.ready) {
            makeReady(seat);
            measure(seat);
        }
    }

    /** Spouts are asked in every round anyway, and only then: they must not get the turns of bolts. */
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

    /** Whether no loop of this worker is behind. What goes to other workers holds back only who sends there: see Pressure. */
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

    /** Whether a way to another worker is full. */
    boolean isParkedAbroad() {
        return isParked(loops, lanes.length);
    }

    /** Whether all that was sent to other workers has left this one. */
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
                // It may have nothing left to do and so no turn after which it would be measured.
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
     * Whether what an executor has sent has to wait: a single call can send any number of tuples, and while its ring is
     * full it waits within that call. Not when it has given up its thread: until it is taken back nobody runs it, and a
     * spout would hear of no ack while those that it feeds are congested.
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
     * Goes on where another thread has left off, in the middle of a turn.
     *
     * @param seat whose turn it was; its executor runs apart from now on
     */
    void resume(Seat seat) {
        seat.executor.shipEverything();
        depart(seat);
    }

    /** Gives up the loop in the middle of a turn; false when it was taken already. */
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
            // The turn was not over, so this is its seat; reading it is ordered after the loop's thread began the turn.
            host.carryOn(this, inTurn);
        }
    }

    /** Notes the thread that owns the loop from now on. */
    void drivenBy(Thread thread) {
        driver = thread;
    }

    @Override
    public Thread driver() {
        return driver;
    }

    // --------------------------------------------------------------------------------------------------- waiting

    /** Passes the time after a round in which nothing was done: spins, yields, then sleeps until something comes in. */
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

    /** Wakes the loop. From any thread. */
    void ring() {
        bell.ring();
    }

    @Override
    public void sent(SpscRing<Batch> ring) {
        bell.ring();
    }

    @Override
    public void parked(boolean now) {}

    /** Leaves a batch for the loop to route. From any thread. */
    void post(Batch batch) {
        mail.incrementAndGet();
        mailbox.add(batch);
        bell.ring();
    }

    /** Whether threads of the user's should wait before they leave more. From any thread. */
    boolean hasMuchMail() {
        return mail.get() > MUCH_MAIL;
    }

    /** Gives turns soon to those that say they want one. From any thread. */
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

    /** How long to sleep at the most, nanoseconds: spouts want to be asked, held-back executors want to be looked at. */
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

    /** Takes in an executor. While the loop does not run. */
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

    /** Starts the ticks of an executor. Before the loop runs. */
    void startTicks(Seat seat) {
        ticks.add(seat);
    }

    /** Moves an executor with all that is queued for it to another loop. While neither runs. */
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
     * Lets an executor go whose tasks others have now. While no loop runs. What arrives late for its tuple trees still comes
     * to it, and finds none.
     *
     * @return its ticks, null if it has none
     */
    Ticks.Tick retire(Seat seat) {
        leave(seat);
        seat.retire();
        return ticks.remove(seat);
    }

    /** Takes in an executor in the place of others, whose ticks it gets if they had any. While no loop runs. */
    void add(Seat seat, Ticks.Tick tick) {
        add(seat);
        if (tick != null) {
            ticks.addLike(seat, tick);
        }
    }

    /** Sends on what an executor has left, which runs here and has no turn. While no loop runs. */
    void sendOn(Executor executor) {
        route(executor.outbox);
        executor.outbox.clear();
    }

    /** Notes where an executor sits. While the loop does not run. */
    void learn(Seat seat, EventLoop loop) {
        seat(seat.executor.plan, loop == this ? seat : null, loop.index);
    }

    /** Notes that an executor is another worker's. Before the loop runs. */
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

    /** Puts what has something to do into the queue: after a change of seats, and when components may be opened. */
    void refresh() {
        for (Seat seat : seats) {
            if (!seat.isSpout()) {
                makeReady(seat);
            }
        }
    }

    /** Takes in all that is under way, and sends on all that waits, while no loop runs; returns whether there was any. */
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
     * Closes the components of the executors that run here, each as a turn.
     *
     * @return whether all are closed, those included that run apart; or {@link #LOST} as a negative number
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
