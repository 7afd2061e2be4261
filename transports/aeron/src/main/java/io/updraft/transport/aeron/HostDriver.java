package io.updraft.transport.aeron;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.transport.HostService;
import io.updraft.transport.TransportException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** A media driver in this process for all processes of one host that communicate; it takes hardly any processor time. */
final class HostDriver implements HostService {

    private static final long JOIN_MILLIS = 5_000;

    private final MediaDriver driver;
    private final DeadClientCleanup cleanup;
    private final Thread cleanupThread;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HostDriver(MediaDriver driver) {
        this.driver = driver;
        cleanup = new DeadClientCleanup(DriverControlFile.of(driver.aeronDirectoryName()));
        cleanupThread = new Thread(cleanup, "updraft-aeron-undertaker");
        cleanupThread.setDaemon(true);
    }

    static HostDriver start(AeronSettings settings) throws TransportException {
        MediaDriver driver = AeronDriver.start(AeronDriver.context(settings)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new ParkIdleStrategy(TimeUnit.MICROSECONDS.toNanos(250))));
        try {
            HostDriver host = new HostDriver(driver);
            host.cleanupThread.start();
            return host;
        } catch (RuntimeException failed) {
            throw AeronDriver.stop(driver, failed);
        }
    }

    @Override
    public Map<String, Object> options() {
        return Map.of(AeronProvider.SHARED_DRIVER, driver.aeronDirectoryName());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            cleanup.close();
            LockSupport.unpark(cleanupThread);
            join();
            driver.close();
            DriverFolder.removeWithParent(Path.of(driver.aeronDirectoryName()));
        }
    }

    /** Waits for the thread to end: it must not send commands to a driver that is closed. */
    private void join() {
        try {
            cleanupThread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
