package io.updraft.storm;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.storm.daemon.worker.LogConfigManager;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.utils.Time;

/**
 * Changes levels of loggers at run time, by Storm's own {@link LogConfigManager} on log4j2. Loggers belong to the process: a
 * level that one topology sets holds for all topologies in the process. A level with a timeout is reset when it times out or
 * when its topology ends. A level without a timeout stays.
 *
 * <p>Safe to use from any thread.
 */
public final class LogLevels implements AutoCloseable {
    private final Map<String, LogConfig> byTopology = new HashMap<>();
    private LogConfigManager manager;
    private ScheduledExecutorService timer;

    synchronized LogConfig of(String topologyId) {
        LogConfig config = byTopology.get(topologyId);
        return config == null ? new LogConfig() : config.deepCopy();
    }

    /** Changes levels. Throws if a logger has no name, or if this process does not log by log4j2. */
    synchronized void set(String topologyId, LogConfig change) {
        Map<String, LogLevel> levels = merged(topologyId, change);
        manager().processLogConfigChange(union());
        levels.values().forEach(level -> level.set_action(LogLevelAction.UNCHANGED));
        schedule(levels);
    }

    /**
     * Records changes of levels for other processes, without applying them here. Returns all levels that the topology has set
     * now.
     */
    synchronized LogConfig record(String topologyId, LogConfig change) {
        merged(topologyId, change).values().forEach(level -> level.set_action(LogLevelAction.UNCHANGED));
        return of(topologyId);
    }

    /**
     * Sets the levels of this process, which runs one topology, to all that the topology has set, also earlier; levels past
     * their timeout are ignored.
     *
     * @param whole all levels
     */
    public synchronized void apply(LogConfig whole) {
        Map<String, LogLevel> levels = new HashMap<>();
        if (whole.is_set_named_logger_level()) {
            levels.putAll(whole.deepCopy().get_named_logger_level());
        }
        long now = Time.currentTimeMillis();
        levels.values()
                .removeIf(level -> level.is_set_reset_log_level_timeout_epoch()
                        && level.get_reset_log_level_timeout_epoch() <= now);
        levels.values().forEach(level -> level.set_action(LogLevelAction.UPDATE));
        manager().processLogConfigChange(configOf(levels));
        schedule(levels);
    }

    /** Merges a change into the levels that the topology has set before. */
    private Map<String, LogLevel> merged(String topologyId, LogConfig change) {
        LogConfig merged = of(topologyId);
        Map<String, LogLevel> levels = new HashMap<>();
        if (merged.is_set_named_logger_level()) {
            levels.putAll(merged.get_named_logger_level());
            levels.values().forEach(level -> level.set_action(LogLevelAction.UNCHANGED));
        }
        if (change.is_set_named_logger_level()) {
            change.get_named_logger_level().forEach((logger, level) -> change(levels, logger, level));
        }
        manager();
        byTopology.put(topologyId, configOf(levels));
        return levels;
    }

    private static void change(Map<String, LogLevel> levels, String logger, LogLevel level) {
        if (logger.isEmpty()) {
            throw new IllegalArgumentException("the name of a logger is empty; the root logger is named ROOT");
        }
        switch (level.get_action()) {
            case UPDATE -> {
                LogLevel timed = level.deepCopy();
                if (timed.get_reset_log_level_timeout_secs() > 0) {
                    long millis = TimeUnit.SECONDS.toMillis(timed.get_reset_log_level_timeout_secs());
                    timed.set_reset_log_level_timeout_epoch(Time.currentTimeMillis() + millis);
                } else {
                    timed.unset_reset_log_level_timeout_epoch();
                }
                levels.put(logger, timed);
            }
            case REMOVE -> levels.remove(logger);
            case UNCHANGED -> {}
        }
    }

    synchronized void forget(String topologyId) {
        if (byTopology.remove(topologyId) != null) {
            manager.processLogConfigChange(union());
        }
    }

    @Override
    public synchronized void close() {
        if (timer != null) {
            timer.shutdownNow();
            timer = null;
        }
    }

    /** Returns the levels of all topologies: Storm's manager resets every logger that a change does not mention. */
    private LogConfig union() {
        Map<String, LogLevel> union = new HashMap<>();
        byTopology.values().forEach(config -> union.putAll(config.get_named_logger_level()));
        return configOf(union);
    }

    private static LogConfig configOf(Map<String, LogLevel> levels) {
        LogConfig config = new LogConfig();
        config.set_named_logger_level(levels);
        return config;
    }

    private void schedule(Map<String, LogLevel> levels) {
        for (LogLevel level : levels.values()) {
            if (level.is_set_reset_log_level_timeout_epoch()) {
                long millis = level.get_reset_log_level_timeout_epoch() - Time.currentTimeMillis() + 1;
                timer().schedule(this::reset, Math.max(1, millis), TimeUnit.MILLISECONDS);
            }
        }
    }

    private synchronized void reset() {
        manager.resetLogLevels();
    }

    private LogConfigManager manager() {
        if (manager == null) {
            try {
                manager = new LogConfigManager();
            } catch (ClassCastException | LinkageError e) {
                throw new UnsupportedOperationException(
                        "log levels can be changed at run time only if the process logs by log4j2", e);
            }
        }
        return manager;
    }

    private ScheduledExecutorService timer() {
        if (timer == null) {
            timer = CountHistory.timer("updraft-log-levels");
        }
        return timer;
    }
}
