package io.updraft.observe.advice;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.advice.Limit.Resource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What limits a topology, and what would help. Immutable. */
public final class Advice {
    /** From this use on, a resource limits the topology. */
    private static final double SATURATED = 0.85;

    /** From this share of the time on, back-pressure that holds the spouts back is no accident. */
    private static final double OFTEN = 0.5;

    private final TopologyLoad load;
    private final Limit limit;
    private final boolean saturated;
    private final List<Step> steps;
    private final Limit end;
    private final boolean pendingFull;

    private Advice(TopologyLoad load) {
        CapacityModel model = new CapacityModel(load);
        this.load = load;
        this.limit = model.limit(model.now());
        this.saturated = limit.resource() == Resource.PENDING || limit.use() >= SATURATED || load.heldBack() >= OFTEN;
        this.pendingFull = model.isPendingFull();
        boolean helps = saturated && !isStuck(load, limit);
        Improvements improvements = new Improvements(load, model);
        this.steps = helps ? improvements.steps() : List.of();
        this.end = helps ? improvements.end().orElse(null) : limit;
    }

    static Advice of(TopologyLoad load) {
        return new Advice(load);
    }

    /** Returns whether no call of the component that limits has ended, so that nothing can be forecast. */
    private static boolean isStuck(TopologyLoad load, Limit limit) {
        return load.components().stream()
                .anyMatch(component -> component.id().equals(limit.component()) && component.calls() == 0);
    }

    /** {@return the advice in one line, for the views; empty if nothing limits the topology} */
    public String line() {
        if (!saturated) {
            return "";
        }
        if (steps.isEmpty()) {
            return nothingHelps(end);
        }
        if (limit.resource() == Resource.HOT_KEY) {
            return nothingHelps(limit);
        }
        Step step = steps.get(0);
        return step.change() + " would give about " + factor(step.factor()) + ", then "
                + step.next().limits();
    }

    /** {@return the advice in full, line by line} */
    public List<String> text() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,.0f messages/s over %.0f s; %d event loops, %.1f of %d cores used",
                load.messages(),
                load.seconds(),
                load.loops(),
                load.cpu(),
                load.cores()));
        int width = load.components().stream()
                .mapToInt(component -> component.id().length())
                .max()
                .orElse(0);
        width = Math.max(width, "component".length());
        lines.add(
                String.format("  %-" + width + "s  executors  busy  waiting  busiest  calls/s  us/call", "component"));
        for (ComponentLoad component : load.components()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-" + width + "s  %9d  %3.0f%%  %6.0f%%  %6.0f%%  %,7.0f  %,7.1f",
                    component.id(),
                    component.executors(),
                    100 * component.busy() / component.executors(),
                    100 * component.waiting() / component.executors(),
                    100 * component.busiest(),
                    component.calls(),
                    component.callNanos() / 1e3));
        }
        if (!saturated) {
            lines.add(unsaturated());
            return lines;
        }
        lines.add("limit: " + describe(limit));
        if (limit.resource() == Resource.HOT_KEY && !steps.isEmpty()) {
            lines.add(nothingHelps(limit));
        }
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            lines.add(String.format(
                    Locale.ROOT,
                    "%d. %s: about %s in all%s; then %s",
                    i + 1,
                    step.change(),
                    factor(step.factor()),
                    rate(step),
                    step.next().limits()));
        }
        lines.add(end == null ? "more may help: measure again with these changes" : nothingHelps(end));
        return lines;
    }

    /** Returns the rate after a step; empty if the spouts emit more rarely than once in the measured time. */
    private String rate(Step step) {
        return load.messages() == 0
                ? ""
                : String.format(Locale.ROOT, ", %,.0f messages/s", step.factor() * load.messages());
    }

    private String unsaturated() {
        if (pendingFull) {
            return String.format(
                    Locale.ROOT,
                    "nothing measured limits the topology, but topology.max.spout.pending (%,d tuple trees) holds its spouts"
                            + " back: the trees wait for something else, such as cores that other processes use, or acks that"
                            + " do not come. A higher limit would give at most %s, then %s",
                    load.maxPending(),
                    factor(1 / Math.max(0.01, limit.use())),
                    limit.limits());
        }
        String spouts = "nothing limits the topology: its spouts have no more to emit";
        return load.messages() == 0
                ? spouts
                : spouts + ". Next would be " + limit.name() + ", at " + factor(1 / Math.max(0.01, limit.use()))
                        + " the rate";
    }

    private String describe(Limit found) {
        return found.name() + ", "
                + (found.resource() == Resource.PENDING
                        ? String.format(Locale.ROOT, "%,d tuple trees in flight", load.maxPending())
                        : Math.round(100 * found.use()) + "% " + busy(found));
    }

    private String busy(Limit found) {
        return !found.component().isEmpty() && load.component(found.component()).mostlyWaits()
                ? "of its time in calls that wait"
                : "busy";
    }

    private String nothingHelps(Limit found) {
        ComponentLoad heaviest = load.components().stream()
                .max(Comparator.comparingDouble(
                        found.resource() == Resource.CORES ? ComponentLoad::computing : ComponentLoad::busy))
                .orElseThrow();
        if (isStuck(load, found)) {
            return found.component()
                    + (load.component(found.component()).spout() ? " has emitted nothing" : " has completed no call")
                    + ": more executors may not help (see 'updraft stack')";
        }
        return switch (found.resource()) {
            case HOT_KEY ->
                "more executors of " + found.component() + " do not help: "
                        + Math.round(100 * load.component(found.component()).heaviestKey()) + "% of its tuples have "
                        + load.component(found.component()).hotKey() + ", and one task gets them all";
            case EXECUTORS ->
                load.component(found.component()).mostExecutors()
                                <= load.component(found.component()).executors()
                        ? found.component() + " limits and has no more tasks than executors; raise its number of tasks"
                        : "more executors of " + found.component() + " do not help";
            case CORES ->
                "the cores limit: more executors do not help; most time goes to " + heaviest.id()
                        + " (see 'updraft profile " + heaviest.id() + "')";
            case LOOPS ->
                "the event loops limit; most time goes to " + heaviest.id() + " (see 'updraft profile " + heaviest.id()
                        + "')";
            case PENDING -> "the limit of tuple trees in flight holds the spouts back";
        };
    }

    private static String factor(double factor) {
        return String.format(Locale.ROOT, "%.1fx", factor);
    }

    /** {@return the advice as a JSON object, for scripts} */
    public JsonObject json() {
        JsonObject json = JsonObject.of("seconds", load.seconds())
                .with("messagesPerSecond", load.messages())
                .with("coresUsed", load.cpu())
                .with("limit", saturated ? limit.name() : null)
                .with("limitUse", limit.use());
        json.put("steps", steps.stream().map(this::json).toList());
        return json;
    }

    private JsonObject json(Step step) {
        return JsonObject.of("change", step.change())
                .with("executors", step.setup().executors())
                .with("loops", step.setup().loops())
                .with("maxPending", step.setup().maxPending())
                .with("factor", step.factor())
                .with("messagesPerSecond", step.factor() * load.messages())
                .with("thenLimits", step.next().name());
    }
}
