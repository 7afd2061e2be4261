package io.updraft.pipeline.sink;

import static io.updraft.pipeline.connector.FlightResults.COLUMNS;
import static io.updraft.pipeline.connector.FlightResults.DIMENSIONS;
import static io.updraft.pipeline.connector.FlightResults.FIVE;
import static io.updraft.pipeline.connector.FlightResults.HOUR;
import static io.updraft.pipeline.connector.FlightResults.count;
import static io.updraft.pipeline.connector.FlightResults.hour;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.pipeline.connector.FlightResults;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.servers.RedisServer;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;

@Tag("one-jdk")
class RedisSinkTest {

    private static final String PASSWORD = "p:ss/w@rd";
    private static final String HASH_KEY = "f:{window_start}:{carrier}:{flight}";
    private static final String MEASURE_KEY = "f:{carrier}:{flight}:{measure}";
    private static final Schema NUMBERS = new Schema(List.of(
            new Schema.Field("carrier", FieldType.TEXT),
            new Schema.Field("flight", FieldType.LONG),
            new Schema.Field("n", FieldType.LONG)));

    @AutoClose
    private static RedisServer redis;

    @BeforeAll
    static void startRedis() {
        assumeTrue(RedisServer.isInstalled(), RedisServer.missing());
        redis = RedisServer.start("--requirepass", PASSWORD);
    }

    @BeforeEach
    void empty() {
        ask("FLUSHALL");
    }

    @Test
    void shouldWriteAHashForEachGroupAndWindow() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, HASH_KEY, null)) {
            sink.write(hour(0, FlightResults.awkward()), null);
            assertThat(sink.flush(List.of())).isFalse();
        }
        assertThat(list("HGETALL", "f:" + FIVE + ":UA:1"))
                .containsExactlyInAnyOrder(
                        "n",
                        "7",
                        "mean",
                        "1.25",
                        "cancelled",
                        "1",
                        "last_seen",
                        "2013-01-01T05:00:00.123Z",
                        "last_tail",
                        "N14228");
        assertThat(list("HGETALL", "f:" + FIVE + ":Zürich 東京 \ud83d\ude80 e\u0301:3"))
                .containsExactlyInAnyOrder("n", "9223372036854775807", "mean", "Infinity", "last_tail", "\\N");
        assertThat(list("HGETALL", "f:" + FIVE + ":%null:%null")).containsExactlyInAnyOrder("n", "1");
        assertThat(list("HGETALL", "f:" + FIVE + "::%null")).hasSize(10);
        assertThat(list("KEYS", "*")).hasSize(7);
    }

    @Test
    void shouldGiveDifferentGroupsDifferentKeysWhateverIsInThem() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, "{window_start}:{carrier}:{flight}", null)) {
            sink.write(
                    hour(0, count("a:b", 1, 1), count("a%3Ab", 1, 2), count("%null", 1, 3), count(null, 1, 4)), null);
            sink.flush(List.of());
        }
        assertThat(list("KEYS", "*"))
                .containsExactlyInAnyOrder(
                        FIVE + ":a%3Ab:1", FIVE + ":a%253Ab:1", FIVE + ":%25null:1", FIVE + ":%null:1");
    }

    @Test
    void shouldReplaceAGroupThatIsWrittenAgainAndTakeItsMissingFieldsAway() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, HASH_KEY, Duration.ofMinutes(10))) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.write(hour(0, FlightResults.row("UA", 1, 2, null, null, null, null)), null);
            sink.flush(List.of());
        }
        assertThat(list("HGETALL", "f:" + FIVE + ":UA:1")).containsExactly("n", "2");
        assertThat((Long) ask("PTTL", "f:" + FIVE + ":UA:1")).isBetween(1L, 600_000L);
    }

    @Test
    void shouldWriteASortedSetForEachGroupAndMeasure() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.SORTED_SET, MEASURE_KEY, null)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.write(hour(1, count("UA", 1, 5)), null);
            sink.write(hour(0, count("UA", 1, 2)), null);
            sink.flush(List.of());
        }
        assertThat(list("ZRANGE", "f:UA:1:n", "0", "-1", "WITHSCORES"))
                .containsExactly(FIVE + ":2", "" + FIVE, (FIVE + HOUR) + ":5", "" + (FIVE + HOUR));
    }

    @Test
    void shouldSayAtTheStartThatTheModuleForTimeSeriesIsMissing() {
        assertThatThrownBy(() -> options(RedisSinkOptions.Layout.TIME_SERIES, MEASURE_KEY, null)
                        .sink()
                        .open(NUMBERS, DIMENSIONS))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("has no time series")
                .hasMessageContaining("sorted_set");
    }

    /** Lists take the place of time series, under their commands' names: they keep what would reach the module. */
    @Test
    void shouldSendSamplesWithLabelsToTimeSeries() throws Exception {
        try (RedisServer lists = RedisServer.start("--rename-command", "RPUSH", "TS.ADD");
                ResultSink sink = new RedisSink(new RedisSinkOptions(
                        URI.create("redis://127.0.0.1:" + lists.port()),
                        RedisSinkOptions.Layout.TIME_SERIES,
                        MEASURE_KEY,
                        null,
                        Duration.ofSeconds(30)))) {
            sink.open(NUMBERS, DIMENSIONS);
            sink.write(hour(0, FlightResults.row("UA", 1, 7), FlightResults.row("", 2, 8)), null);
            sink.flush(List.of());
            try (Connection connection = new Connection("127.0.0.1", lists.port())) {
                connection.sendCommand(command("LRANGE"), "f:UA:1:n", "0", "-1");
                assertThat(connection.getMultiBulkReply())
                        .containsExactly(
                                "" + FIVE,
                                "7",
                                "ON_DUPLICATE",
                                "LAST",
                                "LABELS",
                                "carrier",
                                "UA",
                                "flight",
                                "1",
                                "measure",
                                "n");
                connection.sendCommand(command("LRANGE"), "f::2:n", "0", "-1");
                assertThat(connection.getMultiBulkReply())
                        .containsExactly(
                                "" + FIVE, "8", "ON_DUPLICATE", "LAST", "LABELS", "flight", "2", "measure", "n");
            }
        }
    }

    @Test
    void shouldRefuseTextInTimeSeriesAndKeysThatMixGroups() {
        assertThatThrownBy(() -> opened(RedisSinkOptions.Layout.TIME_SERIES, MEASURE_KEY, null))
                .hasMessageContaining("measure last_tail is text");
        assertThatThrownBy(() -> opened(RedisSinkOptions.Layout.HASH, "{carrier}{unit}:{nobody}", null))
                .isInstanceOf(SinkException.class)
                .hasMessageContaining("{window_start} is missing")
                .hasMessageContaining("{flight} is missing")
                .hasMessageContaining("{nobody} is unknown")
                .hasMessageContaining("a separator is needed between {unit} and the part before it");
    }

    @Test
    void shouldSayThatThePasswordIsWrongWithoutSayingIt() {
        RedisSinkOptions wrong = new RedisSinkOptions(
                URI.create("redis://:not-this@127.0.0.1:" + redis.port()),
                RedisSinkOptions.Layout.HASH,
                HASH_KEY,
                null,
                Duration.ofSeconds(30));
        assertThatThrownBy(() -> wrong.sink().open(COLUMNS, DIMENSIONS))
                .isInstanceOfSatisfying(
                        SinkException.class, e -> assertThat(e.isTransient()).isFalse())
                .hasMessageContaining("WRONGPASS")
                .hasMessageNotContaining("not-this");
        assertThat(wrong.toString()).doesNotContain("not-this");
    }

    @Test
    void shouldWaitForRoomAndForAPrimary() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, HASH_KEY, null)) {
            ask("CONFIG", "SET", "maxmemory", "1");
            assertThatThrownBy(() -> sink.write(hour(0, count("UA", 1, 1)), null))
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("OOM");
            ask("CONFIG", "SET", "maxmemory", "0");
            ask("REPLICAOF", "127.0.0.1", "1");
            assertThatThrownBy(() -> sink.write(hour(0, count("UA", 1, 1)), null))
                    .isInstanceOfSatisfying(
                            SinkException.class,
                            e -> assertThat(e.isTransient()).isTrue())
                    .hasMessageContaining("READONLY");
            ask("REPLICAOF", "NO", "ONE");
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
        } finally {
            ask("CONFIG", "SET", "maxmemory", "0");
            ask("REPLICAOF", "NO", "ONE");
        }
        assertThat(list("HGET", "f:" + FIVE + ":UA:1", "n")).containsExactly("1");
    }

    @Test
    void shouldLoseNothingWhenTheServerIsKilledBetweenWritesAndFlush() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, HASH_KEY, null)) {
            sink.write(hour(0, count("UA", 1, 1)), null);
            sink.flush(List.of());
            sink.write(hour(1, count("UA", 1, 2)), null);
            redis.kill();
            SinkException away = catchThrowableOfType(SinkException.class, () -> sink.flush(List.of()));
            assertThat(away.isTransient()).isTrue();
            SinkException still =
                    catchThrowableOfType(SinkException.class, () -> sink.write(hour(1, count("UA", 1, 2)), null));
            assertThat(still.isTransient()).isTrue();
            redis.startAgain();
            sink.write(hour(1, count("UA", 1, 2)), null);
            sink.write(hour(2, count("UA", 1, 3)), null);
            sink.flush(List.of());
        }
        for (int i = 0; i < 3; i++) {
            assertThat(list("HGET", "f:" + (FIVE + i * HOUR) + ":UA:1", "n")).containsExactly("" + (i + 1));
        }
    }

    @Test
    void shouldWriteManyGroupsOfOneWindow() throws Exception {
        try (ResultSink sink = opened(RedisSinkOptions.Layout.HASH, HASH_KEY, Duration.ofHours(1))) {
            sink.write(FlightResults.many(0, 50_000, i -> count("carrier " + i % 10, i, i)), null);
            sink.flush(List.of());
        }
        assertThat(ask("DBSIZE")).isEqualTo(50_000L);
        assertThat(list("HGET", "f:" + FIVE + ":carrier 9:49999", "n")).containsExactly("49999");
    }

    private static RedisSinkOptions options(RedisSinkOptions.Layout layout, String key, Duration expiry) {
        URI server = URI.create("redis://default:p%3Ass%2Fw%40rd@127.0.0.1:" + redis.port() + "/3");
        return new RedisSinkOptions(server, layout, key, expiry, Duration.ofSeconds(30));
    }

    private static ResultSink opened(RedisSinkOptions.Layout layout, String key, Duration expiry) throws SinkException {
        ResultSink sink = options(layout, key, expiry).sink();
        sink.open(COLUMNS, DIMENSIONS);
        return sink;
    }

    private static List<String> list(String command, String... arguments) {
        Object answer = ask(command, arguments);
        List<?> parts = answer instanceof List<?> several ? several : List.of(answer);
        return parts.stream()
                .map(part -> new String((byte[]) part, java.nio.charset.StandardCharsets.UTF_8))
                .toList();
    }

    private static Object ask(String command, String... arguments) {
        DefaultJedisClientConfig config = DefaultJedisClientConfig.builder()
                .password(PASSWORD)
                .database(3)
                .timeoutMillis(30_000)
                .resp2()
                .build();
        try (Connection connection = new Connection(new HostAndPort("127.0.0.1", redis.port()), config)) {
            connection.sendCommand(command(command), arguments);
            return connection.getOne();
        }
    }

    private static redis.clients.jedis.commands.ProtocolCommand command(String name) {
        return () -> name.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }
}
