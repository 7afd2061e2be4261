package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** The log levels of a topology's workers. */
final class LogConfigAnswers {
    private static final String LEVELS = "namedLoggerLevels";
    private static final Set<String> LEVEL_NAMES =
            Set.of("OFF", "FATAL", "ERROR", "WARN", "INFO", "DEBUG", "TRACE", "ALL");

    private LogConfigAnswers() {}

    static List<RestRoute> routes() {
        return List.of(
                RestRoute.get(
                        "topology/{id}/logconfig", (nimbus, call) -> levels(nimbus.getLogConfig(call.topology()))),
                RestRoute.post("topology/{id}/logconfig", LogConfigAnswers::set));
    }

    private static JsonObject levels(LogConfig config) {
        JsonObject levels = new JsonObject();
        if (config.is_set_named_logger_level()) {
            new TreeMap<>(config.get_named_logger_level()).forEach((logger, level) -> {
                JsonObject answer = JsonObject.of("target_level", level.get_target_log_level())
                        .with("reset_level", level.get_reset_log_level())
                        .with("timeout", level.get_reset_log_level_timeout_secs())
                        .with("timeout_epoch", level.get_reset_log_level_timeout_epoch());
                levels.put(logger, answer);
            });
        }
        return JsonObject.of(LEVELS, levels);
    }

    private static JsonObject set(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        JsonObject levels = RestCall.object(call.json(), LEVELS);
        if (levels == null) {
            throw RestRefusal.badRequest("the body must have the member '" + LEVELS + "'");
        }
        LogConfig config = new LogConfig();
        for (String logger : levels.keySet()) {
            config.put_to_named_logger_level(logger, level(logger, RestCall.object(levels, logger)));
        }
        nimbus.setLogConfig(call.topology(), config);
        return levels(nimbus.getLogConfig(call.topology()));
    }

    private static LogLevel level(String logger, JsonObject members) throws RestRefusal {
        LogLevel level = new LogLevel();
        Object target = members == null ? null : members.get("target_level");
        if (target == null) {
            level.set_action(LogLevelAction.REMOVE);
            return level;
        }
        String name = target.toString().toUpperCase(Locale.ROOT);
        if (!LEVEL_NAMES.contains(name)) {
            throw RestRefusal.badRequest("'target_level' of logger '" + logger + "' is no log level: '" + target + "'");
        }
        level.set_action(LogLevelAction.UPDATE);
        level.set_target_log_level(name);
        Object timeout = members.get("timeout");
        level.set_reset_log_level_timeout_secs(
                timeout == null
                        ? 0
                        : RestCall.integer("'timeout' of logger '" + logger + "'", timeout.toString(), 0, ""));
        return level;
    }
}
