package io.updraft.cluster.control;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the coordinator's orders to one worker, on a thread of its own. A worker that is stopped reads nothing, so a write to
 * it blocks when the socket buffer is full. The coordinator's thread must not block: it serves all other workers, and may have
 * to kill this one.
 *
 * <p>Safe to use from any thread.
 */
public final class ControlSender implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSender.class);

    /**
     * Most orders that may wait for a worker. The connection of a worker with more unread orders is closed, which ends the
     * worker.
     */
    private static final int MAX_WAITING = 10_000;

    private final ControlChannel channel;
    private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;

    /**
     * Starts the thread.
     *
     * @param channel the connection to the worker; closed together with this sender
     * @param worker the number of the worker
     */
    public ControlSender(ControlChannel channel, int worker) {
        this.channel = channel;
        thread = new Thread(this::sendAll, "updraft-control-sender-" + worker);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * Queues a message. Queued messages are lost when the connection is lost.
     *
     * @param message the message
     */
    public void send(ControlMessage message) {
        if (waiting.size() < MAX_WAITING) {
            waiting.add(ControlCodec.encode(message));
        } else {
            close();
        }
    }

    private void sendAll() {
        try {
            while (true) {
                channel.send(waiting.take());
            }
        } catch (InterruptedException e) {
            // The sender was closed.
        } catch (IOException e) {
            LOG.debug("cannot send to a worker; its death will be noticed soon", e);
            close();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nothing can be done about a channel that does not close.
        }
        thread.interrupt();
    }
}
