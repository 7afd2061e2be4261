package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.utils.Time;

/** The log levels that operators have set in this process. Each request adds to the earlier ones. */
final class OperatorLogLevels {
    private static final Set<String> LEVELS = Set.of("OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");
    private static final String DEFAULT = "DEFAULT";

    private final Map<String, LogLevel> set = new HashMap<>();
    private final Consumer<LogConfig> levels;

    OperatorLogLevels(Consumer<LogConfig> levels) {
        this.levels = levels;
    }

    /** Sets a level for some seconds, 0 for no end; the level {@code default} restores the configured one. */
    synchronized JsonObject set(String logger, String level, int seconds) {
        String upperCase = level.toUpperCase(Locale.ROOT);
        if (upperCase.equals(DEFAULT)) {
            set.remove(logger);
        } else if (LEVELS.contains(upperCase)) {
            set.put(logger, timed(upperCase, seconds));
        } else {
            throw new IllegalArgumentException("there is no level '" + level
                    + "': use off, fatal, error, warn, info, debug, trace, all or default");
        }
        LogConfig whole = new LogConfig();
        whole.set_named_logger_level(new HashMap<>(set));
        levels.accept(whole);
        return JsonObject.of("logger", logger)
                .with("level", upperCase.toLowerCase(Locale.ROOT))
                .with("seconds", seconds);
    }

    private static LogLevel timed(String target, int seconds) {
        LogLevel level = new LogLevel(LogLevelAction.UPDATE);
        level.set_target_log_level(target);
        level.set_reset_log_level_timeout_secs(seconds);
        if (seconds > 0) {
            level.set_reset_log_level_timeout_epoch(Time.currentTimeMillis() + seconds * 1_000L);
        }
        return level;
    }
}
