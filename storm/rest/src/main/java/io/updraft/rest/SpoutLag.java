package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;

/**
 * The lag of a topology's Kafka spouts. Storm's server runs a program that asks Kafka. Nimbus reports no lag, so each spout's
 * answer says that the lag is not known, in the member that Storm has for a program that failed.
 */
final class SpoutLag {
    private static final String TOPICS = "config.topics";
    private static final String GROUP = "config.groupid";
    private static final String SERVERS = "config.bootstrap.servers";

    private final UiConf conf;

    SpoutLag(UiConf conf) {
        this.conf = conf;
    }

    List<RestRoute> routes() {
        return List.of(RestRoute.get("topology/{id}/lag", (nimbus, call) -> {
            StormTopology topology = nimbus.getTopology(call.topology());
            return conf.lagDisabled() ? JsonObject.of() : lag(topology);
        }));
    }

    private static JsonObject lag(StormTopology topology) {
        JsonObject answer = new JsonObject();
        new TreeMap<>(topology.get_spouts()).forEach((id, spout) -> {
            Map<String, Object> settings = settings(spout.get_common().get_json_conf());
            if (settings.keySet().containsAll(List.of(TOPICS, GROUP, SERVERS))) {
                answer.put(id, kafka(id, settings));
            }
        });
        return answer;
    }

    /** {@return the settings of a spout; none when they are not JSON, for a foreign spout may have any text} */
    private static Map<String, Object> settings(String json) {
        if (json == null || json.isEmpty()) {
            return JsonObject.of();
        }
        try {
            return Utils.parseJson(json);
        } catch (RuntimeException e) {
            return JsonObject.of();
        }
    }

    private static JsonObject kafka(String id, Map<String, Object> settings) {
        return JsonObject.of("spoutId", id)
                .with("spoutType", "KAFKA")
                .with(
                        "errorInfo",
                        "the lag is not known: Nimbus does not report it, and this server has no Kafka monitor; ask Kafka for group "
                                + settings.get(GROUP) + " of " + settings.get(TOPICS) + " at " + settings.get(SERVERS));
    }
}
