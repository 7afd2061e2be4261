package io.updraft.kafka.spout;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** Collects the log messages of a class. */
public final class SpoutWarnings implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger logger;
    private final AbstractAppender appender;

    /** Starts to collect. */
    public SpoutWarnings(Class<?> of) {
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

    /** Returns the messages so far. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void close() {
        logger.removeAppender(appender);
    }
}
