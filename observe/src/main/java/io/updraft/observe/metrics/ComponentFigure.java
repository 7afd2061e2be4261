package io.updraft.observe.metrics;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.observe.metrics.MetricsText.Kind;
import java.util.function.ToDoubleFunction;

/** The figures of a component that its snapshot contains, in the order of the text. */
enum ComponentFigure {
    EMITTED(Kind.COUNTER, "emitted_tuples", "Tuples emitted.", ComponentSnapshot::emitted),
    TRANSFERRED(
            Kind.COUNTER,
            "transferred_tuples",
            "Tuples sent to tasks; one emitted tuple may be sent to several.",
            ComponentSnapshot::transferred),
    EXECUTED(Kind.COUNTER, "executed_tuples", "Tuples executed by a bolt.", ComponentSnapshot::executed),
    ACKED(Kind.COUNTER, "acked_tuples", "Bolt: tuples acked. Spout: tuple trees completed.", ComponentSnapshot::acked),
    FAILED(
            Kind.COUNTER,
            "failed_tuples",
            "Bolt: tuples failed. Spout: tuple trees failed or timed out.",
            ComponentSnapshot::failed),
    TIMED_OUT(Kind.COUNTER, "timed_out_trees", "Tuple trees of a spout that timed out.", ComponentSnapshot::timedOut),
    DEAD_LETTERED(
            Kind.COUNTER,
            "dead_lettered_messages",
            "Messages of a spout that were given up after too many failures.",
            ComponentSnapshot::deadLettered),
    ERRORS(Kind.COUNTER, "errors", "Exceptions thrown by the component's code.", ComponentSnapshot::errors),
    RESTARTS(Kind.COUNTER, "restarts", "Restarts of instances.", ComponentSnapshot::restarts),
    BUSY(
            Kind.COUNTER,
            "busy_seconds",
            "Time in the component's code, summed over executors.",
            component -> component.busyNanos() / RunMetrics.NANOS_PER_SECOND),
    EXECUTORS(Kind.GAUGE, "executors", "Number of executors.", ComponentSnapshot::executors),
    TASKS(Kind.GAUGE, "tasks", "Number of tasks.", ComponentSnapshot::tasks),
    QUEUED(Kind.GAUGE, "queued_tuples", "Tuples that wait for a bolt.", ComponentSnapshot::queued),
    IN_FLIGHT(Kind.GAUGE, "in_flight_trees", "Tuple trees of a spout in flight.", ComponentSnapshot::inFlight),
    BACK_PRESSURED(
            Kind.GAUGE,
            "back_pressured",
            "1 if the component exerts back-pressure.",
            component -> component.backPressured() ? 1 : 0),
    THROTTLED(
            Kind.GAUGE,
            "throttled",
            "1 if back-pressure from downstream holds the component back.",
            component -> component.throttled() ? 1 : 0),
    OWN_THREADS(
            Kind.GAUGE,
            "own_threads",
            "Executors that run on their own thread because their code blocks.",
            ComponentSnapshot::ownThreads);

    private final Kind kind;
    private final String figure;
    private final String help;
    private final ToDoubleFunction<ComponentSnapshot> value;

    ComponentFigure(Kind kind, String figure, String help, ToDoubleFunction<ComponentSnapshot> value) {
        this.kind = kind;
        this.figure = figure;
        this.help = help;
        this.value = value;
    }

    void begin(MetricsText text) {
        text.family(kind, "updraft_component_" + figure, help);
    }

    double of(ComponentSnapshot component) {
        return value.applyAsDouble(component);
    }
}
