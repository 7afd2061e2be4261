package io.updraft.engine.testing;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings that a class has logged since this was created. */
public final class CapturedWarnings implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AbstractAppender appender;

    /** Takes what a class logs until this is closed. */
    public CapturedWarnings(Class<?> of) {
        logger = (Logger) LogManager.getLogger(of);
        // A logger adds no second appender of a name, and tests run side by side.
        String name = "warnings-" + UUID.randomUUID();
        appender = new AbstractAppender(name, null, null, true, Property.EMPTY_ARRAY) {
            @Override
            public void append(LogEvent event) {
                lines.add(event.getMessage().getFormattedMessage());
            }
        };
        appender.start();
        logger.addAppender(appender);
    }

    /** The lines so far. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.removeAppender(appender);
    }
}
