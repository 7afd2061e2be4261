package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Locale;
import org.apache.storm.generated.ComponentPageInfo;
import org.apache.storm.generated.ComponentType;
import org.apache.storm.generated.DebugOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;

/** One component of a topology. */
final class ComponentPage {
    private static final double DEFAULT_SAMPLING_PERCENTAGE = 10;

    private final UiConf conf;
    private final ComponentStatistics statistics;
    private final ErrorAnswers errors;

    ComponentPage(UiConf conf) {
        this.conf = conf;
        this.statistics = new ComponentStatistics(conf);
        this.errors = new ErrorAnswers(conf);
    }

    List<RestRoute> routes() {
        return List.of(RestRoute.get("topology/{id}/component/{component}", this::page));
    }

    private JsonObject page(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        String topology = call.topology();
        String component = call.variable("component");
        String window = call.window();
        ComponentPageInfo page = nimbus.getComponentPageInfo(topology, component, window, call.system());
        JsonObject answer = JsonObject.of("user", call.request().user())
                .with("id", component)
                .with("encodedId", Utils.urlEncodeUtf8(component))
                .with("name", page.get_topology_name())
                .with("topologyId", topology)
                .with("encodedTopologyId", Utils.urlEncodeUtf8(topology))
                .with("topologyStatus", page.get_topology_status())
                .with("componentType", page.get_component_type().toString().toLowerCase(Locale.ROOT))
                .with("window", window)
                .with("windowHint", UiText.windowHint(window))
                .with("executors", page.get_num_executors())
                .with("tasks", page.get_num_tasks());
        ResourceMaps.putRequested(answer, page.get_resources_map());
        answer.put("requestedGenericResources", ResourceMaps.generic(page.get_resources_map()));
        conf.putResourceDisplay(answer);
        putDebug(answer, page, topology);
        if (page.get_component_type() == ComponentType.SPOUT) {
            statistics.putSpout(answer, page, topology);
        } else {
            statistics.putBolt(answer, page, topology);
        }
        answer.put("componentErrors", errors.all(page.is_set_errors() ? page.get_errors() : List.of(), topology));
        answer.put("profilingAndDebuggingCapable", !Utils.isOnWindows());
        answer.put("profileActionEnabled", conf.profilerEnabled());
        answer.put(
                "profilerActive",
                nimbus.getComponentPendingProfileActions(topology, component, ProfileAction.JPROFILE_STOP).stream()
                        .map(request -> profiler(request, topology))
                        .toList());
        return answer;
    }

    private void putDebug(JsonObject answer, ComponentPageInfo page, String topology) {
        DebugOptions options = page.is_set_debug_options() ? page.get_debug_options() : new DebugOptions();
        answer.put("debug", options.is_enable());
        answer.put(
                "samplingPct", page.is_set_debug_options() ? options.get_samplingpct() : DEFAULT_SAMPLING_PERCENTAGE);
        String host = page.get_eventlog_host();
        if (host != null && !host.isEmpty()) {
            answer.put("eventLogLink", conf.eventLog(host, page.get_eventlog_port(), topology));
        }
    }

    private JsonObject profiler(ProfileRequest request, String topology) {
        String host = request.get_nodeInfo().get_node();
        long port = request.get_nodeInfo().get_port().iterator().next();
        return JsonObject.of("host", host)
                .with("port", Long.toString(port))
                .with("dumplink", conf.dumps(host, port, topology))
                .with("timestamp", System.currentTimeMillis() - request.get_time_stamp());
    }
}
