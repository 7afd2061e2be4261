package io.updraft.observe.history;

import io.updraft.engine.snapshot.ComponentSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** The figures of a component that a history keeps. */
enum ComponentValue {
    EMITTED(Form.RATE, For.BOTH, "emittedPerSecond", ComponentSnapshot::emitted),
    TRANSFERRED(Form.RATE, For.BOTH, "transferredPerSecond", ComponentSnapshot::transferred),
    EXECUTED(Form.RATE, For.BOLTS, "executedPerSecond", ComponentSnapshot::executed),
    ACKED(Form.RATE, For.BOTH, "ackedPerSecond", ComponentSnapshot::acked),
    FAILED(Form.RATE, For.BOTH, "failedPerSecond", ComponentSnapshot::failed),
    TIMED_OUT(Form.EVENTS, For.SPOUTS, "timedOut", ComponentSnapshot::timedOut),
    DEAD_LETTERED(Form.EVENTS, For.SPOUTS, "deadLettered", ComponentSnapshot::deadLettered),
    ERRORS(Form.EVENTS, For.BOTH, "errors", ComponentSnapshot::errors),
    RESTARTS(Form.EVENTS, For.BOTH, "restarts", ComponentSnapshot::restarts),
    BUSY(Form.RATE, For.BOTH, "busy", component -> component.busyNanos() / 1e9),
    QUEUED(Form.LARGEST, For.BOLTS, "queued", ComponentSnapshot::queued),
    IN_FLIGHT(Form.LARGEST, For.SPOUTS, "inFlight", ComponentSnapshot::inFlight),
    EXECUTE_P50(
            Form.LARGEST,
            For.BOTH,
            "executeP50Nanos",
            component -> measured(component.executeLatency().p50Nanos())),
    EXECUTE_P99(
            Form.LARGEST,
            For.BOTH,
            "executeP99Nanos",
            component -> measured(component.executeLatency().p99Nanos())),
    COMPLETE_P50(
            Form.LARGEST,
            For.SPOUTS,
            "completeP50Nanos",
            component -> measured(component.completeLatency().p50Nanos())),
    COMPLETE_P99(
            Form.LARGEST,
            For.SPOUTS,
            "completeP99Nanos",
            component -> measured(component.completeLatency().p99Nanos())),
    BACK_PRESSURED(Form.SHARE, For.BOTH, "backPressured", component -> component.backPressured() ? 1 : 0),
    THROTTLED(Form.SHARE, For.BOTH, "throttled", component -> component.throttled() ? 1 : 0),
    OWN_THREADS(Form.LARGEST, For.BOTH, "ownThreads", ComponentSnapshot::ownThreads),
    EXECUTORS(Form.LARGEST, For.BOTH, "executors", ComponentSnapshot::executors);

    /** The figures of a spout and of a bolt, in the order of {@link #of(boolean)}. */
    private static final List<ComponentValue> SPOUT_VALUES = of(true);

    private static final List<ComponentValue> BOLT_VALUES = of(false);
    private static final List<Figure> SPOUT = figures(SPOUT_VALUES);
    private static final List<Figure> BOLT = figures(BOLT_VALUES);

    private final Form form;
    private final For kinds;
    private final Figure figure;
    private final ToDoubleFunction<ComponentSnapshot> reading;

    ComponentValue(Form form, For kinds, String key, ToDoubleFunction<ComponentSnapshot> reading) {
        this.form = form;
        this.kinds = kinds;
        this.figure = new Figure(key, form.merge);
        this.reading = reading;
    }

    /** Returns a latency; not a number if nothing was recorded. */
    private static double measured(long nanos) {
        return nanos == 0 ? Double.NaN : nanos;
    }

    static HistorySeries series(ComponentSnapshot component) {
        return component.spout()
                ? new HistorySeries(HistorySeries.Kind.SPOUT, component.id(), SPOUT)
                : new HistorySeries(HistorySeries.Kind.BOLT, component.id(), BOLT);
    }

    private static List<ComponentValue> of(boolean spout) {
        List<ComponentValue> values = new ArrayList<>();
        for (ComponentValue value : values()) {
            if (value.kinds != (spout ? For.BOLTS : For.SPOUTS)) {
                values.add(value);
            }
        }
        return values;
    }

    private static List<Figure> figures(List<ComponentValue> values) {
        return values.stream().map(value -> value.figure).toList();
    }

    /** Returns the values of an interval. Without a snapshot of its beginning the interval begins with the component. */
    static double[] between(ComponentSnapshot before, ComponentSnapshot now, double seconds) {
        List<ComponentValue> read = now.spout() ? SPOUT_VALUES : BOLT_VALUES;
        return read.stream()
                .mapToDouble(value -> value.value(before, now, seconds))
                .toArray();
    }

    private double value(ComponentSnapshot before, ComponentSnapshot now, double seconds) {
        double reached = reading.applyAsDouble(now);
        if (form == Form.LARGEST || form == Form.SHARE) {
            return reached;
        }
        double start = before == null ? 0 : reading.applyAsDouble(before);
        // The counters of a restarted worker may begin at zero.
        double added = start > reached ? reached : reached - start;
        double perExecutor = this == BUSY ? Math.max(1, now.executors()) : 1;
        return form == Form.RATE ? added / (seconds * perExecutor) : added;
    }

    /** How a value is made of snapshots, and merged. */
    private enum Form {
        RATE(Merge.MEAN),
        EVENTS(Merge.SUM),
        SHARE(Merge.MEAN),
        LARGEST(Merge.MAX);

        private final Merge merge;

        Form(Merge merge) {
            this.merge = merge;
        }
    }

    private enum For {
        SPOUTS,
        BOLTS,
        BOTH
    }
}
