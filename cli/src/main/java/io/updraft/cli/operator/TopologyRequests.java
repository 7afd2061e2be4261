package io.updraft.cli.operator;

import io.updraft.cli.view.SampleJson;
import io.updraft.cli.view.TopologySample;
import io.updraft.cluster.inspection.ProcessRequests;
import io.updraft.cluster.inspection.RequestHandler;
import io.updraft.storm.UpdraftCluster;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ObjectReader;

/**
 * Answers requests about the topologies of a run. The member {@code topology} names one; it may be missing if there is only one.
 * Figures come from the latest samples: no request takes a snapshot of its own.
 */
public final class TopologyRequests {
    private static final String TOPOLOGY = "topology";
    private static final String MESSAGE = "message";

    private final UpdraftCluster cluster;
    private final Supplier<List<TopologySample>> samples;

    private TopologyRequests(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        this.cluster = cluster;
        this.samples = samples;
    }

    /** Returns the handlers for the topologies of a cluster, which is shown by the latest samples. */
    public static Map<String, RequestHandler> handlers(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        TopologyRequests topologies = new TopologyRequests(cluster, samples);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put("state", request -> topologies.state());
        handlers.put("errors", topologies::errors);
        handlers.put("kill", topologies::kill);
        handlers.put("activate", request -> topologies.setActive(request, true));
        handlers.put("deactivate", request -> topologies.setActive(request, false));
        handlers.put("rebalance", topologies::rebalance);
        return handlers;
    }

    private Map<String, Object> state() {
        return Map.of(
                "topologies", samples.get().stream().map(SampleJson::state).toList());
    }

    private Map<String, Object> errors(Map<String, Object> request) {
        Object wanted = request.get(TOPOLOGY);
        List<TopologySample> chosen = samples.get().stream()
                .filter(sample -> wanted == null || wanted.equals(sample.name()))
                .toList();
        return Map.of("topologies", chosen.stream().map(SampleJson::errors).toList());
    }

    private Map<String, Object> kill(Map<String, Object> request) throws TException {
        Target target = target(request);
        KillOptions options = new KillOptions();
        Object standard = target.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int seconds = request.get("seconds") == null
                ? ObjectReader.getInt(standard, 30)
                : ProcessRequests.number(request, "seconds");
        options.set_wait_secs(seconds);
        target.cluster().requestKill(target.name(), options);
        return done(
                target,
                "is being killed: its spouts have stopped, tuples in flight are drained for at most " + seconds + " s");
    }

    private Map<String, Object> setActive(Map<String, Object> request, boolean active) throws TException {
        Target target = target(request);
        if (active) {
            target.cluster().activate(target.name());
            return done(target, "is active: its spouts emit");
        }
        target.cluster().deactivate(target.name());
        return done(target, "is inactive: its spouts do not emit; tuples in flight are still processed");
    }

    private Map<String, Object> rebalance(Map<String, Object> request) throws TException {
        Target target = target(request);
        if (!(request.get("executors") instanceof Map<?, ?> wanted) || wanted.isEmpty()) {
            throw new IllegalArgumentException("the request names no component with its number of executors");
        }
        Map<String, Integer> executors = new LinkedHashMap<>();
        wanted.forEach((component, number) -> executors.put(String.valueOf(component), ((Number) number).intValue()));
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(executors);
        if (request.get("seconds") != null) {
            options.set_wait_secs(ProcessRequests.number(request, "seconds"));
        }
        try {
            target.cluster().rebalance(target.name(), options);
        } catch (InvalidTopologyException e) {
            throw new IllegalArgumentException(e.get_msg(), e);
        }
        return done(target, "is rebalanced: executors " + executors);
    }

    private static Map<String, Object> done(Target target, String what) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put(TOPOLOGY, target.name());
        answer.put(MESSAGE, "topology '" + target.name() + "' " + what);
        return answer;
    }

    private Target target(Map<String, Object> request) throws NotAliveException {
        List<Target> all = cluster.clusters().stream()
                .flatMap(each -> each.topologyNames().stream().map(name -> new Target(each, name)))
                .toList();
        Object wanted = request.get(TOPOLOGY);
        List<Target> chosen = all.stream()
                .filter(target -> wanted == null || wanted.equals(target.name()))
                .toList();
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(
                    wanted == null ? "no topology is alive in this run" : "there is no topology '" + wanted + "'");
        }
        if (chosen.size() > 1 && wanted == null) {
            throw new IllegalArgumentException("the run has several topologies; add --run NAME: "
                    + String.join(", ", all.stream().map(Target::name).toList()));
        }
        return chosen.get(0);
    }

    /** A topology, in the cluster that runs it. */
    private record Target(UpdraftCluster cluster, String name) {
        Map<String, Object> conf() throws NotAliveException {
            return cluster.engine(name).plan().conf();
        }
    }
}
