package io.updraft.transport.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.transport.HostService;
import io.updraft.transport.TransportException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A media driver in this process for all processes of one host that communicate; it takes hardly any processor time. */
final class HostDriver implements HostService {

    private static final Logger LOG = LoggerFactory.getLogger(HostDriver.class);
    private static final long JOIN_MILLIS = 5_000;
    private static final long CLEANUP_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MediaDriver driver;
    private final DriverControlFile controlFile;
    private final Thread cleanup;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HostDriver(MediaDriver driver) {
        this.driver = driver;
        controlFile = DriverControlFile.of(driver.aeronDirectoryName());
        cleanup = DaemonThreads.create("updraft-aeron-undertaker", this::closeDeadClients);
    }

    static HostDriver start(AeronSettings settings) throws TransportException {
        MediaDriver driver = AeronDriver.start(AeronDriver.context(settings)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new Park()));
        try {
            HostDriver host = new HostDriver(driver);
            host.cleanup.start();
            return host;
        } catch (RuntimeException failed) {
            throw AeronDriver.stop(driver, failed);
        }
    }

    /**
     * Closes clients whose process is dead, so that the driver frees their resources: 24 MiB for each channel, by default. The
     * driver itself detects dead clients only by a timeout. That timeout must be very long, because a process that is stopped
     * or collects garbage is silent too. Repetition does no harm: the driver takes the first command, and needs some rounds to
     * remove the client.
     */
    private void closeDeadClients() {
        CountersReader counters = controlFile.counters();
        while (!closed.get()) {
            try {
                counters.forEach((id, type, key, label) -> {
                    if (type == ProcessCounter.TYPE && !ProcessCounter.isAlive(key)) {
                        long client = counters.getCounterOwnerId(id);
                        LOG.debug("aeron: {} is dead; closing its client {}", label, client);
                        controlFile.inTheNameOf(client).clientClose();
                    }
                });
            } catch (RuntimeException busy) {
                LOG.debug("aeron: the media driver accepts no command now", busy);
            }
            LockSupport.parkNanos(CLEANUP_PAUSE_NANOS);
        }
    }

    @Override
    public Map<String, Object> options() {
        return Map.of(AeronProvider.SHARED_DRIVER, driver.aeronDirectoryName());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            LockSupport.unpark(cleanup);
            join();
            driver.close();
            DriverFolder.removeWithParent(Path.of(driver.aeronDirectoryName()));
        }
    }

    /** Waits for the thread to end: it must not send commands to a driver that is closed. */
    private void join() {
        DaemonThreads.join(cleanup, JOIN_MILLIS);
    }

    /**
     * Parks after every round, whether there was work or not. In shared memory messages do not pass the driver. While they
     * flow, the driver only reports to senders how far receivers have read. An update once in a while suffices, because a
     * sender may be half a term ahead. A strategy that continues while there is work would burn a core.
     */
    private static final class Park implements IdleStrategy {

        private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
        private static final long LONGEST_NANOS = 4 * SHORTEST_NANOS;

        private long nanos = SHORTEST_NANOS;

        @Override
        public void idle(int workCount) {
            nanos = workCount > 0 ? SHORTEST_NANOS : Math.min(nanos * 2, LONGEST_NANOS);
            LockSupport.parkNanos(nanos);
        }

        @Override
        public void idle() {
            idle(0);
        }

        @Override
        public void reset() {
            nanos = SHORTEST_NANOS;
        }
    }
}
