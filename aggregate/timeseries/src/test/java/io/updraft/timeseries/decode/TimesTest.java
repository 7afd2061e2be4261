package io.updraft.timeseries.decode;

import static io.updraft.timeseries.record.FieldType.TIME;
import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.record.IsoTime;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimesTest {

    private static long parse(String text, ZoneId zone) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return IsoTime.parse(bytes, 0, bytes.length, zone);
    }

    @Test
    void shouldReadIsoTimesAsTheJdkDoes() {
        Random random = new Random(1);
        DateTimeFormatter format = DateTimeFormatter.ISO_OFFSET_DATE_TIME;
        for (int i = 0; i < 50_000; i++) {
            long second = -62_135_596_800L + (long) (random.nextDouble() * 300_000_000_000L);
            int nanos = random.nextBoolean() ? 0 : random.nextInt(1_000_000_000);
            ZoneOffset offset = ZoneOffset.ofHoursMinutes(random.nextInt(18), random.nextInt(60));
            OffsetDateTime time = Instant.ofEpochSecond(second, nanos).atOffset(offset);
            if (time.getYear() < 0 || time.getYear() > 9999) {
                continue;
            }
            String text = format.format(time);
            assertThat(parse(text, ZoneOffset.UTC))
                    .as(text)
                    .isEqualTo(time.toInstant().toEpochMilli());
        }
    }

    @Test
    void shouldReadShortFormsAndLocalTimes() {
        long midnight = Instant.parse("2013-07-01T00:00:00Z").toEpochMilli();
        ZoneId berlin = ZoneId.of("Europe/Berlin");

        assertThat(parse("2013-07-01", ZoneOffset.UTC)).isEqualTo(midnight);
        assertThat(parse("2013-07-01T00:00", ZoneOffset.UTC)).isEqualTo(midnight);
        assertThat(parse("2013-07-01 02:00:00.5", berlin)).isEqualTo(midnight + 500);
        assertThat(parse("2013-07-01", ZoneOffset.ofHours(2))).isEqualTo(midnight - 7_200_000);
        assertThat(parse("2013-07-01t02:00:00,25+0200", ZoneOffset.UTC)).isEqualTo(midnight + 250);
        assertThat(parse("2013-07-01T00:00:00+00", ZoneOffset.UTC)).isEqualTo(midnight);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2013",
                "2013-02-29",
                "2100-02-29",
                "2013-13-01",
                "2013-00-01",
                "2013-01-00",
                "2013-01-01T",
                "2013-01-01T24:00",
                "2013-01-01T10:60",
                "2013-01-01T10:00:60",
                "2013-01-01T10:00:0",
                "2013-01-01T10:00:00.",
                "2013-01-01T10:00:00X",
                "2013-01-01T10:00:00+1",
                "2013-01-01T10:00:00+19:00",
                "2013-01-01x10:00",
                "20130101",
                "2013-01-01T10:00:00+01:0"
            })
    void shouldRefuseWhatIsNoTime(String text) {
        assertThat(parse(text, ZoneOffset.UTC)).isEqualTo(IsoTime.NONE);
    }

    @Test
    void shouldReadEpochsAndPatterns() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("s", TIME).at(TimeFormat.epoch(TimeFormat.Kind.SECONDS)),
                DecodedColumn.of("ms", TIME).at(TimeFormat.epoch(TimeFormat.Kind.MILLIS)),
                DecodedColumn.of("us", TIME).at(TimeFormat.epoch(TimeFormat.Kind.MICROS)),
                DecodedColumn.of("ns", TIME).at(TimeFormat.epoch(TimeFormat.Kind.NANOS)),
                DecodedColumn.of("p", TIME).at(TimeFormat.pattern("dd/MMM/yyyy:HH:mm:ss Z", ZoneOffset.UTC)),
                DecodedColumn.of("d", TIME).at(TimeFormat.pattern("yyyyMMdd", ZoneId.of("Europe/Berlin"))),
                DecodedColumn.of("l", TIME).at(TimeFormat.pattern("yyyy-MM-dd HH", ZoneId.of("Europe/Berlin"))));
        long second = 1_372_636_800_000L;

        DecodedRows decoded = DecodedRows.lines(spec, """
                {"s":1372636800.25,"ms":"1372636800250","us":1372636800250999,"ns":1372636800250999999,\
                "p":"01/Jul/2013:02:00:00 +0200","d":20130701,"l":"2013-07-01 02"}
                {"s":-0.0005,"ms":-1,"us":-1,"ns":1.3726368e18}
                {"p":"today"}
                {"s":"x"}
                {"s":1e30}
                """);

        assertThat(decoded.rows)
                .containsExactly(
                        asList(
                                second + 250,
                                second + 250,
                                second + 250,
                                second + 250,
                                second,
                                second - 7_200_000,
                                second),
                        asList(-1L, -1L, -1L, second, null, null, null));
        assertThat(decoded.reasons)
                .containsExactly(
                        "column p: expected a time (dd/MMM/yyyy:HH:mm:ss Z), found \"today\"",
                        "column s: expected a time (seconds), found \"x\"",
                        "column s: expected a time (seconds), found \"1e30\"");
    }

    @Test
    void shouldRefuseAPatternThatIsNone() {
        assertThatThrownBy(() -> TimeFormat.pattern("yyyy-bb", ZoneOffset.UTC))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("time pattern yyyy-bb is invalid");
    }
}
