package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.FIVE;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static io.updraft.pipeline.connector.FlightResults.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.pipeline.connector.RefusedRow;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.servers.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.HostAndPort;

/** What Redis refuses of a result, when its other groups can be written. */
class RedisRefusalsTest {

    private static final int MOST_BYTES = 1 << 20;

    @AutoClose
    private static RedisServer redis;

    @BeforeAll
    static void startRedis() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.missing());
        redis = RedisServer.start("--proto-max-bulk-len", Integer.toString(MOST_BYTES));
    }

    @BeforeEach
    void empty() {
        ask("FLUSHALL");
    }

    @Test
    void shouldRefuseAGroupWhoseKeyHasAValueOfAnotherType() throws Exception {
        ask("SET", key("AA"), "a text");
        try (ResultSink sink = opened()) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.write(hour(0, count("DL", 1, 2), count("AA", 1, 3), count("WN", 1, 4)), null);
            assertThat(refused(sink)).singleElement().satisfies(row -> {
                assertThat(row.result()).isEqualTo(1);
                assertThat(row.row()).isEqualTo(1);
                assertThat(row.reason()).startsWith("WRONGTYPE").endsWith("(key " + key("AA") + ")");
            });
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.write(hour(0, count("DL", 1, 2), count("WN", 1, 4)), null);
            assertThat(sink.flush(List.of())).isFalse();
        }
        assertThat((List<?>) ask("KEYS", "*")).hasSize(4);
        assertThat((byte[]) ask("HGET", key("WN"), "n")).asString().isEqualTo("4");
    }

    @Test
    void shouldRefuseWhatTheServerWouldCloseTheConnectionFor() throws Exception {
        String fits = "é".repeat(MOST_BYTES / 2);
        try (ResultSink sink = opened()) {
            sink.write(hour(0, tail("UA", fits), tail("AA", fits + "x"), count("k".repeat(MOST_BYTES), 1, 1)), null);
            assertThat(refused(sink))
                    .extracting(RefusedRow::row, RefusedRow::reason)
                    .containsExactly(
                            tuple(
                                    1L,
                                    "last_tail: the value has 1048577 bytes, and the server takes 1048576"
                                            + " (proto-max-bulk-len, client-query-buffer-limit)"),
                            tuple(
                                    2L,
                                    "the key has 1048594 bytes, and the server takes 1048576"
                                            + " (proto-max-bulk-len, client-query-buffer-limit)"));
        }
        assertThat((Long) ask("HSTRLEN", key("UA"), "last_tail")).isEqualTo(MOST_BYTES);
    }

    @Test
    void shouldWriteToAServerThatDoesNotTellItsLimits() throws Exception {
        ask("ACL", "SETUSER", "writer", "on", ">pw", "~*", "+@all", "-config");
        try (ResultSink sink = opened("writer:pw@")) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            assertThat(sink.flush(List.of())).isFalse();
        }
        assertThat((byte[]) ask("HGET", key("UA"), "n")).asString().isEqualTo("1");
    }

    private static String key(String carrier) {
        return "f:" + FIVE + ":" + carrier + ":1";
    }

    private static Object[] tail(String carrier, String text) {
        return row(carrier, 1L, 1L, null, null, null, text);
    }

    private static List<RefusedRow> refused(ResultSink sink) {
        return catchThrowableOfType(SinkException.class, () -> sink.flush(List.of()))
                .refusedRows();
    }

    private static ResultSink opened() throws SinkException {
        return opened("");
    }

    private static ResultSink opened(String user) throws SinkException {
        ResultSink sink = new RedisSink(new RedisSinkOptions(
                URI.create("redis://" + user + "127.0.0.1:" + redis.port()),
                RedisSinkOptions.Layout.HASH,
                "f:{window_start}:{carrier}:{flight}",
                null,
                Duration.ofSeconds(10)));
        sink.open(COLUMNS, DIMENSIONS);
        return sink;
    }

    private static Object ask(String command, String... arguments) {
        try (Connection connection = new Connection(new HostAndPort("127.0.0.1", redis.port()))) {
            connection.sendCommand(command::getBytes, arguments);
            return connection.getOne();
        }
    }
}
