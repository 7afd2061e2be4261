package io.updraft.pipeline.sink;

import java.net.URI;
import java.time.Duration;
import java.util.Objects;

/**
 * Results in Redis.
 *
 * @param server {@code redis://[[user]:password@]host[:port][/database]}; {@code rediss:} for TLS, trusting what the JVM trusts
 * @param layout how results become keys
 * @param key of a group, a template: {@code {window_start}}, {@code {window_end}} (milliseconds since 1970), {@code {unit}}, the
 *     dimensions' names, and for a layout with a key per measure {@code {measure}}
 * @param expiry after how long keys go, counted from when they were last written; null for never
 * @param timeout for connecting, and for an answer
 */
public record RedisSinkOptions(URI server, RedisLayout layout, String key, Duration expiry, Duration timeout)
        implements SinkOptions {

    /**
     * Redis.
     *
     * @throws IllegalArgumentException when the address is none of Redis, or a duration is not positive
     */
    public RedisSinkOptions {
        Objects.requireNonNull(layout, "layout");
        Objects.requireNonNull(key, "key");
        if (!"redis".equals(server.getScheme()) && !"rediss".equals(server.getScheme()) || server.getHost() == null) {
            throw new IllegalArgumentException(
                    "server " + Secrets.hide(server.toString())
                            + ": an address of Redis looks like redis://[[user]:password@]host[:port][/database], or rediss:// for TLS");
        }
        if (expiry != null && expiry.toMillis() < 1 || timeout.toMillis() < 1) {
            throw new IllegalArgumentException("expiry and timeout are at least a millisecond");
        }
    }

    /** Hashes that stay, with ten seconds for an answer. */
    public static RedisSinkOptions hashes(URI server, String key) {
        return new RedisSinkOptions(server, RedisLayout.HASH, key, null, Duration.ofSeconds(10));
    }

    @Override
    public Sink sink() {
        return new RedisSink(this);
    }

    /** Without the password. */
    @Override
    public String toString() {
        return "RedisSinkOptions[server=" + Secrets.hide(server.toString()) + ", layout=" + layout + ", key=" + key
                + ", expiry=" + expiry + ", timeout=" + timeout + "]";
    }
}
