package io.updraft.engine.thread;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A barrier that stops all loops between two rounds, so that executors can move between loops. */
final class PauseBarrier {

    private final CountDownLatch arrived;
    private final CountDownLatch opened = new CountDownLatch(1);

    PauseBarrier(int loops) {
        arrived = new CountDownLatch(loops);
    }

    /** Blocks a loop until the gate is opened. */
    void await() {
        arrived.countDown();
        boolean interrupted = false;
        while (true) {
            try {
                opened.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    boolean awaitAll(long millis) throws InterruptedException {
        return arrived.await(millis, TimeUnit.MILLISECONDS);
    }

    void open() {
        opened.countDown();
    }
}
