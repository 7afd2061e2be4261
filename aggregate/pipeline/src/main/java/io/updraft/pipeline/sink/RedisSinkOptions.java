package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import java.net.URI;
import java.time.Duration;

/**
 * Results in Redis.
 *
 * @param server {@code redis://[[user]:password@]host[:port][/database]}; {@code rediss:} for TLS, with the trust store of the
 *     JVM
 * @param layout how results become keys
 * @param key the key of a group, a template with {@code {window_start}}, {@code {window_end}} (milliseconds since 1970), {@code
 *     {unit}}, the names of the dimensions, and {@code {measure}} for a layout with a key per measure
 * @param expiry how long a key lasts after its last write; null for no limit
 * @param timeout the limit for connecting and for an answer
 */
public record RedisSinkOptions(URI server, Layout layout, String key, Duration expiry, Duration timeout)
        implements SinkOptions {

    /**
     * Checks the values. Throws an {@link IllegalArgumentException} when the URL is not one of Redis, or a duration is not
     * positive.
     */
    public RedisSinkOptions {
        if (!"redis".equals(server.getScheme()) && !"rediss".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException("server " + PasswordMask.hide(server.toString())
                    + ": a URL of Redis has the form redis://[[user]:password@]host[:port][/database], or rediss://"
                    + " for TLS");
        }
        if (expiry != null && expiry.toMillis() < 1 || timeout.toMillis() < 1) {
            throw new IllegalArgumentException("'expiry' and 'timeout' must be at least 1ms");
        }
    }

    @Override
    public String ambiguity(boolean grouped) {
        if (grouped || layout == Layout.HASH && key.contains("{window_end}")) {
            return null;
        }
        return "key " + key + " needs " + (layout == Layout.HASH ? "{window_end}, or " : "")
                + "the field of the zone, by which rows must be grouped";
    }

    @Override
    public ResultSink sink() {
        return new RedisSink(this);
    }

    /** Returns a text without the password. */
    @Override
    public String toString() {
        return "RedisSinkOptions[server=" + PasswordMask.hide(server.toString()) + ", layout=" + layout + ", key=" + key
                + ", expiry=" + expiry + ", timeout=" + timeout + "]";
    }

    enum Layout {
        /** A hash for each group and window, with a field for each measure that has a value. */
        HASH,
        /**
         * A time series for each group and measure ({@code TS.ADD}, with the dimensions as labels). It has a sample for each
         * window, at the start of the window. Needs Redis 8, Redis Stack or the module RedisTimeSeries.
         */
        TIME_SERIES,
        /**
         * A sorted set for each group and measure, on any Redis. It has a member {@code <window start>:<value>} for each window,
         * with the start of the window as its score.
         */
        SORTED_SET
    }
}
