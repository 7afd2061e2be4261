package io.updraft.pipeline.sink.redis;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.SinkException;
import java.util.List;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Makes exceptions for failures of Redis, and decides whether trying again may help. */
final class RedisFailure {

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

    private RedisFailure() {}

    static String where(RedisSinkOptions options) {
        return "Redis at " + PasswordMask.hide(options.server().toString());
    }

    static SinkException of(String what, RedisSinkOptions options, JedisException cause) {
        String said = words(cause);
        String message = what + " " + where(options) + ": " + said;
        if (said.startsWith("MOVED") || said.startsWith("ASK ")) {
            return SinkException.lasting(
                    message + "; the server is part of a Redis cluster, which this sink does not support", cause);
        }
        boolean passing = isConnection(cause, said) || PASSING.stream().anyMatch(said::startsWith);
        return passing ? SinkException.passing(message, cause) : SinkException.lasting(message, cause);
    }

    /** Returns whether the connection failed. Jedis reports a wrong password as a connection failure too, but that is lasting. */
    private static boolean isConnection(JedisException cause, String said) {
        return cause instanceof JedisConnectionException
                && !said.startsWith("WRONGPASS")
                && !said.startsWith("NOAUTH")
                && !said.startsWith("NOPERM");
    }

    private static String words(JedisException cause) {
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return SinkException.oneLine(root);
    }
}
