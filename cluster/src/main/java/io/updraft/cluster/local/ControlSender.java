package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
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
final class ControlSender implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlSender.class);

    /**
     * Most orders that may wait for a worker. The connection of a worker with more unread orders is closed, which ends the
     * worker.
     */
    private static final int MAX_WAITING = 10_000;

    private final ControlChannel channel;
    private final BlockingQueue<ControlMessage> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;

    /** Starts the thread. The channel is closed together with this sender. */
    ControlSender(ControlChannel channel, int worker) {
        this.channel = channel;
        thread = DaemonThreads.create("updraft-control-sender-" + worker, this::sendAll);
        thread.start();
    }

    /** Queues a message. Queued messages are lost when the connection is lost. */
    void send(ControlMessage message) {
        if (waiting.size() < MAX_WAITING) {
            waiting.add(message);
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
