package io.updraft.cluster.local;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the coordinator's orders to one worker, on a thread of its own: one that stands still reads nothing, and to write to it
 * blocks when the socket is full, while the coordinator has all other workers to look after, and this one to kill.
 *
 * <p>Safe to use from any thread.
 */
final class ControlSender implements Closeable {
    /** The worker's number follows. */
    static final String THREAD = "updraft-control-sender-";

    private static final Logger LOG = LoggerFactory.getLogger(ControlSender.class);

    /** Orders that wait for a worker; one that has left more unread is of no use, and the end of its channel is its own. */
    private static final int MOST_WAITING = 10_000;

    private final ControlChannel channel;
    private final BlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
    private final Thread thread;

    ControlSender(ControlChannel channel, int worker) {
        this.channel = channel;
        thread = new Thread(this::sendAll, THREAD + worker);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has a message sent after those before; it gets lost with the connection. */
    void send(ControlMessage message) {
        if (waiting.size() < MOST_WAITING) {
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
            // It was closed.
        } catch (IOException e) {
            LOG.debug("a worker cannot be reached; it is about to be found dead", e);
            close();
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is of no use any more.
        }
        thread.interrupt();
    }
}
