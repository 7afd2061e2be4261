package io.updraft.cluster.local;

import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the coordinator says to a worker. It is read on a thread of its own, so that it is noticed at once when the
 * coordinator is gone, even while the worker's main thread is held up by code of the user's.
 */
final class Orders {
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

    private final BlockingQueue<ControlMessage> waiting = new LinkedBlockingQueue<>();
    private final ControlChannel control;
    private final Runnable whenGone;
    private volatile boolean over;

    /**
     * Begins to read.
     *
     * @param control the connection; nobody else may receive from it
     * @param whenGone run once when the coordinator is gone, unless {@link #end} was called before
     */
    Orders(ControlChannel control, Runnable whenGone) {
        this.control = control;
        this.whenGone = whenGone;
        Thread thread = new Thread(this::read, "updraft-orders");
        thread.setDaemon(true);
        thread.start();
    }

    /** {@return the next order; it is waited for} */
    ControlMessage next() throws InterruptedException {
        return waiting.take();
    }

    /** No more orders are wanted: the connection may close. */
    void end() {
        over = true;
    }

    private void read() {
        String why = "it has closed the connection";
        try {
            for (ControlMessage order = control.receive(); order != null; order = control.receive()) {
                waiting.add(order);
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            // The main thread waits for orders, and would for ever.
            why = e.toString();
        }
        if (!over) {
            LOG.error("the coordinator is gone: {}", why);
            whenGone.run();
        }
    }
}
