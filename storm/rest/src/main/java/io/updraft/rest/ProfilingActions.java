package io.updraft.rest;

import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Set;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.thrift.TException;

/** Requests to profile, dump or restart one worker. */
final class ProfilingActions {
    private static final int LAST_PORT = 65535;
    private static final long MILLIS_PER_MINUTE = 60_000;

    private final UiConf conf;

    ProfilingActions(UiConf conf) {
        this.conf = conf;
    }

    List<RestRoute> routes() {
        return List.of(
                RestRoute.getAction("topology/{id}/profiling/start/{host-port}/{timeout}", this::start),
                RestRoute.getAction("topology/{id}/profiling/stop/{host-port}", (nimbus, call) -> {
                    Worker worker = Worker.of(call);
                    request(nimbus, call, worker, ProfileAction.JPROFILE_STOP, 0);
                    return done(worker);
                }),
                now("dumpprofile", ProfileAction.JPROFILE_DUMP),
                now("dumpjstack", ProfileAction.JSTACK_DUMP),
                now("dumpheap", ProfileAction.JMAP_DUMP),
                now("restartworker", ProfileAction.JVM_RESTART));
    }

    private static RestRoute now(String name, ProfileAction action) {
        return RestRoute.getAction("topology/{id}/profiling/" + name + "/{host-port}", (nimbus, call) -> {
            Worker worker = Worker.of(call);
            request(nimbus, call, worker, action, System.currentTimeMillis());
            return done(worker);
        });
    }

    /** Starts the profiler by a request to stop it later. */
    private JsonObject start(Nimbus.Iface nimbus, RestCall call) throws TException, RestRefusal {
        Worker worker = Worker.of(call);
        long end = System.currentTimeMillis() + call.wholeNumber("timeout") * MILLIS_PER_MINUTE;
        request(nimbus, call, worker, ProfileAction.JPROFILE_STOP, end);
        return done(worker)
                .with("timeout", call.variable("timeout"))
                .with("dumplink", conf.dumps(worker.host(), worker.port(), call.topology()));
    }

    private static void request(Nimbus.Iface nimbus, RestCall call, Worker worker, ProfileAction action, long time)
            throws TException {
        ProfileRequest request = new ProfileRequest(new NodeInfo(worker.host(), Set.of((long) worker.port())), action);
        request.set_time_stamp(time);
        nimbus.setWorkerProfiler(call.topology(), request);
    }

    private static JsonObject done(Worker worker) {
        return JsonObject.of("status", "ok").with("id", worker.id());
    }

    /** A worker by its host and port, such as {@code 10.11.1.7:6701}. */
    private record Worker(String id, String host, int port) {
        static Worker of(RestCall call) throws RestRefusal {
            String id = call.variable("host-port");
            int colon = id.lastIndexOf(':');
            if (colon <= 0) {
                throw RestRefusal.badRequest("a worker is named as host:port, not '" + id + "'");
            }
            int port = RestCall.integer("the port of the worker", id.substring(colon + 1), 1, "");
            if (port > LAST_PORT) {
                throw RestRefusal.badRequest("the port of the worker must be at most " + LAST_PORT);
            }
            return new Worker(id, id.substring(0, colon), port);
        }
    }
}
