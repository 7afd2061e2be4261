package io.updraft.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Answers the requests of Storm UI's REST API, as Storm 2.8 documents it. Safe to use from any thread, if its source is.
 *
 * <p>Differences from Storm's server:
 * <ul>
 *   <li>An unknown path is status 404, a bad parameter 400, a refused user 403; Storm answers 500 or 401. What Nimbus refuses, such
 *       as an unknown topology, is 500, as in Storm. The member {@code errorMessage} is one line, not a stack trace.
 *   <li>{@code topology/:id/metrics} answers what the document says; Storm 2.8.3 answers the page of the topology.
 *   <li>{@code topology/:id/visualization} counts every executor once; Storm 2.8.3 adds counts to those of other executors.
 *   <li>{@code topology/:id/visualization-init} answers the streams; Storm 2.8.3 fails.
 *   <li>{@code rebalance} follows the documented {@code rebalanceOptions}; Storm 2.8.3 ignores them.
 *   <li>{@code requestedTotalMem} of a topology's summary is the requested memory; Storm adds assigned to requested memory.
 *   <li>{@code topology/:id/lag} has no Kafka monitor: it answers {@code errorInfo} for each Kafka spout.
 *   <li>{@code topology/:id/get-errors} answers {@code topologyErrors}, all errors of the topology.
 *   <li>{@code callback} is refused unless it names a function, and for requests that change something.
 * </ul>
 *
 * <p>The HTTP server authenticates users, and decides who may change something: see {@link #isAction}.
 */
public final class StormRestApi {
    private final NimbusSource source;
    private final List<RestRoute> routes;

    /**
     * Creates the API.
     *
     * @param source gives sessions with Nimbus
     * @param conf the configuration of the cluster, with Storm's defaults: ports of the log viewer, links, what is shown
     */
    public StormRestApi(NimbusSource source, Map<String, Object> conf) {
        this.source = source;
        UiConf ui = new UiConf(conf);
        List<RestRoute> all = new ArrayList<>();
        all.addAll(new ClusterAnswers(ui).routes());
        all.addAll(new SupervisorAnswers(ui).routes());
        all.addAll(new OwnerAnswers(ui).routes());
        all.addAll(new TopologyPage(ui).routes());
        all.addAll(new ComponentPage(ui).routes());
        all.addAll(StreamMetrics.routes());
        all.addAll(Visualization.routes());
        all.addAll(new SpoutLag(ui).routes());
        all.addAll(LogConfigAnswers.routes());
        all.addAll(new ProfilingActions(ui).routes());
        all.addAll(TopologyActions.routes());
        this.routes = List.copyOf(all);
    }

    /**
     * Tells whether a request changes something. That includes profiling, whose requests are GET. A server refuses these
     * requests when it is read-only, and when they come from a page of another origin.
     *
     * @param request the request
     * @return true also for every unknown request that is not GET
     */
    public boolean isAction(RestRequest request) {
        try {
            return find(request).route().action();
        } catch (RestRefusal e) {
            return !request.method().equals("GET");
        }
    }

    /**
     * Answers a request.
     *
     * @param request the request
     * @return the answer; a failure is an answer too
     */
    public RestAnswer answer(RestRequest request) {
        String callback = null;
        try {
            Found found = find(request);
            if (!found.route().action()) {
                callback = found.call().callback();
            } else if (found.call().parameter("callback") != null) {
                throw RestRefusal.badRequest("parameter 'callback' is for requests that only read");
            }
            Object value = source.call(nimbus -> found.route().handler().answer(nimbus, found.call()));
            return RestAnswer.of(200, value, callback);
        } catch (Exception e) {
            return RestFailures.answer(e, callback);
        }
    }

    private Found find(RestRequest request) throws RestRefusal {
        List<String> path = RestRoute.segments(request.path());
        if (path == null) {
            throw RestRefusal.notFound("no such path: it must be " + RestRoute.PREFIX + "..., percent-encoded");
        }
        String otherMethod = null;
        for (RestRoute route : routes) {
            Map<String, String> variables = route.match(path);
            if (variables == null) {
                continue;
            }
            if (route.method().equals(request.method())) {
                return new Found(route, new RestCall(request, variables));
            }
            otherMethod = route.method();
        }
        throw otherMethod == null
                ? RestRefusal.notFound("Storm's REST API has no such path")
                : RestRefusal.badMethod("the method of this path is " + otherMethod);
    }

    private record Found(RestRoute route, RestCall call) {}
}
