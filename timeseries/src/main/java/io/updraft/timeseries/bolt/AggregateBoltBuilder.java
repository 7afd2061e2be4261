package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.Function;
import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.WindowSpec;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Describes an {@link AggregateBolt}. What is not said otherwise: processing time, no lateness, acks after the result. */
public final class AggregateBoltBuilder {

    private final List<Field> fields = new ArrayList<>();
    private final List<String> dimensions = new ArrayList<>();
    private final List<Measure> measures = new ArrayList<>();
    private WindowSpec window;
    private String timeField;
    private Duration disorder = Duration.ZERO;
    private Duration early = Duration.ZERO;
    private Duration idle = Duration.ZERO;
    private boolean late;
    private boolean ackAtOnce;
    private long maxGroups = Long.MAX_VALUE;
    private long maxBytes;
    private String spill;

    AggregateBoltBuilder() {}

    /** Says of which type a field of the tuples is. Tuples may have other fields too. */
    public AggregateBoltBuilder field(String name, FieldType type) {
        fields.add(new Field(name, type));
        return this;
    }

    /** Groups by fields; those whose type was not said are TEXT. Groups are complete if tuples come by a fields grouping on them. */
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
        return measure(new Measure(name, Function.COUNT, null, 0));
    }

    /** Adds a column of results. */
    public AggregateBoltBuilder measure(String name, Function function, String field) {
        return measure(new Measure(name, function, field, 0));
    }

    /** Adds a column of results. */
    public AggregateBoltBuilder measure(Measure measure) {
        measures.add(measure);
        return this;
    }

    /** Windows of one length, one after the other. */
    public AggregateBoltBuilder every(Duration size) {
        return window(WindowSpec.tumbling(size));
    }

    /** Windows of any kind. */
    public AggregateBoltBuilder window(WindowSpec spec) {
        window = spec;
        return this;
    }

    /**
     * A record belongs to the windows that a field of it says, of type TIME unless {@link #field} says LONG. Windows are closed when
     * a record was seen whose time is later than their end by the disorder: the clock is that of the records that the task sees.
     *
     * @param name the field
     * @param allowed how much earlier a record's time may be than that of one before it
     */
    public AggregateBoltBuilder eventTime(String name, Duration allowed) {
        if (fields.stream().noneMatch(field -> field.name().equals(name))) {
            field(name, FieldType.TIME);
        }
        timeField = name;
        disorder = allowed;
        return this;
    }

    /** With event time: closes all windows when no tuple has come for so long. What comes for them later is late. */
    public AggregateBoltBuilder closeWhenIdle(Duration after) {
        idle = after;
        return this;
    }

    /** Emits results of windows that are not closed yet, if they have changed, about so often; not more often than every second. */
    public AggregateBoltBuilder early(Duration interval) {
        early = interval;
        return this;
    }

    /** Emits records that are too late, or have no time, on the stream {@value AggregateBolt#LATE}; otherwise they are only counted. */
    public AggregateBoltBuilder emitLate() {
        late = true;
        return this;
    }

    /** Acks a tuple when it was added, not when its windows were emitted: what is in memory is lost with the task. */
    public AggregateBoltBuilder ackAtOnce() {
        ackAtOnce = true;
        return this;
    }

    /**
     * Limits what each task holds. Without this, a task may take half of the heap.
     *
     * @param groups the most groups of all open windows
     * @param bytes the most bytes of memory
     * @param spillInto a directory for what does not fit; null to end the topology with an error that says what to do
     */
    public AggregateBoltBuilder limit(long groups, long bytes, Path spillInto) {
        maxGroups = groups;
        maxBytes = bytes;
        spill = spillInto == null ? null : spillInto.toString();
        return this;
    }

    /**
     * The bolt.
     *
     * @throws IllegalArgumentException when something is missing or contradicts itself
     */
    public AggregateBolt build() {
        Objects.requireNonNull(window, "an aggregation needs windows: call every or window");
        Query query = new Query(new Schema(fields), dimensions, measures, window);
        return new AggregateBolt(new Settings(
                query,
                timeField,
                disorder.toMillis(),
                early.toMillis(),
                idle.toMillis(),
                late,
                ackAtOnce,
                maxGroups,
                maxBytes,
                spill));
    }
}
