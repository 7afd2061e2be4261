package io.updraft.pipeline.sink.redis;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.SchemaField;
import java.util.ArrayList;
import java.util.List;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Writes results to Redis with pipelined commands, whose answers are all read before {@link #write} returns. There is no
 * transaction: a reader may see some groups of a window before the others. Each key is written as a whole, so writing again
 * changes nothing.
 *
 * <p>If the connection is lost, the server may have lost commands that it had answered. Then {@link #flush} fails, so that the
 * caller writes all results since the last flush again.
 */
final class RedisSink implements ResultSink {

    private final RedisSinkOptions options;

    private RedisPipeline redis;
    private RedisKeyTemplate keys;
    private SchemaField[] fields;
    private int dimensions;
    private ValueText values;
    private boolean unflushed;
    private SinkException connectionFailure;

    RedisSink(RedisSinkOptions options) {
        this.options = options;
    }

    @Override
    public String where() {
        return RedisFailure.where(options);
    }

    @Override
    public void open(Schema columns, int dimensionCount) throws SinkException {
        fields = columns.fields().toArray(SchemaField[]::new);
        dimensions = dimensionCount;
        values = new ValueText("1", "0");
        unflushed = false;
        connectionFailure = null;
        boolean hashes = options.layout() == RedisLayout.HASH;
        keys = new RedisKeyTemplate(options.key(), columns, dimensions, List.of(hashes ? "window_start" : "measure"));
        if (options.layout() == RedisLayout.TIME_SERIES) {
            checkNumbers();
        }
        try {
            connect();
            if (options.layout() == RedisLayout.TIME_SERIES && !redis.hasCommand("TS.ADD")) {
                throw SinkException.lasting(
                        RedisFailure.where(options)
                                + " has no time series: they need Redis 8, Redis Stack or the module"
                                + " RedisTimeSeries; use 'layout: sorted_set' without them",
                        null);
            }
        } catch (JedisException e) {
            disconnect();
            throw RedisFailure.of("cannot use", options, e);
        } catch (SinkException e) {
            disconnect();
            throw e;
        }
    }

    private void checkNumbers() throws SinkException {
        for (SchemaField field : List.of(fields).subList(dimensions, fields.length)) {
            if (field.type() == FieldType.TEXT) {
                throw SinkException.lasting(
                        "measure " + field.name()
                                + " is text, which a time series of Redis cannot hold; use 'layout: hash'",
                        null);
            }
        }
    }

    private void connect() {
        if (redis == null) {
            redis = new RedisPipeline(options);
            redis.ping();
        }
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        if (connectionFailure != null) {
            return;
        }
        try {
            connect();
            result.forEach(row -> group(result.window(), unit, row));
            redis.drain();
            unflushed = true;
        } catch (JedisException e) {
            SinkException failure = RedisFailure.of("cannot write to", options, e);
            disconnect();
            if (!unflushed || !failure.isTransient()) {
                throw failure;
            }
            connectionFailure = failure;
        }
    }

    private void group(TimeWindow window, String unit, RecordRow row) {
        switch (options.layout()) {
            case HASH -> hash(window, unit, row);
            case TIME_SERIES -> perMeasure(window, unit, row, true);
            case SORTED_SET -> perMeasure(window, unit, row, false);
        }
    }

    private void hash(TimeWindow window, String unit, RecordRow row) {
        String key = keys.key(window, unit, row, null);
        List<String> set = new ArrayList<>(List.of(key));
        List<String> missing = new ArrayList<>(List.of(key));
        for (int slot = dimensions; slot < fields.length; slot++) {
            if (row.has(slot)) {
                set.add(fields[slot].name());
                set.add(value(row, slot));
            } else {
                missing.add(fields[slot].name());
            }
        }
        if (missing.size() > 1) {
            redis.send("HDEL", missing);
        }
        if (set.size() > 1) {
            redis.send("HSET", set);
            expire(key);
        }
    }

    private void perMeasure(TimeWindow window, String unit, RecordRow row, boolean series) {
        for (int slot = dimensions; slot < fields.length; slot++) {
            String key = keys.key(window, unit, row, fields[slot].name());
            String time = Long.toString(window.start());
            if (series) {
                sample(key, time, row, slot);
            } else {
                member(key, time, row, slot);
            }
            expire(key);
        }
    }

    /** Writes a sample; deletes it if the value is missing or NaN. */
    private void sample(String key, String time, RecordRow row, int slot) {
        if (!row.has(slot) || Double.isNaN(row.getDouble(slot))) {
            redis.send("TS.DEL", List.of(key, time, time));
            return;
        }
        List<String> add = new ArrayList<>(List.of(key, time, value(row, slot), "ON_DUPLICATE", "LAST", "LABELS"));
        for (int dimension = 0; dimension < dimensions; dimension++) {
            String label = keys.text(row, dimension);
            if (label != null && !label.isEmpty()) {
                add.add(fields[dimension].name());
                add.add(label);
            }
        }
        add.add("measure");
        add.add(fields[slot].name());
        redis.send("TS.ADD", add);
    }

    private void member(String key, String time, RecordRow row, int slot) {
        redis.send("ZREMRANGEBYSCORE", List.of(key, time, time));
        if (row.has(slot)) {
            redis.send("ZADD", List.of(key, time, time + ":" + value(row, slot)));
        }
    }

    private void expire(String key) {
        if (options.expiry() != null) {
            redis.send("PEXPIRE", List.of(key, Long.toString(options.expiry().toMillis())));
        }
    }

    private String value(RecordRow row, int slot) {
        return ValueText.isText(row, slot) ? (String) row.value(slot) : values.of(row, slot, fields[slot].type());
    }

    @Override
    public boolean flush(List<UnitPosition> commits) throws SinkException {
        if (connectionFailure != null) {
            SinkException failure = connectionFailure;
            connectionFailure = null;
            unflushed = false;
            throw failure;
        }
        if (unflushed) {
            unflushed = false;
            checkConnection();
        }
        return false;
    }

    /** Checks the connection: a server that has restarted may have lost commands that it had answered. */
    private void checkConnection() throws SinkException {
        try {
            redis.ping();
        } catch (JedisException e) {
            disconnect();
            throw RedisFailure.of("cannot write to", options, e);
        }
    }

    private void disconnect() {
        if (redis != null) {
            redis.close();
            redis = null;
        }
    }

    @Override
    public void close() {
        disconnect();
    }
}
