package io.updraft.cli.run;

import io.updraft.cluster.signal.ExitWatch;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * Keeps the process alive when the program calls {@code System.exit} after it has submitted a topology: in Storm that ends
 * the client that submitted and not the topology. The JVM is held in its shutdown hooks, in which everything else goes on,
 * until the run is over and {@link #isHolding} tells that only {@code halt} can end it. Threads that ask for an exit from then on
 * find it under way, and are found by looking for them.
 */
public final class ExitGuard {
    private static final long LOOK_MILLIS = 500;
    private static volatile boolean holding;

    private final BooleanSupplier hold;
    private final Runnable whenHeld;
    private final ExitWatch watch;

    /**
     * Creates a guard.
     *
     * @param hold tells, at an exit, whether there is something to go on with
     * @param whenHeld run once, when an exit is held up
     * @param found is told of each thread that has asked for an exit that is held up, and of its stack
     */
    ExitGuard(BooleanSupplier hold, Runnable whenHeld, BiConsumer<Thread, StackTraceElement[]> found) {
        this.hold = hold;
        this.whenHeld = whenHeld;
        this.watch = new ExitWatch(found);
        Runtime.getRuntime().addShutdownHook(new Thread(this::onExit, "updraft-exit-guard"));
    }

    /** {@return whether an exit is being held up, so that another call of {@code System.exit} would never return} */
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
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
