package io.updraft.cli.run;

import java.util.concurrent.CountDownLatch;

/**
 * Keeps the process alive when the program calls {@code System.exit} after it has submitted a topology: in Storm that ends
 * the client that submitted and not the topology. The JVM is held in its shutdown hooks, in which everything else goes on,
 * until the run is over and {@link #isHolding} tells that only {@code halt} can end it.
 */
public final class ExitGuard {
    private static final CountDownLatch NEVER = new CountDownLatch(1);
    private static volatile boolean holding;

    private final Runnable whenHeld;
    private volatile boolean armed;

    /**
     * Creates a guard that holds nothing yet.
     *
     * @param whenHeld run once, when the program's exit was held up
     */
    ExitGuard(Runnable whenHeld) {
        this.whenHeld = whenHeld;
        Runtime.getRuntime().addShutdownHook(new Thread(this::onExit, "updraft-exit-guard"));
    }

    void arm(boolean on) {
        armed = on;
    }

    /** {@return whether an exit is being held up, so that another call of {@code System.exit} would never return} */
    public static boolean isHolding() {
        return holding;
    }

    private void onExit() {
        if (!armed) {
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
