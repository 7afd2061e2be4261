package io.updraft.transport.aeron;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.base.text.OneLine;
import io.updraft.transport.TransportException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A media driver and a client of it. The driver is this transport's own or a shared one. */
final class AeronDriver implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(AeronDriver.class);

    /**
     * Size of the counters buffer. It suffices for some 2,500 channels, each of which takes about a dozen counters of 128
     * bytes. It is not larger because the driver fills it, and four times as much besides, with zeros.
     */
    private static final int COUNTERS_BYTES = 4 * 1024 * 1024;

    private static final long CLIENT_TIMEOUT_NANOS = MINUTES.toNanos(30);

    private final MediaDriver own;
    private final Path folder;
    private final DriverProcess process;
    private final Aeron client;

    private AeronDriver(MediaDriver own, String folder) {
        this.own = own;
        this.folder = Path.of(folder);
        process = DriverProcess.of(folder);
        client = connect(folder, process);
    }

    static AeronDriver start(AeronSettings settings) throws TransportException {
        return settings.sharedDriver().isPresent()
                ? shared(settings.sharedDriver().get())
                : launch(settings);
    }

    private static AeronDriver shared(String folder) throws TransportException {
        try {
            return identified(new AeronDriver(null, folder));
        } catch (RuntimeException none) {
            throw new TransportException(
                    "aeron: no media driver answers in " + folder + " (" + firstLine(none)
                            + "): start one there, or unset " + AeronProvider.SHARED_DRIVER,
                    none);
        }
    }

    private static AeronDriver identified(AeronDriver driver) {
        try {
            ProcessCounter.register(driver.client);
            return driver;
        } catch (RuntimeException refused) {
            driver.close();
            throw refused;
        }
    }

    private static AeronDriver launch(AeronSettings settings) throws TransportException {
        MediaDriver driver = start(context(settings)
                .threadingMode(settings.threads() == 1 ? ThreadingMode.SHARED : ThreadingMode.SHARED_NETWORK)
                .sharedIdleStrategy(idle())
                .sharedNetworkIdleStrategy(idle())
                .conductorIdleStrategy(idle()));
        try {
            return new AeronDriver(driver, driver.aeronDirectoryName());
        } catch (RuntimeException failed) {
            throw stop(driver, failed);
        }
    }

    /** Stops a driver that cannot be used, and returns the reason. */
    static TransportException stop(MediaDriver driver, RuntimeException cause) {
        String folder = driver.aeronDirectoryName();
        driver.close();
        DriverFolder.removeWithParent(Path.of(folder));
        return cannotRun(folder, cause);
    }

    static MediaDriver start(MediaDriver.Context context) throws TransportException {
        try {
            return MediaDriver.launch(context);
        } catch (RuntimeException failed) {
            DriverFolder.removeWithParent(Path.of(context.aeronDirectoryName()));
            throw cannotRun(context.aeronDirectoryName(), failed);
        }
    }

    private static TransportException cannotRun(String folder, RuntimeException failed) {
        return new TransportException(
                "aeron: no media driver can run in " + folder + " (" + firstLine(failed)
                        + "): check that there is free space and that this user may write there",
                failed);
    }

    /** Creates the context that all drivers started here share, with an unused folder. Removes the folders of dead drivers. */
    static MediaDriver.Context context(AeronSettings settings) throws TransportException {
        DriverFolder.removeStale(DriverFolder.base());
        return new MediaDriver.Context()
                .aeronDirectoryName(newFolder())
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(true)
                .mtuLength(settings.mtu())
                .publicationTermBufferLength(settings.termBytes())
                .counterValuesBufferLength(COUNTERS_BYTES)
                // A client that is stopped or delayed for long must not lose its channels. A dead client is removed at
                // once all the same: a driver of its own ends with its process, and HostDriver handles a shared one.
                .clientLivenessTimeoutNs(CLIENT_TIMEOUT_NANOS)
                .publicationUnblockTimeoutNs(CLIENT_TIMEOUT_NANOS + MINUTES.toNanos(10))
                .imageLivenessTimeoutNs(SECONDS.toNanos(5))
                .unicastFeedbackDelayGenerator(new NakDelay(System::nanoTime))
                .publicationLingerTimeoutNs(SECONDS.toNanos(1))
                .timerIntervalNs(MILLISECONDS.toNanos(100))
                .errorHandler(fault -> LOG.debug("aeron: the media driver reported an error", fault));
    }

    private static String newFolder() throws TransportException {
        try {
            return DriverFolder.create().toString();
        } catch (IOException failed) {
            // The message of this exception is only the name of a file.
            throw cannotRun(DriverFolder.base().toString(), new UncheckedIOException(failed.toString(), failed));
        }
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 20, MICROSECONDS.toNanos(1), MILLISECONDS.toNanos(1));
    }

    private static Aeron connect(String folder, DriverProcess process) {
        Aeron.Context context = new Aeron.Context();
        return Aeron.connect(context.aeronDirectoryName(folder)
                .clientName("updraft-" + ProcessHandle.current().pid())
                .driverTimeoutMs(Math.max(context.driverTimeoutMs(), driverTimeoutMillis(folder)))
                .awaitingIdleStrategy(process)
                .useConductorAgentInvoker(true)
                .errorHandler(fault -> LOG.warn("aeron: the client reported an error", fault)));
    }

    /**
     * Returns how long the client waits for a driver: as long as the driver waits for the client. A whole group of processes
     * may be stopped and continued; the first one that runs must not take the other for dead. The folder of a dead driver is
     * not waited for.
     */
    private static long driverTimeoutMillis(String folder) {
        return DriverControlFile.fileIn(folder).exists() && !DriverProcess.isGone(folder)
                ? DriverControlFile.of(folder).clientLivenessMillis()
                : 0;
    }

    /** Closes the client if the driver's process has died. Otherwise the client would wait for the silent driver. */
    void checkProcess() {
        if (!client.isClosed() && process.isDead()) {
            client.close();
        }
    }

    Aeron client() {
        return client;
    }

    boolean isOwn() {
        return own != null;
    }

    /** {@return the first line of an exception's message, without the category that Aeron puts before it} */
    static String firstLine(Throwable fault) {
        return OneLine.first(fault).replaceFirst("^[A-Z]+ - ", "");
    }

    @Override
    public void close() {
        try {
            client.close();
        } finally {
            if (own != null) {
                own.close();
                DriverFolder.removeWithParent(folder);
            }
        }
    }

    /**
     * The process of a shared driver, which is part of its folder's name. A client waits very long for a silent driver, because the
     * driver may have been stopped and continued. It does not wait for a driver whose process is dead. Owner only.
     *
     * <p>The process of a driver that another program has started, or of another container, is not known here: it counts as alive.
     */
    private static final class DriverProcess implements IdleStrategy {

        private static final long PAUSE_NANOS = SECONDS.toNanos(1);
        private static final long PARK_NANOS = 500_000;

        /** Null when the process is not known. The handle distinguishes the process from a later one with the same id. */
        private final ProcessHandle process;

        private long nextLook = System.nanoTime();
        private boolean dead;

        private DriverProcess(ProcessHandle process) {
            this.process = process;
        }

        static DriverProcess of(String folder) {
            return new DriverProcess(find(folder).orElse(null));
        }

        /** {@return whether the folder names a process that does not exist here} */
        static boolean isGone(String folder) {
            return DriverFolder.process(Path.of(folder)).isPresent()
                    && find(folder).isEmpty();
        }

        private static Optional<ProcessHandle> find(String folder) {
            OptionalLong number = DriverFolder.process(Path.of(folder));
            return number.isPresent() ? ProcessHandle.of(number.getAsLong()) : Optional.empty();
        }

        boolean isDead() {
            long now = System.nanoTime();
            if (process != null && !dead && now - nextLook >= 0) {
                nextLook = now + PAUSE_NANOS;
                dead = !process.isAlive();
            }
            return dead;
        }

        /** Waits for the driver's answer; throws when the driver's process is dead. */
        @Override
        public void idle() {
            if (isDead()) {
                throw new IllegalStateException("the process of the media driver is dead");
            }
            LockSupport.parkNanos(PARK_NANOS);
        }

        @Override
        public void idle(int workCount) {
            if (workCount == 0) {
                idle();
            }
        }

        @Override
        public void reset() {}
    }
}
