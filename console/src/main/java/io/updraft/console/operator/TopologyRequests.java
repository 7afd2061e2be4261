package io.updraft.console.operator;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.ErrorsView;
import io.updraft.observe.view.TopologySample;
import io.updraft.observe.view.TopologyView;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    private final RunTopologies all;

    private TopologyRequests(RunTopologies all) {
        this.all = all;
    }

    /** Returns the handlers for the topologies of a run. */
    public static Map<String, RequestHandler> handlers(RunTopologies all) {
        TopologyRequests topologies = new TopologyRequests(all);
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
        List<TopologyView> living = all.latest().stream().map(TopologyView::of).toList();
        return JsonObject.of(TOPOLOGIES, living).with("ended", List.copyOf(all.endedNames()));
    }

    private JsonObject errors(JsonObject request) {
        List<RunTopologies.Ended> ended = all.endedOnly(request);
        Stream<TopologySample> shown =
                ended.isEmpty() ? all.samples(request).stream() : ended.stream().map(RunTopologies.Ended::last);
        return JsonObject.of(TOPOLOGIES, shown.map(ErrorsView::of).toList());
    }

    private JsonObject debug(JsonObject request) throws TException {
        Target target = all.target(request);
        String component = request.text("component");
        checkComponent(target, component);
        if (ObjectReader.getInt(target.conf().get(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS), 0) == 0) {
            throw new IllegalArgumentException("topology '" + target.name()
                    + "' has no event logger: start it with -c topology.eventlogger.executors=1");
        }
        boolean on = Boolean.TRUE.equals(request.get("on"));
        double percent = request.percent("percent");
        target.cluster().debug(target.submittedName(), component, on, percent);
        return done(
                target,
                on
                        ? "logs " + percent + "% of the tuples that '" + component + "' emits, with its event logger"
                        : "logs no tuples of '" + component + "'");
    }

    private static void checkComponent(Target target, String component) throws NotAliveException {
        List<String> ids = target.plan().components().stream()
                .map(ComponentPlan::id)
                .sorted()
                .toList();
        if (!ids.contains(component)) {
            throw new IllegalArgumentException("topology '" + target.name() + "' has no component '" + component
                    + "'; the components are " + String.join(", ", ids));
        }
    }

    private JsonObject deadLetters(JsonObject request) throws TException, IOException {
        int newest = request.whole("newest");
        List<RunTopologies.Ended> ended = all.endedOnly(request);
        if (!ended.isEmpty()) {
            RunTopologies.Ended latest = ended.get(ended.size() - 1);
            return new DeadLetterAnswers(latest.last().name(), latest.engine()).newest(counted(latest.last()), newest);
        }
        Target target = all.target(request);
        return target.deadLetters().newest(counted(sample(target)), newest);
    }

    private static long counted(TopologySample sample) {
        return sample.now().components().stream()
                .mapToLong(ComponentSnapshot::deadLettered)
                .sum();
    }

    private JsonObject replay(JsonObject request) throws NotAliveException {
        return all.target(request).deadLetters().replay(request);
    }

    private TopologySample sample(Target target) {
        return all.latest().stream()
                .filter(sample -> sample.name().equals(target.name()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("topology '" + target.name() + "' has just started"));
    }

    private JsonObject kill(JsonObject request) throws TException {
        Target target = all.target(request);
        KillOptions options = new KillOptions();
        Object standard = target.conf().get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        int seconds = request.get("seconds") == null ? ObjectReader.getInt(standard, 30) : request.whole("seconds");
        options.set_wait_secs(seconds);
        target.cluster().requestKill(target.submittedName(), options);
        return done(
                        target,
                        "is being killed: its spouts have stopped, tuples in flight are drained for at most " + seconds
                                + " s")
                .with("seconds", seconds);
    }

    private JsonObject setActive(JsonObject request, boolean active) throws TException {
        Target target = all.target(request);
        if (active) {
            target.cluster().activate(target.submittedName());
            return done(target, "is active: its spouts emit");
        }
        target.cluster().deactivate(target.submittedName());
        return done(target, "is inactive: its spouts do not emit; tuples in flight are still processed");
    }

    private JsonObject rebalance(JsonObject request) throws TException {
        Target target = all.target(request);
        if (!(request.get("executors") instanceof Map<?, ?> requested) || requested.isEmpty()) {
            throw new IllegalArgumentException("the request names no component with its number of executors");
        }
        JsonObject numbers = new JsonObject();
        requested.forEach((component, number) -> numbers.put(String.valueOf(component), number));
        Map<String, Integer> executors = new LinkedHashMap<>();
        for (String component : numbers.keySet()) {
            checkComponent(target, component);
            executors.put(component, numbers.positive(component));
        }
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_executors(executors);
        if (request.get("seconds") != null) {
            options.set_wait_secs(request.whole("seconds"));
        }
        try {
            target.cluster().rebalance(target.submittedName(), options);
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
