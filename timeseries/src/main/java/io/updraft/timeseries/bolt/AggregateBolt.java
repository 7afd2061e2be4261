package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.aggregate.Query;
import io.updraft.timeseries.aggregate.TooManyGroups;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Time;
import org.apache.storm.utils.TupleUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Aggregates tuples by their fields and by windows of time; keeps sums and the like, not tuples. For each group of a closed window
 * it emits {@code (windowStart, windowEnd, dimensions..., measures...)}, times in milliseconds since 1970. A later tuple for the
 * same window and dimensions, early or because of late records, takes the place of the one before.
 *
 * <p>At least once: a tuple is held, its timeout reset again and again, and acked when the last of its windows was emitted. When a
 * task dies, what it held times out and is replayed, so that totals of tumbling windows stay right; a sliding window that was
 * emitted already may be emitted once more with what was replayed alone. {@code topology.max.spout.pending} must let all records of
 * the open windows be in flight. Results are not anchored: when the bolt has emitted, the records have been counted, and a replay of
 * them would be late. A tuple with a value of a wrong type is failed and reported. A group with a sum of whole numbers that
 * does not fit into 64 bits is reported when its window is written, with the name of the measure, and not emitted; its tuples are acked, as a replay
 * would come to the same. More groups than there is room for end the
 * topology, see {@link AggregateBoltBuilder#limit}.
 */
public final class AggregateBolt extends BaseRichBolt {

    /** The stream of records that came too late; it has the fields that the aggregation takes. */
    public static final String LATE = "late";

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(AggregateBolt.class);

    private final Settings settings;

    private transient OutputCollector collector;
    private transient String component;
    private transient TupleRows rows;
    private transient Row row;
    private transient Aggregator aggregator;
    private transient HeldTuples held;
    private transient int timeSlot;
    private transient boolean ackAtOnce;
    private transient long watermark;
    private transient long nextClose;
    private transient long latestTime;
    private transient long latestEnd;
    private transient long resetEvery;
    private transient long lastReset;
    private transient long lastEarly;
    private transient long lastTuple;
    private transient long tuples;
    private transient long tuplesAtTick;
    private transient long lateTuples;
    private transient long lateAtTick;

    AggregateBolt(Settings settings) {
        this.settings = settings;
    }

    /** Begins to describe one. */
    public static AggregateBoltBuilder builder() {
        return new AggregateBoltBuilder();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
        Query query = settings.query();
        collector = out;
        component = context.getThisComponentId();
        rows = new TupleRows(query.input(), context);
        row = new Row(query.input());
        aggregator = Aggregators.create(
                query, settings.options(context.getThisComponentId() + "-" + context.getThisTaskId()));
        held = new HeldTuples();
        timeSlot = settings.timeField() == null ? -1 : query.input().slot(settings.timeField());
        // Without ackers nobody waits for an ack, and tuples would be kept for nothing.
        Object ackers = conf.get(Config.TOPOLOGY_ACKER_EXECUTORS);
        ackAtOnce = settings.ackAtOnce() || ackers instanceof Number number && number.intValue() == 0;
        latestTime = Long.MIN_VALUE;
        latestEnd = Long.MIN_VALUE;
        watermark = Long.MIN_VALUE;
        nextClose = Long.MIN_VALUE;
        Object timeout = conf.get(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS);
        resetEvery = timeout == null ? 10_000 : Math.max(1, ((Number) timeout).longValue() * 1000 / 3);
        lastReset = Time.currentTimeMillis();
        lastEarly = lastReset;
        lastTuple = lastReset;
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        List<String> names = new ArrayList<>(List.of("windowStart", "windowEnd"));
        settings.query().result().fields().forEach(field -> names.add(field.name()));
        declarer.declare(new Fields(names));
        if (settings.late()) {
            declarer.declareStream(
                    LATE,
                    new Fields(settings.query().input().fields().stream()
                            .map(Field::name)
                            .toList()));
        }
    }

    @Override
    public void execute(Tuple tuple) {
        if (TupleUtils.isTick(tuple)) {
            tick(Time.currentTimeMillis());
            collector.ack(tuple);
            return;
        }
        tuples++;
        try {
            rows.fill(tuple, row);
        } catch (IllegalArgumentException e) {
            collector.reportError(e);
            collector.fail(tuple);
            return;
        }
        add(tuple);
    }

    private void add(Tuple tuple) {
        if (timeSlot >= 0 && !row.has(timeSlot)) {
            late(tuple);
            return;
        }
        long time = timeSlot < 0 ? Time.currentTimeMillis() : row.getLong(timeSlot);
        if (timeSlot < 0) {
            // Before it is added: what has ended is closed first, and then the clock's time is never late.
            advance(time);
        }
        long end = addRow(time);
        if (end == Aggregator.LATE) {
            late(tuple);
            return;
        }
        if (ackAtOnce) {
            collector.ack(tuple);
        } else {
            held.add(end, tuple);
        }
        latestEnd = Math.max(latestEnd, end);
        if (timeSlot >= 0) {
            advance(time);
        }
    }

    private long addRow(long time) {
        try {
            return aggregator.add(row, time);
        } catch (TooManyGroups e) {
            throw new NoRoomForGroups(component + ": " + e.getMessage(), e);
        }
    }

    private void late(Tuple tuple) {
        lateTuples++;
        if (settings.late()) {
            collector.emit(LATE, tuple, values(row, 0));
        }
        collector.ack(tuple);
    }

    /** Closes windows if a record of this time means that some have ended. */
    private void advance(long time) {
        if (time <= latestTime) {
            return;
        }
        latestTime = time;
        if (time - settings.disorder() >= nextClose) {
            close(time - settings.disorder());
        }
    }

    private void close(long time) {
        watermark = Math.max(watermark, time);
        aggregator.close(watermark).forEach(this::emit);
        held.release(watermark, collector::ack);
        nextClose = nextEnd(watermark);
    }

    /** The first end of a window after a time. */
    private long nextEnd(long time) {
        long size = settings.query().window().size().toMillis();
        long slide = settings.query().window().slide().toMillis();
        return Math.floorDiv(time - size, slide) * slide + slide + size;
    }

    /** Every second: what the clock brings about, and what must not be done for each tuple. */
    private void tick(long now) {
        if (timeSlot < 0) {
            advance(now);
        }
        if (watermark != Long.MIN_VALUE) {
            // Windows that late records were added to.
            close(watermark);
        }
        if (tuples != tuplesAtTick) {
            lastTuple = now;
            tuplesAtTick = tuples;
        } else if (settings.idle() > 0 && now - lastTuple >= settings.idle() && latestEnd > watermark) {
            close(latestEnd);
        }
        if (settings.early() > 0 && now - lastEarly >= settings.early()) {
            lastEarly = now;
            aggregator.early().forEach(this::emit);
        }
        if (now - lastReset >= resetEvery) {
            lastReset = now;
            held.forEach(collector::resetTimeout);
        }
        if (lateTuples != lateAtTick) {
            LOG.warn(
                    "{} records came too late for their windows, or without a time; {} in all",
                    lateTuples - lateAtTick,
                    lateTuples);
            lateAtTick = lateTuples;
        }
    }

    private void emit(WindowResult result) {
        Long start = result.window().start();
        Long end = result.window().end();
        result.forEach(group -> {
            Values values = values(group, 2);
            values.set(0, start);
            values.set(1, end);
            collector.emit(values);
        });
        if (result.emission() != WindowResult.Emission.EARLY) {
            reportOverflow(result);
        }
    }

    /** One error for each window, however many groups: the errors of a component are kept in ZooKeeper. */
    private void reportOverflow(WindowResult result) {
        List<String> groups = new ArrayList<>();
        result.forEachOverflow(group -> {
            Object[] dimensions = new Object[result.dimensions()];
            Arrays.setAll(
                    dimensions,
                    i -> value(group.row(), i, result.schema().fields().get(i).type()));
            groups.add(Arrays.toString(dimensions) + ": " + group.reason());
        });
        if (!groups.isEmpty()) {
            collector.reportError(new ArithmeticException(component + ": no tuple for " + groups.size()
                    + (groups.size() == 1 ? " group" : " groups, of which the first is") + " of the window from "
                    + Instant.ofEpochMilli(result.window().start()) + " on: " + groups.get(0)));
        }
    }

    /** The values of a row, after some places that are left free. */
    private static Values values(Row row, int free) {
        List<Field> fields = row.schema().fields();
        Object[] values = new Object[free + fields.size()];
        Arrays.setAll(
                values,
                i -> i < free ? null : value(row, i - free, fields.get(i - free).type()));
        return new Values(values);
    }

    private static Object value(Row row, int slot, FieldType type) {
        return type == FieldType.BOOLEAN && row.has(slot) ? (Object) (row.getLong(slot) != 0) : row.value(slot);
    }

    @Override
    public void cleanup() {
        if (aggregator != null) {
            aggregator.close();
        }
    }
}
