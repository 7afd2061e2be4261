package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** Requests that control a topology. Nimbus knows a topology by its name here, so its id is looked up first. */
final class TopologyActions {
    private static final int ALL_TUPLES = 100;

    private TopologyActions() {}

    static List<RestRoute> routes() {
        return List.of(
                RestRoute.post("topology/{id}/activate", (nimbus, call) -> {
                    nimbus.activate(name(nimbus, call));
                    return done(call, "activate");
                }),
                RestRoute.post("topology/{id}/deactivate", (nimbus, call) -> {
                    nimbus.deactivate(name(nimbus, call));
                    return done(call, "deactivate");
                }),
                RestRoute.post("topology/{id}/rebalance/{wait-time}", (nimbus, call) -> {
                    RebalanceOptions options = rebalance(call);
                    nimbus.rebalance(name(nimbus, call), options);
                    return done(call, "rebalance");
                }),
                RestRoute.post("topology/{id}/kill/{wait-time}", (nimbus, call) -> {
                    KillOptions options = new KillOptions();
                    options.set_wait_secs(call.wholeNumber("wait-time"));
                    nimbus.killTopologyWithOpts(name(nimbus, call), options);
                    return done(call, "kill");
                }),
                RestRoute.post("topology/{id}/debug/{action}/{spct}", (nimbus, call) -> debug(nimbus, call, "")),
                RestRoute.post(
                        "topology/{id}/component/{component}/debug/{action}/{spct}",
                        (nimbus, call) -> debug(nimbus, call, call.variable("component"))));
    }

    private static JsonObject debug(Nimbus.Iface nimbus, RestCall call, String component)
            throws TException, RestRefusal {
        String action = call.variable("action");
        if (!action.equals("enable") && !action.equals("disable")) {
            throw RestRefusal.badRequest("the action of debug is enable or disable, not '" + action + "'");
        }
        int percentage = call.wholeNumber("spct");
        if (percentage > ALL_TUPLES) {
            throw RestRefusal.badRequest("spct is a percentage, at most " + ALL_TUPLES + "; it is " + percentage);
        }
        nimbus.debug(name(nimbus, call), component, action.equals("enable"), percentage);
        return done(call, "debug/" + action);
    }

    private static RebalanceOptions rebalance(RestCall call) throws RestRefusal {
        RebalanceOptions options = new RebalanceOptions();
        options.set_wait_secs(call.wholeNumber("wait-time"));
        JsonObject given = RestCall.object(call.json(), "rebalanceOptions");
        if (given == null) {
            return options;
        }
        Object workers = given.get("numWorkers");
        if (workers != null) {
            options.set_num_workers(RestCall.integer("'numWorkers'", workers.toString(), 1, ""));
        }
        JsonObject executors = RestCall.object(given, "executors");
        if (executors != null) {
            Map<String, Integer> numbers = new HashMap<>();
            for (Map.Entry<String, Object> entry : executors.entrySet()) {
                String subject = "the executors of '" + entry.getKey() + "'";
                numbers.put(entry.getKey(), RestCall.integer(subject, String.valueOf(entry.getValue()), 1, ""));
            }
            options.set_num_executors(numbers);
        }
        return options;
    }

    private static String name(Nimbus.Iface nimbus, RestCall call) throws TException {
        return TopologyExecutors.info(nimbus, call.topology()).get_name();
    }

    private static JsonObject done(RestCall call, String operation) {
        return JsonObject.of("topologyOperation", operation)
                .with("topologyId", call.topology())
                .with("status", "success");
    }
}
