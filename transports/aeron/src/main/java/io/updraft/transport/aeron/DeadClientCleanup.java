package io.updraft.transport.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.status.CountersReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes clients of a shared driver whose process is dead, so that the driver frees their resources: 24 MiB for each channel,
 * by default. The driver itself detects dead clients only by a timeout. That timeout must be very long, because a process that
 * is stopped or collects garbage is silent too.
 */
final class DeadClientCleanup implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeadClientCleanup.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final DriverControlFile cnc;
    private final CountersReader counters;
    private volatile boolean closed;

    DeadClientCleanup(DriverControlFile cnc) {
        this.cnc = cnc;
        this.counters = cnc.counters();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                closeDead();
            } catch (RuntimeException busy) {
                LOG.debug("aeron: the media driver accepts no command now", busy);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void closeDead() {
        counters.forEach((id, type, key, label) -> {
            if (type == ProcessCounter.TYPE && !ProcessCounter.isAlive(key)) {
                closeDead(counters.getCounterOwnerId(id), label);
            }
        });
    }

    /**
     * Closes a client. Repetition does no harm: the driver takes the first command, and needs some rounds to remove the client.
     */
    private void closeDead(long client, String whose) {
        LOG.debug("aeron: {} is dead; closing its client {}", whose, client);
        cnc.inTheNameOf(client).clientClose();
    }

    /** Stops the loop; the thread ends soon. From any thread. */
    void close() {
        closed = true;
    }
}
