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
    private final DeadClients dead;
    private final Thread undertaker;
    private final AtomicBoolean closed = new AtomicBoolean();

    private HostDriver(MediaDriver driver) {
        this.driver = driver;
        dead = new DeadClients(Cnc.of(driver.aeronDirectoryName()));
        undertaker = new Thread(dead, "updraft-aeron-undertaker");
        undertaker.setDaemon(true);
    }

    static HostDriver start(Settings settings) throws TransportException {
        MediaDriver driver = Driver.start(Driver.context(settings)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(new NapIdleStrategy(TimeUnit.MICROSECONDS.toNanos(250))));
        try {
            HostDriver host = new HostDriver(driver);
            host.undertaker.start();
            return host;
        } catch (RuntimeException failed) {
            throw Driver.stop(driver, failed);
        }
    }

    @Override
    public Map<String, Object> options() {
        return Map.of(AeronProvider.SHARED_DRIVER, driver.aeronDirectoryName());
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            dead.close();
            LockSupport.unpark(undertaker);
            join();
            driver.close();
            DriverFolder.removeWithParent(Path.of(driver.aeronDirectoryName()));
        }
    }

    /** Waits for the thread to end: it must not send commands to a driver that is closed. */
    private void join() {
        try {
            undertaker.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
