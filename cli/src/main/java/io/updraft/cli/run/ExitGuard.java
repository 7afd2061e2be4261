package io.updraft.cli.run;

import io.updraft.observe.signal.ExitWatch;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Keeps the process alive when the program calls {@code System.exit} after it has submitted a topology. In Storm such a call
 * ends the client, not the topology. A shutdown hook blocks the exit until the run is over; other threads go on meanwhile.
 * While {@link #isHolding}, only {@code halt} ends the process. Later calls of {@code System.exit} block; a periodic look at
 * all threads finds them.
 */
public final class ExitGuard {
    private static final long POLL_MILLIS = 500;
    private static volatile boolean holding;

    private final BooleanSupplier hold;
    private final Runnable whenHeld;
    private final ExitWatch watch;

    /** Creates a guard that blocks an exit if {@code hold} says so. {@code report} receives each thread whose exit is blocked. */
    ExitGuard(BooleanSupplier hold, Runnable whenHeld, BiConsumer<Thread, StackTraceElement[]> report) {
        this.hold = hold;
        this.whenHeld = whenHeld;
        this.watch = new ExitWatch(report);
        Runtime.getRuntime().addShutdownHook(new Thread(this::onExit, "updraft-exit-guard"));
    }

    /** {@return whether an exit is blocked, so that another call of {@code System.exit} would never return} */
    public static boolean isHolding() {
        return holding;
    }

    private void onExit() {
        if (!hold.getAsBoolean()) {
            return;
        }
        holding = true;
        whenHeld.run();
        try {
            while (true) {
                watch.look();
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
