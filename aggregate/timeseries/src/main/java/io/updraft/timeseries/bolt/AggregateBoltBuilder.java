package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Builds an {@link AggregateBolt}. Defaults: processing time, no lateness, acks after the result. The bolt keeps a copy, which is
 * serialized to the workers with it.
 */
public final class AggregateBoltBuilder implements Cloneable, Serializable {

    private static final long serialVersionUID = 1;

    private final transient List<Schema.Field> fields = new ArrayList<>();
    private final transient List<String> dimensions = new ArrayList<>();
    private final transient List<Measure> measures = new ArrayList<>();
    private transient WindowSpec window;
    /** Null until the bolt is built. */
    Query query;
    /** The field that has a record's time; null for processing time. */
    String timeField;
    /** Milliseconds by which records may arrive out of order. */
    long disorder;
    /** Milliseconds between early results; 0 for none. */
    long early;
    /** Milliseconds without a tuple after which all windows are closed; 0 for never. */
    long idle;

    boolean late;
    boolean ackAtOnce;
    private long maxGroups = Long.MAX_VALUE;
    /** 0 for half of the heap. */
    private long maxBytes;

    private String spill;

    AggregateBoltBuilder() {}

    /**
     * Declares the type of a field. Tuples may have other fields too.
     *
     * @throws IllegalArgumentException when the type is DECIMAL, of which tuples have no values
     */
    public AggregateBoltBuilder field(String name, FieldType type) {
        if (type == FieldType.DECIMAL) {
            throw new IllegalArgumentException("field " + name + ": a bolt takes no decimals");
        }
        fields.add(new Schema.Field(name, type));
        return this;
    }

    /**
     * Groups by fields. Fields without a declared type are TEXT. Groups are complete if tuples arrive by a fields grouping on
     * these fields.
     */
    public AggregateBoltBuilder groupBy(String... names) {
        for (String name : names) {
            if (fields.stream().noneMatch(field -> field.name().equals(name))) {
                field(name, FieldType.TEXT);
            }
            dimensions.add(name);
        }
        return this;
    }

    /** Counts the tuples of a group. */
    public AggregateBoltBuilder count(String name) {
        return measure(new Measure(name, AggregateFunction.COUNT, null, 0));
    }

    /**
     * Adds a column of results.
     *
     * @throws IllegalArgumentException for QUANTILE, whose fraction only a {@link Measure} has
     */
    public AggregateBoltBuilder measure(String name, AggregateFunction function, String field) {
        if (function == AggregateFunction.QUANTILE) {
            throw new IllegalArgumentException(
                    name + ": QUANTILE needs a fraction, such as measure(new Measure(name, QUANTILE, field, 0.99))");
        }
        return measure(new Measure(name, function, field, 0));
    }

    /** Adds a column of results. */
    public AggregateBoltBuilder measure(Measure measure) {
        measures.add(measure);
        return this;
    }

    /** Sets tumbling windows of one size. */
    public AggregateBoltBuilder every(Duration size) {
        return window(WindowSpec.tumbling(size));
    }

    /** Sets the windows. */
    public AggregateBoltBuilder window(WindowSpec spec) {
        window = spec;
        return this;
    }

    /**
     * Uses event time from a field, of type TIME unless {@link #field} declares LONG. A window is closed when the task has
     * received a record whose time is later than the window's end by {@code allowed}.
     *
     * @param name the field
     * @param allowed how far out of order records may arrive
     */
    public AggregateBoltBuilder eventTime(String name, Duration allowed) {
        if (fields.stream().noneMatch(field -> field.name().equals(name))) {
            field(name, FieldType.TIME);
        }
        timeField = name;
        disorder = millis("the allowed disorder", allowed, 0);
        return this;
    }

    /**
     * With event time: closes all windows when no tuple has arrived for {@code after}. Records that arrive for them later are
     * late.
     */
    public AggregateBoltBuilder closeWhenIdle(Duration after) {
        idle = millis("the time to close idle windows after", after, 1);
        return this;
    }

    /** Emits early results of open windows that have changed, about once in each interval, at most every second. */
    public AggregateBoltBuilder early(Duration interval) {
        early = millis("the interval of early results", interval, 1);
        return this;
    }

    /**
     * Emits records that are late or have no time on the stream {@value AggregateBolt#LATE}. By default they are only counted.
     */
    public AggregateBoltBuilder emitLate() {
        late = true;
        return this;
    }

    /**
     * Acks a tuple when it was added, not when its windows were emitted. Accumulators in memory are then lost with the task.
     */
    public AggregateBoltBuilder ackAtOnce() {
        ackAtOnce = true;
        return this;
    }

    /**
     * Limits the state of each task. The default is half of the heap.
     *
     * @param groups the most groups of all open windows
     * @param bytes the most bytes of memory; 0 for half of the heap
     * @param spillInto a directory to which groups beyond the limits spill; null to end the topology with an error that says
     *     what to do
     */
    public AggregateBoltBuilder limit(long groups, long bytes, Path spillInto) {
        if (groups < 1 || bytes < 0) {
            throw new IllegalArgumentException(
                    "the limits must be at least 1 group and 0 bytes, not " + groups + " and " + bytes);
        }
        maxGroups = groups;
        maxBytes = bytes;
        spill = spillInto == null ? null : spillInto.toString();
        return this;
    }

    private static long millis(String setting, Duration duration, long least) {
        if (duration.compareTo(Duration.ofMillis(least)) < 0) {
            throw new IllegalArgumentException(setting + " must be at least " + least + " ms, not " + duration);
        }
        return duration.toMillis();
    }

    /**
     * Creates the bolt.
     *
     * @throws IllegalArgumentException when an option is missing or contradicts another one
     */
    public AggregateBolt build() {
        Objects.requireNonNull(window, "an aggregation needs windows: call every or window");
        try {
            AggregateBoltBuilder copy = (AggregateBoltBuilder) clone();
            copy.query = new Query(new Schema(fields), dimensions, measures, window);
            return new AggregateBolt(copy);
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the limits of one task. Each task spills into a directory of its own. */
    AggregatorOptions options(String task) {
        long bytes = maxBytes == 0 ? AggregatorOptions.inMemory().maxBytes() : maxBytes;
        return new AggregatorOptions(maxGroups, bytes, spill == null ? null : Path.of(spill, task));
    }
}
