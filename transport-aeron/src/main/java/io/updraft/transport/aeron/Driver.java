package io.updraft.transport.aeron;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.updraft.transport.TransportException;
import java.nio.file.Path;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A media driver and a client of it; the driver is our own or a shared one. */
final class Driver implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Driver.class);

    /**
     * For some 2,500 channels, each of which takes about a dozen counters of 128 bytes. The driver fills it and four times as much
     * with zeros, so it is not larger.
     */
    private static final int COUNTERS_BYTES = 4 * 1024 * 1024;

    private final MediaDriver own;
    private final Path folder;
    private final Aeron client;

    private Driver(MediaDriver own, Path folder, Aeron client) {
        this.own = own;
        this.folder = folder;
        this.client = client;
    }

    static Driver start(Settings settings) throws TransportException {
        return settings.sharedDriver().isPresent()
                ? shared(settings.sharedDriver().get())
                : launch(settings);
    }

    private static Driver shared(String folder) throws TransportException {
        try {
            return new Driver(null, Path.of(folder), connect(folder));
        } catch (RuntimeException none) {
            throw new TransportException(
                    "aeron: no media driver answers in " + folder + " (" + firstLine(none)
                            + "): start one there, or unset " + AeronProvider.SHARED_DRIVER,
                    none);
        }
    }

    private static Driver launch(Settings settings) throws TransportException {
        DriverFolder.removeStale(DriverFolder.base());
        Path folder = DriverFolder.unused();
        MediaDriver driver = null;
        try {
            driver = MediaDriver.launch(context(settings, folder));
            return new Driver(driver, folder, connect(folder.toString()));
        } catch (RuntimeException failed) {
            if (driver != null) {
                driver.close();
            }
            throw new TransportException(
                    "aeron: no media driver can run in " + folder + " (" + firstLine(failed)
                            + "): is there room, and may this user write there?",
                    failed);
        }
    }

    private static MediaDriver.Context context(Settings settings, Path folder) {
        return new MediaDriver.Context()
                .aeronDirectoryName(folder.toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .warnIfDirectoryExists(false)
                .threadingMode(settings.threads() == 1 ? ThreadingMode.SHARED : ThreadingMode.SHARED_NETWORK)
                .sharedIdleStrategy(idle())
                .sharedNetworkIdleStrategy(idle())
                .conductorIdleStrategy(idle())
                .termBufferSparseFile(true)
                .mtuLength(settings.mtu())
                .publicationTermBufferLength(settings.termBytes())
                .counterValuesBufferLength(COUNTERS_BYTES)
                // An owner that is held up for long must not lose its channels: the driver ends with the process
                // anyway.
                .clientLivenessTimeoutNs(MINUTES.toNanos(30))
                .publicationUnblockTimeoutNs(MINUTES.toNanos(40))
                .imageLivenessTimeoutNs(SECONDS.toNanos(5))
                .publicationLingerTimeoutNs(SECONDS.toNanos(1))
                .timerIntervalNs(MILLISECONDS.toNanos(100))
                .errorHandler(fault -> LOG.debug("aeron: the media driver reports", fault));
    }

    private static IdleStrategy idle() {
        return new BackoffIdleStrategy(10, 20, MICROSECONDS.toNanos(1), MILLISECONDS.toNanos(1));
    }

    private static Aeron connect(String folder) {
        return Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(folder)
                .useConductorAgentInvoker(true)
                .errorHandler(fault -> LOG.warn("aeron: the client reports", fault)));
    }

    Aeron client() {
        return client;
    }

    boolean isOwn() {
        return own != null;
    }

    /** {@return the first line of what went wrong, without the category that Aeron puts before it} */
    static String firstLine(Throwable fault) {
        String message = String.valueOf(fault.getMessage());
        return message.lines()
                .findFirst()
                .map(line -> line.replaceFirst("^[A-Z]+ - ", ""))
                .orElse(fault.getClass().getSimpleName());
    }

    @Override
    public void close() {
        try {
            client.close();
        } finally {
            if (own != null) {
                own.close();
                DriverFolder.remove(folder);
            }
        }
    }
}
