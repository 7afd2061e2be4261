package io.updraft.transport.aeron;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.status.CountersReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says goodbye to a shared driver for clients whose process is dead, so that the driver removes what they have left: 24 MiB
 * for each channel, by default. The driver itself knows them by their silence only, and silent is also a process that was
 * stopped or that collects garbage, so that it has to be very patient.
 */
final class DeadClients implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeadClients.class);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Cnc cnc;
    private final CountersReader counters;
    private volatile boolean closed;

    DeadClients(Cnc cnc) {
        this.cnc = cnc;
        this.counters = cnc.counters();
    }

    @Override
    public void run() {
        while (!closed) {
            try {
                bury();
            } catch (RuntimeException busy) {
                LOG.debug("aeron: the media driver takes no command now", busy);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void bury() {
        counters.forEach((id, type, key, label) -> {
            if (type == Identity.TYPE && !Identity.isAlive(key)) {
                bury(counters.getCounterOwnerId(id), label);
            }
        });
    }

    /** More than once does no harm: the driver takes the first one, and it is some rounds until the client is gone. */
    private void bury(long client, String whose) {
        LOG.debug("aeron: {} is dead; its client {} is closed", whose, client);
        cnc.inTheNameOf(client).clientClose();
    }

    /** From any thread; the thread that runs this ends soon. */
    void close() {
        closed = true;
    }
}
