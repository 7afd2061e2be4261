package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ValueText;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Writes results to Redis with pipelined commands, whose answers are all read before {@link #write} returns. There is no
 * transaction: a reader may see some groups of a window before the others. Each key is written as a whole, so writing again
 * changes nothing.
 *
 * <p>If the connection is lost, the server may have lost commands that it had answered. Then {@link #flush} fails, so that the
 * caller writes all results since the last flush again. It also fails if Redis refuses rows, so that the caller leaves them out.
 */
final class RedisSink implements ResultSink {

    /** The errors of Redis while it is full, a replica, busy, or starting. */
    private static final List<String> PASSING = List.of(
            "OOM",
            "READONLY",
            "LOADING",
            "BUSY",
            "MASTERDOWN",
            "CLUSTERDOWN",
            "TRYAGAIN",
            "MISCONF",
            "NOREPLICAS",
            "ERR max number");

    private final RedisSinkOptions options;

    private final RedisRefusals refusals = new RedisRefusals();
    private RedisPipeline redis;
    private RedisKeyTemplate keys;
    private Schema.Field[] fields;
    private int dimensions;
    private ValueText values;
    private boolean unflushed;
    private SinkException connectionFailure;

    RedisSink(RedisSinkOptions options) {
        this.options = options;
    }

    @Override
    public String where() {
        return "Redis at " + PasswordMask.hide(options.server().toString());
    }

    @Override
    public void open(Schema columns, int dimensionCount) throws SinkException {
        fields = columns.fields().toArray(Schema.Field[]::new);
        dimensions = dimensionCount;
        values = new ValueText("1", "0");
        unflushed = false;
        connectionFailure = null;
        refusals.take();
        boolean hashes = options.layout() == RedisSinkOptions.Layout.HASH;
        keys = new RedisKeyTemplate(options.key(), columns, dimensions, List.of(hashes ? "window_start" : "measure"));
        if (options.layout() == RedisSinkOptions.Layout.TIME_SERIES) {
            checkNumbers();
        }
        try {
            connect();
            if (options.layout() == RedisSinkOptions.Layout.TIME_SERIES && !redis.hasCommand("TS.ADD")) {
                throw SinkException.lasting(where()
                        + " has no time series: they need Redis 8, Redis Stack or the module"
                        + " RedisTimeSeries; use 'layout: sorted_set' without them");
            }
        } catch (JedisException e) {
            throw failed("cannot use", e);
        } catch (SinkException e) {
            disconnect();
            throw e;
        }
    }

    private void checkNumbers() throws SinkException {
        for (Schema.Field field : List.of(fields).subList(dimensions, fields.length)) {
            if (field.type() == FieldType.TEXT) {
                throw SinkException.lasting("measure " + field.name()
                        + " is text, which a time series of Redis cannot hold; use 'layout: hash'");
            }
        }
    }

    private void connect() {
        if (redis == null) {
            redis = new RedisPipeline(options, refusals);
            redis.open();
        }
    }

    @Override
    public void write(WindowResult result, String share) throws SinkException {
        if (connectionFailure != null) {
            return;
        }
        refusals.beginResult();
        try {
            connect();
            result.forEach(row -> group(result.window(), share, row));
            redis.drain();
            unflushed = true;
        } catch (JedisException e) {
            SinkException failure = failed("cannot write to", e);
            if (!unflushed || !failure.isTransient()) {
                refusals.take();
                throw failure;
            }
            connectionFailure = failure;
        }
    }

    private void group(TimeWindow window, String share, RecordRow row) {
        refusals.beginRow();
        switch (options.layout()) {
            case HASH -> hash(window, share, row);
            case TIME_SERIES -> perMeasure(window, share, row, true);
            case SORTED_SET -> perMeasure(window, share, row, false);
        }
    }

    private void hash(TimeWindow window, String share, RecordRow row) {
        String key = keys.key(window, share, row, null);
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

    private void perMeasure(TimeWindow window, String share, RecordRow row, boolean series) {
        for (int slot = dimensions; slot < fields.length; slot++) {
            String key = keys.key(window, share, row, fields[slot].name());
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
        return ValueText.isText(row, slot) ? (String) row.value(slot) : values.of(row, slot, fields[slot]);
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        List<RefusedRow> refused = refusals.take();
        if (connectionFailure != null) {
            SinkException failure = connectionFailure;
            connectionFailure = null;
            unflushed = false;
            throw failure;
        }
        if (unflushed) {
            unflushed = false;
            try {
                // A server that has restarted may have lost commands that it had answered.
                redis.ping();
            } catch (JedisException e) {
                throw failed("cannot write to", e);
            }
        }
        if (!refused.isEmpty()) {
            throw SinkException.refused(refused, where(), null);
        }
        return false;
    }

    /** Disconnects, and returns the exception that the sink throws. */
    private SinkException failed(String action, JedisException cause) {
        disconnect();
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String reply = SinkException.oneLine(root);
        if (reply.startsWith("MOVED") || reply.startsWith("ASK ")) {
            reply += "; the server is part of a Redis cluster, which this sink does not support";
            return SinkException.of(false, action + " " + where(), reply, cause);
        }
        // Jedis reports a wrong password as a connection failure too, but that is lasting.
        boolean refused = Stream.of("WRONGPASS", "NOAUTH", "NOPERM").anyMatch(reply::startsWith);
        boolean passing = cause instanceof JedisConnectionException && !refused
                || PASSING.stream().anyMatch(reply::startsWith);
        return SinkException.of(passing, action + " " + where(), reply, cause);
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

    /**
     * Makes the key of a group. In values, the per cent sign and the characters of the template between its parts are written as
     * {@code %XX}; a missing value is {@code %null}. So two groups never have the same key.
     */
    private static final class RedisKeyTemplate {

        private static final Pattern PART = Pattern.compile("\\{([^{}]*)\\}");

        /** The text between two parts, or the value of a part. */
        @FunctionalInterface
        private interface Piece {
            String text(TimeWindow window, String share, RecordRow row, String measure);
        }

        private final List<Piece> parts = new ArrayList<>();
        private final Schema columns;
        private final String between;
        private final ValueText values = new ValueText("true", "false");

        /**
         * Creates a template for results. Throws a {@link SinkException} when the template has an unknown part, or lacks a part
         * that keeps the keys of groups distinct.
         */
        RedisKeyTemplate(String template, Schema columns, int dimensions, List<String> needed) throws SinkException {
            this.columns = columns;
            List<String> mistakes = new ArrayList<>();
            Map<String, Piece> pieces = new HashMap<>();
            pieces.put("window_start", (window, share, row, measure) -> Long.toString(window.start()));
            pieces.put("window_end", (window, share, row, measure) -> Long.toString(window.end()));
            pieces.put("unit", (window, share, row, measure) -> escaped(share));
            pieces.put("measure", (window, share, row, measure) -> escaped(measure));
            for (int i = 0; i < dimensions; i++) {
                int slot = i;
                pieces.put(columns.fields().get(i).name(), (window, share, row, measure) -> escaped(text(row, slot)));
            }
            split(template, pieces, mistakes);
            List<String> all = new ArrayList<>(needed);
            columns.fields().subList(0, dimensions).stream()
                    .map(Schema.Field::name)
                    .forEach(all::add);
            all.stream()
                    .filter(part -> !template.contains("{" + part + "}"))
                    .forEach(part ->
                            mistakes.add("{" + part + "} is missing; without it, different results have the same key"));
            if (!mistakes.isEmpty()) {
                throw SinkException.lasting("key " + template + ": " + String.join("; ", mistakes));
            }
            between = "%" + PART.matcher(template).replaceAll("");
        }

        private void split(String template, Map<String, Piece> pieces, List<String> mistakes) {
            Matcher part = PART.matcher(template);
            int end = 0;
            while (part.find()) {
                if (end == part.start() && end > 0) {
                    mistakes.add("a separator is needed between " + part.group() + " and the part before it");
                }
                addText(template.substring(end, part.start()));
                Piece value = pieces.get(part.group(1));
                if (value == null) {
                    mistakes.add(part.group() + " is unknown");
                } else {
                    parts.add(value);
                }
                end = part.end();
            }
            addText(template.substring(end));
        }

        private void addText(String text) {
            parts.add((window, share, row, measure) -> text);
        }

        String key(TimeWindow window, String share, RecordRow row, String measure) {
            StringBuilder key = new StringBuilder();
            parts.forEach(part -> key.append(part.text(window, share, row, measure)));
            return key.toString();
        }

        /** Returns the value of a slot as text; null if it has none. */
        String text(RecordRow row, int slot) {
            if (!row.has(slot)) {
                return null;
            }
            return ValueText.isText(row, slot)
                    ? (String) row.value(slot)
                    : values.of(row, slot, columns.fields().get(slot));
        }

        private String escaped(String text) {
            if (text == null) {
                return "%null";
            }
            StringBuilder escaped = null;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (between.indexOf(c) >= 0) {
                    escaped = escaped == null ? new StringBuilder(text.substring(0, i)) : escaped;
                    escaped.append(String.format("%%%02X", (int) c));
                } else if (escaped != null) {
                    escaped.append(c);
                }
            }
            return escaped == null ? text : escaped.toString();
        }
    }
}
