package io.updraft.cli.log;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * Binds SLF4J to Log4j, and starts Log4j only when a line is to be written or a level changes. The start of Log4j takes longer than
 * a small job, and most jobs write no line. The loggers are safe to use from any thread.
 */
public final class LateLogProvider implements SLF4JServiceProvider {
    private static volatile boolean started;

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();

    /** Log4j's own binding. */
    private static final class Log4j {
        private static final SLF4JServiceProvider PROVIDER = new org.apache.logging.slf4j.SLF4JServiceProvider();

        static {
            PROVIDER.initialize();
        }
    }

    /** Starts Log4j, so that its levels decide from now on. Call it before the levels are changed at run time. */
    public static void start() {
        log4j();
    }

    static boolean hasStarted() {
        return started;
    }

    static SLF4JServiceProvider log4j() {
        SLF4JServiceProvider provider = Log4j.PROVIDER;
        started = true;
        return provider;
    }

    @Override
    public void initialize() {
        // Nothing is initialized before the first line.
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return name -> loggers.computeIfAbsent(name, LateLogger::new);
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return new LateMdcAdapter();
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }
}
