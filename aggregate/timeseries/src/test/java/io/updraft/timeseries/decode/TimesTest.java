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
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yyyy-MM-dd | 2013-02-30",
                "yyyy-MM-dd | 2013-02-29",
                "yyyy-MM-dd | 2013-04-31",
                "uuuu-MM-dd | 2013-06-31",
                "yy-M-d | 13-2-30",
                "yyyyMMdd | 20130230",
                "yyyy-DDD | 2013-366",
                "yyyy-MM-dd HH:mm | 2013-01-31 24:00",
                "yyyy-MM-dd HH:mm | 2013-01-31 23:60",
                "yyyy-MM-dd HH:mm:ss | 2013-01-31 23:59:60",
                "yyyy-MM-dd hh:mm a | 2013-01-31 13:00 PM",
                "EEE, d MMM yyyy | Fri, 31 Jan 2013",
                "EEE, d MMM yyyy | Thu, 31 Jän 2013",
                "G yyyy-MM-dd | AD 2013-02-30",
                "yyyy-MM-dd'T'HH:mm | 2013-01-31"
            })
    void shouldRefuseATimeThatDoesNotExist(String pattern, String text) {
        assertThat(decode(pattern, ZoneOffset.UTC, text).reasons)
                .containsExactly("column t: expected a time (" + pattern + "), found \"" + text + "\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "yyyy-MM-dd | 2012-02-29 | 2012-02-29T00:00:00Z",
                "yy-M-d | 13-1-5 | 2013-01-05T00:00:00Z",
                "G yyyy-MM-dd | AD 2013-01-31 | 2013-01-31T00:00:00Z",
                "yyyy-DDD | 2012-366 | 2012-12-31T00:00:00Z",
                "YYYY-'W'ww-e | 2013-W05-5 | 2013-01-31T00:00:00Z",
                "yyyy'y'MMdd | 2013y0131 | 2013-01-31T00:00:00Z",
                "EEE, d MMM yyyy HH:mm:ss Z | Thu, 31 Jan 2013 10:00:00 +0100 | 2013-01-31T09:00:00Z",
                "EEEE, d MMMM yyyy | Thursday, 31 January 2013 | 2013-01-31T00:00:00Z",
                "yyyy-MM-dd hh:mm a | 2013-01-31 12:30 AM | 2013-01-31T00:30:00Z",
                "yyyy-MM-dd kk:mm | 2013-01-31 24:30 | 2013-01-31T00:30:00Z",
                "yyyy-MM-dd HH | 2013-01-31 07 | 2013-01-31T07:00:00Z",
                "yyyy-MM-dd[ HH:mm] | 2013-01-31 | 2013-01-31T00:00:00Z",
                "yyyy-MM-dd[ HH:mm] | 2013-01-31 07:30 | 2013-01-31T07:30:00Z",
                "yyyy-MM-dd HH:mm:ss.SSSSSS | 2013-01-31 07:30:00.250999 | 2013-01-31T07:30:00.250Z",
                "yyyy-MM-ddXXX | 2013-01-31+02:00 | 2013-01-30T22:00:00Z"
            })
    void shouldReadAPatternStrictlyWithEnglishNames(String pattern, String text, String time) {
        DecodedRows decoded = decode(pattern, ZoneOffset.UTC, text);

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows).containsExactly(asList(Instant.parse(time).toEpochMilli()));
    }

    /** In Berlin 02:30 does not exist on 31 March 2013, and exists twice on 27 October 2013. */
    @Test
    void shouldMoveASkippedLocalTimeAheadAndTakeTheFirstOfARepeatedOne() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        long skipped = Instant.parse("2013-03-31T01:30:00Z").toEpochMilli();
        long first = Instant.parse("2013-10-27T00:30:00Z").toEpochMilli();

        assertThat(decode("yyyy-MM-dd HH:mm", berlin, "2013-03-31 02:30").rows).containsExactly(asList(skipped));
        assertThat(decode("yyyy-MM-dd HH:mm", berlin, "2013-10-27 02:30").rows).containsExactly(asList(first));
        assertThat(parse("2013-03-31 02:30", berlin)).isEqualTo(skipped);
        assertThat(parse("2013-10-27 02:30", berlin)).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"HH:mm", "yyyy", "yyyy-MM", "dd HH:mm", "yyyy-MM-dd mm", "yyyy-MM-dd hh:mm", "MM-dd", "'now'", ""
            })
    void shouldRefuseAPatternThatDoesNotMakeATime(String pattern) {
        assertThatThrownBy(() -> TimeFormat.pattern(pattern, ZoneOffset.UTC))
                .hasMessage("time pattern " + pattern + " does not make a time: it needs year, month and day, and if it"
                        + " has minutes, the hour of the day (HH, or hh with a)");
    }

    @Test
    void shouldReadEpochsWithAnyNumberOfDigits() {
        DecodeSpec spec = DecodeSpec.csv(
                new CsvFormat(List.of("s", "ms", "us", "ns"), ',', '"', ""),
                DecodedColumn.of("s", TIME).at(TimeFormat.epoch(TimeFormat.Kind.SECONDS)),
                DecodedColumn.of("ms", TIME).at(TimeFormat.epoch(TimeFormat.Kind.MILLIS)),
                DecodedColumn.of("us", TIME).at(TimeFormat.epoch(TimeFormat.Kind.MICROS)),
                DecodedColumn.of("ns", TIME).at(TimeFormat.epoch(TimeFormat.Kind.NANOS)));

        DecodedRows decoded = DecodedRows.lines(spec, """
                950000000.95456123352050781250,950000000954.56123352050781250,950000000954561.23352050781250,\
                950000000954561233.52050781250
                9.5e8,9.5E+11,+9.5e14,9.5e17
                000950000000.0000000000000000000000000000,1e-30,-1e-30,-0
                -950000000.95456123352050781250,9223372036854775807.9999,0.00000000000000000000000001,-0.5e0
                """);

        assertThat(decoded.reasons).isEmpty();
        long second = 950_000_000_000L;
        assertThat(decoded.rows)
                .containsExactly(
                        asList(second + 954, second + 954, second + 954, second + 954),
                        asList(second, second, second, second),
                        asList(second, 0L, -1L, 0L),
                        asList(-second - 955, Long.MAX_VALUE, 0L, -1L));
    }

    private static DecodedRows decode(String pattern, ZoneId zone, String text) {
        DecodedColumn column = DecodedColumn.of("t", TIME).at(TimeFormat.pattern(pattern, zone));
        return DecodedRows.records(DecodeSpec.csv(new CsvFormat(List.of("t"), '|', '"', ""), column), text);
    }
}
