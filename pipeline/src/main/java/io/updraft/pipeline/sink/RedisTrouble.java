package io.updraft.pipeline.sink;

import java.util.List;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;

/** Says what went wrong with Redis, and whether trying again may help. */
final class RedisTrouble {

    /** What Redis answers while it is full, a replica, busy, or starting. */
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

    private RedisTrouble() {}

    static String where(RedisSinkOptions options) {
        return "Redis at " + Secrets.hide(options.server().toString());
    }

    static SinkException of(String what, RedisSinkOptions options, JedisException cause) {
        String said = words(cause);
        String message = what + " " + where(options) + ": " + said;
        if (said.startsWith("MOVED") || said.startsWith("ASK ")) {
            return SinkException.lasting(message + "; it is part of a cluster, which this sink does not know", cause);
        }
        boolean passing = isConnection(cause) || PASSING.stream().anyMatch(said::startsWith);
        return passing ? SinkException.passing(message, cause) : SinkException.lasting(message, cause);
    }

    /** A wrong password is told as a trouble of the connection too. */
    private static boolean isConnection(JedisException cause) {
        String said = words(cause);
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
        return String.valueOf(root.getMessage()).strip().replaceAll("\\s*\\R\\s*", "; ");
    }
}
