package io.updraft.console.cluster;

import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.LogConfig;
import org.apache.storm.generated.LogLevel;
import org.apache.storm.generated.LogLevelAction;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;

/** The actions on the topologies of a cluster. Each is one call of Nimbus, which is not repeated if it fails. */
final class ClusterActions {
    private static final Set<String> LEVELS = Set.of("ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF");
    private static final String SECONDS = "seconds";
    private static final String WORKERS = "workers";

    private final ClusterState state;
    private final WorkerActions workers;

    ClusterActions(ClusterState state, WorkerActions workers) {
        this.state = state;
        this.workers = workers;
    }

    /** A call of Nimbus without an answer. */
    @FunctionalInterface
    interface Order {
        void on(Nimbus.Iface nimbus) throws TException;
    }

    /** Gives the order, and describes what it does. */
    static JsonObject done(ClusterState state, Order order, String message) throws IOException {
        state.order(nimbus -> {
            order.on(nimbus);
            return true;
        });
        return JsonObject.of("message", message);
    }

    private static String name(TopologySummary topology) {
        return "topology '" + topology.get_name() + "'";
    }

    JsonObject activate(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        return done(
                state,
                nimbus -> nimbus.activate(topology.get_name()),
                name(topology) + " is active: its spouts emit as soon as its workers have noticed");
    }

    JsonObject deactivate(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        return done(
                state,
                nimbus -> nimbus.deactivate(topology.get_name()),
                name(topology) + " is inactive: its spouts stop as soon as its workers have noticed");
    }

    JsonObject kill(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        KillOptions options = new KillOptions();
        if (request.get(SECONDS) != null) {
            options.set_wait_secs(request.whole(SECONDS));
        }
        return done(
                state,
                nimbus -> nimbus.killTopologyWithOpts(topology.get_name(), options),
                name(topology) + " is being killed: its spouts have stopped, and its workers end after "
                        + (options.is_set_wait_secs() ? options.get_wait_secs() + " s" : "its message timeout"));
    }

    JsonObject rebalance(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        RebalanceOptions options = new RebalanceOptions();
        if (request.get("executors") instanceof Map<?, ?> requested && !requested.isEmpty()) {
            JsonObject numbers = new JsonObject();
            requested.forEach((component, number) -> numbers.put(String.valueOf(component), number));
            Map<String, Integer> executors = new HashMap<>();
            numbers.keySet().forEach(component -> executors.put(component, numbers.positive(component)));
            options.set_num_executors(executors);
        }
        if (request.get(WORKERS) != null) {
            options.set_num_workers(request.positive(WORKERS));
        }
        if (!options.is_set_num_workers() && !options.is_set_num_executors()) {
            throw new IllegalArgumentException("the request names neither executors nor workers");
        }
        if (request.get(SECONDS) != null) {
            options.set_wait_secs(request.whole(SECONDS));
        }
        return done(
                state,
                nimbus -> nimbus.rebalance(topology.get_name(), options),
                name(topology) + " is rebalanced: "
                        + (options.is_set_num_executors() ? options.get_num_executors() + " executors " : "")
                        + (options.is_set_num_workers() ? options.get_num_workers() + " workers" : ""));
    }

    JsonObject debug(JsonObject request) throws Exception {
        TopologySummary topology = state.summary(request);
        String component = request.text("component");
        TopologyReading reading = state.sample(topology).reading();
        if (!reading.executors().containsKey(component)) {
            throw new IllegalArgumentException(name(topology) + " has no component '" + component + "'");
        }
        if (ClusterRemarks.conf(reading).get(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS) instanceof Number number
                && number.intValue() == 0) {
            throw new IllegalArgumentException(
                    name(topology) + " has no event logger: submit it with -c topology.eventlogger.executors=1");
        }
        boolean on = Boolean.TRUE.equals(request.get("on"));
        double percent = request.percent("percent");
        return done(
                state,
                nimbus -> nimbus.debug(topology.get_name(), component, on, percent),
                on
                        ? percent + "% of the tuples that '" + component
                                + "' emits go to the event loggers, which write"
                                + " events.log in the directories of their workers' logs"
                        : "no tuples of '" + component + "' go to the event loggers");
    }

    /** Sets the level of a logger in all workers of a topology: that of the request, or that of its process. */
    JsonObject logLevel(JsonObject request) throws Exception {
        TopologySummary topology =
                request.get("topology") == null ? workers.worker(request).topology() : state.summary(request);
        String logger = request.text("logger");
        String level = request.text("level").toUpperCase(Locale.ROOT);
        if (!LEVELS.contains(level)) {
            throw new IllegalArgumentException("'" + level + "' is not a level of a logger");
        }
        int seconds = request.whole(SECONDS);
        LogLevel set = new LogLevel(LogLevelAction.UPDATE);
        set.set_target_log_level(level);
        set.set_reset_log_level_timeout_secs(seconds);
        LogConfig config = new LogConfig();
        config.set_named_logger_level(new HashMap<>(Map.of(logger, set)));
        return done(
                state,
                nimbus -> nimbus.setLogConfig(topology.get_id(), config),
                "logger " + logger + " has the level " + level + " in all workers of " + name(topology)
                        + (seconds == 0 ? "" : " for " + seconds + " s"));
    }
}
