package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.metrics.ComponentSnapshot;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.ErrorsView;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologyView;
import io.updraft.storm.UpdraftCluster;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
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
    private static final String TOPOLOGIES = "topologies";
    private static final String MESSAGE = "message";

    private final Targets targets;
    private final Supplier<List<TopologySample>> samples;

    private TopologyRequests(UpdraftCluster cluster, Supplier<List<TopologySample>> samples) {
        this.targets = new Targets(cluster);
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
        handlers.put("debug", topologies::debug);
        handlers.put("dead-letters", topologies::deadLetters);
        handlers.put("replay", topologies::replay);
        return handlers;
    }

    private JsonObject state() {
        return JsonObject.of(
                "topologies", samples.get().stream().map(TopologyView::of).toList());
    }

    private JsonObject errors(JsonObject request) {
        return JsonObject.of(
                TOPOLOGIES,
                chosen(samples.get(), request).stream().map(ErrorsView::of).toList());
    }

    /** {@return the sample of the topology that a request names; all samples if it names none} */
    public static List<TopologySample> chosen(List<TopologySample> samples, JsonObject request) {
        Object name = request.get(TOPOLOGY);
        return samples.stream()
                .filter(sample -> name == null || name.equals(sample.name()))
                .toList();
    }

    private JsonObject debug(JsonObject request) throws TException {
        Target target = targets.of(request);
        String component = request.text("component");
        if (sample(target).now().components().stream()
                .noneMatch(each -> each.id().equals(component))) {
            throw new IllegalArgumentException("topology '" + target.name() + "' has no component '" + component + "'");
        }
        if (ObjectReader.getInt(target.conf().get(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS), 0) == 0) {
            throw new IllegalArgumentException("topology '" + target.name()
                    + "' has no event logger: start it with -c topology.eventlogger.executors=1");
        }
        boolean on = Boolean.TRUE.equals(request.get("on"));
        double percent = request.percent("percent");
        target.cluster().debug(target.name(), component, on, percent);
        return done(
                target,
                on
                        ? "logs " + percent + "% of the tuples that '" + component + "' emits, with its event logger"
                        : "logs no tuples of '" + component + "'");
    }

    private JsonObject deadLetters(JsonObject request) throws TException, IOException {
        Target target = targets.of(request);
        long counted = sample(target).now().components().stream()
                .mapToLong(ComponentSnapshot::deadLettered)
                .sum();
        return target.deadLetters().newest(counted, request.whole("newest"));
    }

    private JsonObject replay(JsonObject request) throws NotAliveException {
        return targets.of(request).deadLetters().replay(request);
    }

    private TopologySample sample(Target target) {
        return samples.get().stream()
                .filter(sample -> sample.name().equals(target.name()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("topology '" + target.name() + "' has just started"));
    }

    private JsonObject kill(JsonObject request) throws TException {
        Target target = targets.of(request);
        KillOptions options = new KillOptions();
        Object standard = target.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int seconds = request.get("seconds") == null ? ObjectReader.getInt(standard, 30) : request.whole("seconds");
        options.set_wait_secs(seconds);
        target.cluster().requestKill(target.name(), options);
        return done(
                target,
                "is being killed: its spouts have stopped, tuples in flight are drained for at most " + seconds + " s");
    }

    private JsonObject setActive(JsonObject request, boolean active) throws TException {
        Target target = targets.of(request);
        if (active) {
            target.cluster().activate(target.name());
            return done(target, "is active: its spouts emit");
        }
        target.cluster().deactivate(target.name());
        return done(target, "is inactive: its spouts do not emit; tuples in flight are still processed");
    }

    private JsonObject rebalance(JsonObject request) throws TException {
        Target target = targets.of(request);
        if (!(request.get("executors") instanceof Map<?, ?> wanted) || wanted.isEmpty()) {
            throw new IllegalArgumentException("the request names no component with its number of executors");
        }
        JsonObject numbers = new JsonObject();
        wanted.forEach((component, number) -> numbers.put(String.valueOf(component), number));
        Map<String, Integer> executors = new LinkedHashMap<>();
        numbers.keySet().forEach(component -> executors.put(component, numbers.positive(component)));
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(executors);
        if (request.get("seconds") != null) {
            options.set_wait_secs(request.whole("seconds"));
        }
        try {
            target.cluster().rebalance(target.name(), options);
        } catch (InvalidTopologyException e) {
            throw new IllegalArgumentException(e.get_msg(), e);
        }
        Plan plan = target.plan();
        return done(
                target,
                "is rebalanced: "
                        + executors.keySet().stream()
                                .map(component -> numbers(plan.component(component)))
                                .collect(Collectors.joining(", ")));
    }

    private static String numbers(ComponentPlan component) {
        return component.id() + " has " + component.executors().length + " executors for " + component.taskIds().length
                + " tasks";
    }

    private static JsonObject done(Target target, String predicate) {
        return JsonObject.of(TOPOLOGY, target.name()).with(MESSAGE, "topology '" + target.name() + "' " + predicate);
    }
}
