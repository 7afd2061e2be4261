package io.updraft.pipeline.sink.redis;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/** A connection to Redis that sends commands without waiting for each answer. All methods throw JedisException. */
final class RedisPipeline {

    private static final int DEFAULT_PORT = 6379;
    /** This many answers fit into the socket buffers; with more, both sides might wait for the other to read. */
    private static final int MAX_UNANSWERED = 1000;

    private final Connection connection;
    private int unanswered;

    RedisPipeline(RedisSinkOptions options) {
        URI server = options.server();
        int port = server.getPort() < 0 ? DEFAULT_PORT : server.getPort();
        connection = new Connection(new HostAndPort(server.getHost(), port), config(options));
    }

    private static DefaultJedisClientConfig config(RedisSinkOptions options) {
        URI server = options.server();
        DefaultJedisClientConfig.Builder config = DefaultJedisClientConfig.builder()
                .timeoutMillis((int) options.timeout().toMillis())
                .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
                .resp2();
        if (server.getRawUserInfo() != null) {
            String[] parts = server.getRawUserInfo().split(":", 2);
            config.user(parts[0].isEmpty() ? null : decode(parts[0]));
            config.password(parts.length == 1 ? null : decode(parts[1]));
        }
        String path = server.getPath();
        if (path != null && path.length() > 1) {
            config.database(database(path.substring(1)));
        }
        if ("rediss".equals(server.getScheme())) {
            // Uses the trust store of the JVM, and requires that the certificate names the host.
            config.sslOptions(
                    SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL).build());
        }
        return config.build();
    }

    private static int database(String number) {
        try {
            return Integer.parseInt(number);
        } catch (NumberFormatException e) {
            throw new JedisDataException("ERR the database must be a number, and " + number + " is not one");
        }
    }

    /** Decodes a part of the URL. A plus stands for itself, unlike in web forms. */
    private static String decode(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    void ping() {
        connection.connect();
        connection.sendCommand(command("PING"));
        connection.getOne();
    }

    /** Returns whether the server knows a command; true if it does not answer the question. */
    boolean hasCommand(String name) {
        connection.sendCommand(command("COMMAND"), "INFO", name);
        try {
            return !(connection.getOne() instanceof List<?> known) || known.get(0) != null;
        } catch (JedisConnectionException e) {
            throw e;
        } catch (JedisDataException notAllowed) {
            return true;
        }
    }

    void send(String command, List<String> arguments) {
        connection.sendCommand(command(command), arguments.toArray(String[]::new));
        if (++unanswered >= MAX_UNANSWERED) {
            drain();
        }
    }

    /** Reads all answers; throws the first error among them. */
    void drain() {
        List<Object> answers = connection.getMany(unanswered);
        unanswered = 0;
        for (Object answer : answers) {
            if (answer instanceof JedisException e && !isNoSeries(e)) {
                throw e;
            }
        }
    }

    /** Returns whether a series did not exist: deleting a sample from it is not an error. */
    private static boolean isNoSeries(JedisException answer) {
        return answer.getMessage() != null && answer.getMessage().contains("TSDB: the key does not exist");
    }

    private static ProtocolCommand command(String name) {
        byte[] raw = name.getBytes(StandardCharsets.US_ASCII);
        return () -> raw;
    }

    void close() {
        try {
            connection.close();
        } catch (JedisException e) {
            // The connection was broken already.
        }
    }
}
