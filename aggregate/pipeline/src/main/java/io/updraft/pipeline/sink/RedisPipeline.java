package io.updraft.pipeline.sink;

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

    /** The largest argument by default. */
    private static final long MOST_BYTES = 512 << 20;
    /** The settings that limit arguments: the server closes the connection of a client that sends more. */
    private static final List<String> LIMITS = List.of("proto-max-bulk-len", "client-query-buffer-limit");

    private static final int MAX_BYTES_OF_A_CHARACTER = 3;
    /** The most characters of a key in a message. */
    private static final int MAX_NAME = 200;

    private final Connection connection;
    private final RedisRefusals refusals;
    /** The first argument of each command without an answer, which is its key. */
    private final String[] unansweredKeys = new String[MAX_UNANSWERED];
    /** The row of each command without an answer. */
    private final long[] unansweredRows = new long[MAX_UNANSWERED];

    private int unanswered;
    private long mostBytes = MOST_BYTES;

    RedisPipeline(RedisSinkOptions options, RedisRefusals refusals) {
        this.refusals = refusals;
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

    /** Connects, and reads how large an argument may be. A server that does not tell is taken to have the default. */
    void open() {
        ping();
        mostBytes = LIMITS.stream().mapToLong(this::limit).reduce(MOST_BYTES, Math::min);
    }

    private long limit(String name) {
        connection.sendCommand(command("CONFIG"), "GET", name);
        try {
            return connection.getOne() instanceof List<?> answer && answer.size() == 2
                    ? Long.parseLong(new String((byte[]) answer.get(1), StandardCharsets.US_ASCII))
                    : MOST_BYTES;
        } catch (JedisConnectionException e) {
            throw e;
        } catch (JedisDataException notAllowed) {
            return MOST_BYTES;
        }
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

    /** Sends a command for the current row, or refuses the row if the server would close the connection. */
    void send(String command, List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            long bytes = bytes(arguments.get(i));
            if (bytes > mostBytes) {
                refusals.add(refusals.row(), tooLarge(arguments, i, bytes));
                return;
            }
        }
        connection.sendCommand(command(command), arguments.toArray(String[]::new));
        unansweredKeys[unanswered] = arguments.get(0);
        unansweredRows[unanswered] = refusals.row();
        if (++unanswered >= MAX_UNANSWERED) {
            drain();
        }
    }

    /** Returns the length of a text in bytes; of a text that is certainly short enough, the length in characters. */
    private long bytes(String text) {
        return text.length() <= mostBytes / MAX_BYTES_OF_A_CHARACTER
                ? text.length()
                : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private String tooLarge(List<String> arguments, int index, long bytes) {
        String place = index == 0 ? "the key has " : shortened(arguments.get(index - 1)) + ": the value has ";
        return place + bytes + " bytes, and the server takes " + mostBytes + " (" + String.join(", ", LIMITS) + ")";
    }

    /** Reads all answers, and notes refused rows; throws the first other error among the answers. */
    void drain() {
        List<Object> answers = connection.getMany(unanswered);
        unanswered = 0;
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) instanceof JedisException e && !isNoSeries(e)) {
                String error = String.valueOf(e.getMessage());
                if (!RedisRefusals.isRefusal(error)) {
                    throw e;
                }
                refusals.add(unansweredRows[i], error + " (key " + shortened(unansweredKeys[i]) + ")");
            }
        }
    }

    private static String shortened(String text) {
        return text.length() <= MAX_NAME ? text : text.substring(0, MAX_NAME) + "...";
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
