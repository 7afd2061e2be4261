package io.updraft.timeseries.bolt;

import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
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
 * Aggregates tuples by dimensions and by time windows. Keeps accumulators, not tuples. For each group of a closed window it
 * emits {@code (windowStart, windowEnd, dimensions..., measures...)}, with times in milliseconds since 1970. A later tuple for
 * the same window and dimensions, after an early result or late records, replaces the one before.
 *
 * <p>At least once: the bolt holds a tuple, resets its timeout regularly, and acks it when the last of its windows was emitted.
 * When a task dies, its held tuples time out and are replayed, so totals of tumbling windows stay correct. A sliding window
 * that was emitted already may be emitted once more with the replayed tuples alone. {@code topology.max.spout.pending} must let
 * all records of the open windows be in flight. Results are not anchored: when the bolt emits, the records have been counted,
 * and a replay of them would be late.
 *
 * <p>A tuple with a value of a wrong type is failed and reported. A group whose sum of whole numbers does not fit into 64 bits
 * is not emitted. It is reported, with the name of the measure, when its window is closed. Its tuples are acked, because a
 * replay would have the same outcome. More groups than the limit allows end the topology, see
 * {@link AggregateBoltBuilder#limit}.
 */
public final class AggregateBolt extends BaseRichBolt {

    /** The stream of late records. It has the input fields of the aggregation. */
    public static final String LATE = "late";

    private static final long serialVersionUID = 1;
    private static final Logger LOG = LoggerFactory.getLogger(AggregateBolt.class);

    private final AggregateBoltBuilder settings;

    private transient OutputCollector collector;
    private transient String component;
    private transient TupleRows rows;
    private transient RecordRow row;
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

    AggregateBolt(AggregateBoltBuilder settings) {
        this.settings = settings;
    }

    /** Creates a builder. */
    public static AggregateBoltBuilder builder() {
        return new AggregateBoltBuilder();
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
        Query query = settings.query;
        collector = out;
        component = context.getThisComponentId();
        rows = new TupleRows(query.input(), context);
        row = new RecordRow(query.input());
        aggregator = Aggregators.create(
                query, settings.options(context.getThisComponentId() + "-" + context.getThisTaskId()));
        held = new HeldTuples();
        timeSlot = settings.timeField == null ? -1 : query.input().slot(settings.timeField);
        // Without ackers an ack has no effect, and tuples would be held for nothing.
        Object ackers = conf.get(Config.TOPOLOGY_ACKER_EXECUTORS);
        ackAtOnce = settings.ackAtOnce || ackers instanceof Number number && number.intValue() == 0;
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
        settings.query.result().fields().forEach(field -> names.add(field.name()));
        declarer.declare(new Fields(names));
        if (settings.late) {
            declarer.declareStream(
                    LATE,
                    new Fields(settings.query.input().fields().stream()
                            .map(Schema.Field::name)
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
            // Before the row is added: windows that have ended are closed first, so the clock's time is never late.
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
        } catch (TooManyGroupsException e) {
            throw new GroupLimitError(component + ": " + e.getMessage(), e);
        }
    }

    private void late(Tuple tuple) {
        lateTuples++;
        if (settings.late) {
            collector.emit(LATE, tuple, values(row, 0));
        }
        collector.ack(tuple);
    }

    /** Advances the event time. Closes windows that have ended by then. */
    private void advance(long time) {
        if (time <= latestTime) {
            return;
        }
        latestTime = time;
        if (time - settings.disorder >= nextClose) {
            close(time - settings.disorder);
        }
    }

    private void close(long time) {
        watermark = Math.max(watermark, time);
        aggregator.closeWindows(watermark).forEach(this::emit);
        held.release(watermark, collector::ack);
        nextClose = settings.query.window().closings().nextEnd(watermark);
    }

    /** Runs every second: closes windows, emits early results, resets timeouts and logs late records. */
    private void tick(long now) {
        if (timeSlot < 0) {
            advance(now);
        }
        if (watermark != Long.MIN_VALUE) {
            // Emits updates of windows that have got late records.
            close(watermark);
        }
        if (tuples != tuplesAtTick) {
            lastTuple = now;
            tuplesAtTick = tuples;
        } else if (settings.idle > 0 && now - lastTuple >= settings.idle && latestEnd > watermark) {
            close(latestEnd);
        }
        if (settings.early > 0 && now - lastEarly >= settings.early) {
            lastEarly = now;
            aggregator.early().forEach(this::emit);
        }
        if (now - lastReset >= resetEvery) {
            lastReset = now;
            held.forEach(collector::resetTimeout);
        }
        if (lateTuples != lateAtTick) {
            LOG.warn(
                    "{} records were too late for their windows or had no time; {} since the start",
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

    /** Reports overflows with one error for each window, because ZooKeeper stores the errors of a component. */
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
            collector.reportError(new ArithmeticException(component + ": no result for " + groups.size()
                    + (groups.size() == 1 ? " group" : " groups (the first is shown)") + " of the window from "
                    + Instant.ofEpochMilli(result.window().start()) + ": " + groups.get(0)));
        }
    }

    /** Returns the values of a row, preceded by {@code free} empty places. */
    private static Values values(RecordRow row, int free) {
        List<Schema.Field> fields = row.schema().fields();
        Object[] values = new Object[free + fields.size()];
        Arrays.setAll(
                values,
                i -> i < free ? null : value(row, i - free, fields.get(i - free).type()));
        return new Values(values);
    }

    private static Object value(RecordRow row, int slot, FieldType type) {
        return type == FieldType.BOOLEAN && row.has(slot) ? (Object) (row.getLong(slot) != 0) : row.value(slot);
    }

    @Override
    public void cleanup() {
        if (aggregator != null) {
            aggregator.close();
        }
    }

    /**
     * Thrown when a task exceeds its limit of groups. It is an error like running out of memory, not an exception, and so ends the
     * topology. A replacement of the task would receive the same records and reach the limit again.
     */
    private static final class GroupLimitError extends VirtualMachineError {

        private static final long serialVersionUID = 1;

        GroupLimitError(String message, TooManyGroupsException cause) {
            super(message, cause);
        }
    }

    /** Tuples that are not acked yet, by the end of the latest window that contains them. One thread only. */
    private static final class HeldTuples {

        /** The tuples of one window, in an array that doubles when full, so that a tuple needs no object of its own. */
        private static final class WindowTuples {
            final long end;
            Tuple[] tuples = new Tuple[64];
            int size;

            WindowTuples(long end) {
                this.end = end;
            }
        }

        private final TreeMap<Long, WindowTuples> byEnd = new TreeMap<>();
        private WindowTuples last = new WindowTuples(Long.MIN_VALUE);

        void add(long end, Tuple tuple) {
            WindowTuples held = last;
            if (held.end != end) {
                held = byEnd.computeIfAbsent(end, WindowTuples::new);
                last = held;
            }
            if (held.size == held.tuples.length) {
                held.tuples = Arrays.copyOf(held.tuples, held.size * 2);
            }
            held.tuples[held.size++] = tuple;
        }

        void release(long time, Consumer<Tuple> to) {
            Iterator<Map.Entry<Long, WindowTuples>> each = byEnd.entrySet().iterator();
            while (each.hasNext()) {
                Map.Entry<Long, WindowTuples> entry = each.next();
                if (entry.getKey() > time) {
                    return;
                }
                each.remove();
                last = new WindowTuples(Long.MIN_VALUE);
                passAll(entry.getValue(), to);
            }
        }

        void forEach(Consumer<Tuple> to) {
            byEnd.values().forEach(held -> passAll(held, to));
        }

        private static void passAll(WindowTuples held, Consumer<Tuple> to) {
            for (int i = 0; i < held.size; i++) {
                to.accept(held.tuples[i]);
            }
        }
    }
}
