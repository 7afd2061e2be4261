package io.updraft.cluster.local;

import io.updraft.cluster.control.ControlChannel;
import io.updraft.cluster.control.ControlMessage;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The orders of the coordinator to a worker. They are read on their own thread, {@code updraft-orders}. The worker therefore
 * notices a lost coordinator at once, even while user code blocks its main thread.
 */
final class OrderQueue {
    private static final Logger LOG = LoggerFactory.getLogger(OrderQueue.class);

    private final BlockingQueue<ControlMessage> waiting = new LinkedBlockingQueue<>();
    private final ControlChannel control;
    private final Runnable onLost;
    private volatile boolean over;

    /**
     * Starts to read orders; nobody else may receive from the connection. {@code whenGone} is called once when the connection is
     * lost, unless {@link #end} was called before.
     */
    OrderQueue(ControlChannel control, Runnable whenGone) {
        this.control = control;
        this.onLost = whenGone;
        Thread thread = new Thread(this::read, "updraft-orders");
        thread.setDaemon(true);
        thread.start();
    }

    ControlMessage next() throws InterruptedException {
        return waiting.take();
    }

    /** Notes that no more orders are expected: the connection may close. */
    void end() {
        over = true;
    }

    private void read() {
        String why = "the connection was closed";
        try {
            for (ControlMessage order = control.receive(); order != null; order = control.receive()) {
                waiting.add(order);
            }
        } catch (IOException e) {
            why = String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            // The main thread would wait for orders forever.
            why = e.toString();
        }
        if (!over) {
            LOG.error("lost the coordinator: {}", why);
            onLost.run();
        }
    }
}
