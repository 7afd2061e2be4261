package io.updraft.cli.log;

import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.spi.LocationAwareLogger;

/** A logger that asks Log4j for its own logger only for a line that log4j2.xml may let through. */
final class LateLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;
    private static final String OWN_CODE = "io.updraft.";
    private static final String CALLER = LateLogger.class.getName();

    private final Level least;
    private transient volatile Logger target;

    LateLogger(String name) {
        this.name = name;
        this.least = leastLevel(name);
    }

    /** Returns the lowest level at which log4j2.xml writes lines of a logger. Some loggers have a higher level there. */
    static Level leastLevel(String name) {
        return name.startsWith(OWN_CODE) ? Level.INFO : Level.WARN;
    }

    private boolean isEnabled(Level level) {
        return (LateLogProvider.hasStarted() || level.toInt() >= least.toInt()) && target().isEnabledForLevel(level);
    }

    private Logger target() {
        Logger found = target;
        if (found == null) {
            found = LateLogProvider.log4j().getLoggerFactory().getLogger(name);
            target = found;
        }
        return found;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level, Marker marker, String message, Object[] arguments, Throwable failure) {
        ((LocationAwareLogger) target()).log(null, CALLER, level.toInt(), message, arguments, failure);
    }

    @Override
    protected String getFullyQualifiedCallerName() {
        return CALLER;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }
}
