package io.updraft.cli.run;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;

/**
 * Keeps the process alive when the program calls {@code System.exit} after it has submitted a topology: in Storm that ends
 * the client that submitted and not the topology. The JVM is held in its shutdown hooks, in which everything else goes on,
 * until the run is over and {@link #isHolding} tells that only {@code halt} can end it.
 */
public final class ExitGuard {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static volatile boolean holding;

    private final BooleanSupplier hold;
    private final Runnable whenHeld;

    /**
     * Creates a guard.
     *
     * @param hold tells, at an exit, whether there is something to go on with
     * @param whenHeld run once, when an exit is held up
     */
    ExitGuard(BooleanSupplier hold, Runnable whenHeld) {
        this.hold = hold;
        this.whenHeld = whenHeld;
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
            NEVER.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
