package io.updraft.engine.loop;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Takes a loop from its thread when a turn does not end, and has it go on elsewhere; the executor keeps the thread.
 *
 * <p>It is what Go's scheduler does with a processor whose thread is blocked in a system call.
 */
final class Watchdog implements Runnable {

    /** A turn that is seen on at the beginning and at the end of this time does not end soon enough. */
    private static final long PATIENCE_NANOS = 5_000_000;

    private static final long LOOK_NANOS = 2_500_000;

    /** After this many looks at loops of which none was in a turn, look less often. */
    private static final int QUIET_LOOKS = 40;

    private static final long QUIET_LOOK_NANOS = 10_000_000;

    /** When the watchdog itself was held up for so long, the machine was busy with something else: it proves nothing. */
    private static final long HELD_UP_NANOS = 3 * LOOK_NANOS;

    private final List<EventLoop> loops;
    private final Host host;
    private final BooleanSupplier over;
    private final long[] turns;
    private final long[] since;
    private int quiet;

    Watchdog(List<EventLoop> loops, Host host, BooleanSupplier over) {
        this.loops = loops;
        this.host = host;
        this.over = over;
        this.turns = new long[loops.size()];
        this.since = new long[loops.size()];
    }

    @Override
    public void run() {
        while (!over.getAsBoolean()) {
            long before = System.nanoTime();
            long sleep = quiet > QUIET_LOOKS ? QUIET_LOOK_NANOS : LOOK_NANOS;
            LockSupport.parkNanos(sleep);
            long now = System.nanoTime();
            if (now - before - sleep < HELD_UP_NANOS) {
                look(now);
            } else {
                Arrays.fill(turns, 0);
            }
        }
    }

    private void look(long now) {
        quiet++;
        for (int i = 0; i < turns.length; i++) {
            EventLoop loop = loops.get(i);
            long turn = loop.guard().current();
            if (turn != 0) {
                quiet = 0;
            }
            if (turn == 0 || turn != turns[i]) {
                turns[i] = turn;
                since[i] = now;
            } else if (now - since[i] >= PATIENCE_NANOS) {
                take(loop, turn);
                turns[i] = 0;
            }
        }
    }

    private void take(EventLoop loop, long turn) {
        if (loop.guard().steal(turn)) {
            // The turn was not over, so this is its seat; reading it is ordered after the loop's thread began the turn.
            host.carryOn(loop, loop.inTurn());
        }
    }
}
