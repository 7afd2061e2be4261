package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.CalendarUnit;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.query.WindowCalendar;
import io.updraft.timeseries.query.WindowResult.Emission;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarWindowsTest {

    private static final Schema INPUT =
            new Schema(List.of(new Schema.Field("tz", FieldType.TEXT), new Schema.Field("n", FieldType.LONG)));
    private static final ZoneId VIENNA = ZoneId.of("Europe/Vienna");
    private static final AggregatorOptions ANY = new AggregatorOptions(Long.MAX_VALUE, Long.MAX_VALUE, null);
    private static final long HOUR = Duration.ofHours(1).toMillis();

    private final RecordRow row = new RecordRow(INPUT);

    private static Query query(WindowCalendar calendar, Duration lateness, String... dimensions) {
        return new Query(
                INPUT,
                List.of(dimensions),
                List.of(
                        new Measure("sum", AggregateFunction.SUM, "n", 0),
                        new Measure("rows", AggregateFunction.COUNT, null, 0)),
                WindowSpec.of(calendar, lateness));
    }

    private static WindowCalendar byField(CalendarUnit unit, CalendarUnit slide) {
        return new WindowCalendar(unit, slide, null, "tz");
    }

    private static long at(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    private long add(Aggregator aggregator, String zone, String time) {
        return add(aggregator, zone, at(time));
    }

    private long add(Aggregator aggregator, String zone, long time) {
        row.clear();
        if (zone != null) {
            byte[] utf8 = ("xx" + zone + "yy").getBytes(StandardCharsets.UTF_8);
            row.setText(0, utf8, 2, utf8.length - 4);
        }
        row.setLong(1, 1);
        return aggregator.add(row, time);
    }

    /** Returns a line for each group: the window, what was emitted, the dimensions and the measures. */
    private static List<String> lines(List<PartialResult> results) {
        List<String> lines = new ArrayList<>();
        for (PartialResult result : results) {
            String window = Instant.ofEpochMilli(result.window().start()) + " "
                    + Instant.ofEpochMilli(result.window().end()) + " " + result.emission();
            List<String> groups = new ArrayList<>();
            AggregatorModel.read(result).forEach((key, values) -> groups.add(window + " " + key + values));
            groups.sort(null);
            lines.addAll(groups);
        }
        return lines;
    }

    @Test
    void shouldAddTheHoursOfDaysOnWhichClocksChange() {
        for (String day : List.of("2024-03-31", "2024-10-27")) {
            Aggregator aggregator =
                    Aggregators.create(query(WindowCalendar.of(CalendarUnit.DAY, VIENNA), Duration.ZERO), ANY);
            long from = LocalDate.parse(day)
                    .minusDays(1)
                    .atStartOfDay(VIENNA)
                    .toInstant()
                    .toEpochMilli();
            long to = LocalDate.parse(day)
                    .plusDays(2)
                    .atStartOfDay(VIENNA)
                    .toInstant()
                    .toEpochMilli();
            for (long time = from; time < to; time += HOUR) {
                add(aggregator, null, time);
            }
            List<Object> hours = new ArrayList<>();
            for (PartialResult result : aggregator.closeWindows(to)) {
                hours.add(AggregatorModel.read(result).get(List.of()).get(0));
            }
            assertThat(hours).containsExactly(24L, day.contains("03") ? 23L : 25L, 24L);
            aggregator.close();
        }
    }

    @Test
    void shouldTellWindowsOfZonesApartThatBeginTogether() {
        Aggregator aggregator =
                Aggregators.create(query(byField(CalendarUnit.DAY, CalendarUnit.DAY), Duration.ofHours(3)), ANY);
        // On this day clocks change in Vienna, and not in Lagos: both are an hour ahead of UTC at first.
        assertThat(add(aggregator, "Europe/Vienna", "2024-03-31T10:00:00Z")).isEqualTo(at("2024-03-31T22:00:00Z"));
        assertThat(add(aggregator, "Africa/Lagos", "2024-03-31T10:00:00Z")).isEqualTo(at("2024-03-31T23:00:00Z"));
        add(aggregator, "Africa/Lagos", "2024-03-31T22:30:00Z");
        add(aggregator, "Europe/Vienna", "2024-03-31T22:30:00Z");
        // Both zones have the same days here, and the same windows.
        add(aggregator, "Europe/Berlin", "2024-03-31T11:00:00Z");

        assertThat(lines(aggregator.early())).hasSize(3).allMatch(line -> line.contains("EARLY"));
        assertThat(lines(aggregator.closeWindows(at("2024-03-31T22:00:00Z"))))
                .containsExactly("2024-03-30T23:00:00Z 2024-03-31T22:00:00Z FINAL [][2, 2]");
        assertThat(lines(aggregator.closeWindows(at("2024-03-31T23:00:00Z"))))
                .containsExactly("2024-03-30T23:00:00Z 2024-03-31T23:00:00Z FINAL [][2, 2]");
        // Within the lateness of Vienna's window.
        add(aggregator, "Europe/Vienna", "2024-03-31T12:00:00Z");
        assertThat(lines(aggregator.closeWindows(at("2024-04-01T00:00:00Z"))))
                .containsExactly("2024-03-30T23:00:00Z 2024-03-31T22:00:00Z UPDATE [][3, 3]");
        // Past the lateness of one window, but not of the other one.
        aggregator.closeWindows(at("2024-04-01T01:00:00Z"));
        assertThat(add(aggregator, "Europe/Vienna", "2024-03-31T12:00:00Z")).isEqualTo(Aggregator.LATE);
        assertThat(add(aggregator, "Africa/Lagos", "2024-03-31T12:00:00Z")).isEqualTo(at("2024-03-31T23:00:00Z"));
        assertThat(lines(aggregator.closeWindows(Long.MAX_VALUE)))
                .containsExactly(
                        "2024-03-30T23:00:00Z 2024-03-31T23:00:00Z UPDATE [][3, 3]",
                        "2024-03-31T22:00:00Z 2024-04-01T22:00:00Z FINAL [][1, 1]");
        assertThat(aggregator.windows()).isZero();
        assertThat(aggregator.groups()).isZero();
        aggregator.close();
    }

    @Test
    void shouldSayWhyARowHasNoZone() {
        Aggregator aggregator =
                Aggregators.create(query(byField(CalendarUnit.DAY, CalendarUnit.DAY), Duration.ZERO), ANY);
        for (int i = 0; i < 2; i++) {
            assertThat(add(aggregator, null, 0)).isEqualTo(Aggregator.LATE);
            assertThat(aggregator.zoneMistake(row)).isEqualTo("no value in the zone field tz");
            assertThat(add(aggregator, "Mars/Olympus\n", 0)).isEqualTo(Aggregator.LATE);
            assertThat(aggregator.zoneMistake(row))
                    .startsWith("tz: 'Mars/Olympus")
                    .endsWith("' is not a time zone, such as UTC, +01:00 or Europe/Vienna")
                    .doesNotContain("\n");
            assertThat(add(aggregator, "", 0)).isEqualTo(Aggregator.LATE);
            assertThat(add(aggregator, "UTC", 0)).isEqualTo(24 * HOUR);
            assertThat(aggregator.zoneMistake(row)).isNull();
        }
        row.setText(0, "+01:00");
        assertThat(aggregator.add(row, 0)).isEqualTo(23 * HOUR);
        for (int i = 0; i < 10_000; i++) {
            assertThat(add(aggregator, "zone " + i, 0)).isEqualTo(Aggregator.LATE);
        }
        assertThat(add(aggregator, "UTC", 0)).isEqualTo(24 * HOUR);
        assertThat(lines(aggregator.closeWindows(Long.MAX_VALUE))).hasSize(2).allMatch(line -> line.contains("FINAL"));
        aggregator.close();
    }

    /** The limit of groups counts groups of windows, so a group in two windows that begin together counts twice. */
    @Test
    void shouldCountGroupsOfWindowsThatBeginTogether() {
        Query query = query(byField(CalendarUnit.DAY, CalendarUnit.DAY), Duration.ZERO, "n");
        BudgetPart share = new GroupBudget(new AggregatorOptions(2, Long.MAX_VALUE, null)).share();
        Aggregator one = share.aggregator(query);
        Aggregator other = share.aggregator(query);
        add(one, "Europe/Vienna", "2024-03-31T10:00:00Z");
        add(other, "Europe/Berlin", "2024-03-31T10:00:00Z");
        add(other, "Africa/Lagos", "2024-03-31T10:00:00Z");
        assertThatThrownBy(() -> add(one, "UTC", "2024-03-31T10:00:00Z")).isInstanceOf(TooManyGroupsException.class);
        one.close();
        other.close();
    }

    /** Random rows of zones whose days begin and end at the same or at other times, beside a count of each window. */
    @ParameterizedTest
    @EnumSource(names = {"DAY", "WEEK"})
    void shouldCountTheRowsOfEachWindowInMemoryAndOnDisk(CalendarUnit unit, @TempDir Path directory)
            throws IOException {
        List<String> zones =
                List.of("Europe/Vienna", "Africa/Lagos", "Europe/Berlin", "UTC", "Pacific/Apia", "America/Sao_Paulo");
        for (boolean spills : new boolean[] {false, true}) {
            SplittableRandom random = new SplittableRandom(unit.ordinal());
            AggregatorOptions options = spills ? new AggregatorOptions(5, Long.MAX_VALUE, directory) : ANY;
            Aggregator aggregator =
                    Aggregators.create(query(byField(unit, CalendarUnit.DAY), Duration.ofDays(2), "tz"), options);
            Map<String, Integer> expected = new TreeMap<>();
            Map<String, String> found = new TreeMap<>();
            long now = at("2011-12-20T00:00:00Z");
            for (int i = 0; i < 4_000; i++) {
                String zone = zones.get(random.nextInt(zones.size()));
                now += random.nextLong(12 * 60_000L);
                long time = now - random.nextLong(20 * HOUR);
                assertThat(add(aggregator, zone, time)).isNotEqualTo(Aggregator.LATE);
                expect(unit, zone, time, expected);
                if (random.nextInt(300) == 0) {
                    read(aggregator.closeWindows(now - 20 * HOUR), found);
                }
            }
            read(aggregator.closeWindows(Long.MAX_VALUE), found);
            Map<String, String> all = new TreeMap<>();
            expected.forEach((window, rows) -> all.put(window, "[" + rows + ", " + rows + "]"));
            assertThat(found).isEqualTo(all);
            assertThat(aggregator.groups()).isZero();
            aggregator.close();
        }
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).isEmpty();
        }
    }

    /** Adds a row to its local day, or to the weeks that begin on it and on the six days before that the zone has not skipped. */
    private static void expect(CalendarUnit unit, String name, long time, Map<String, Integer> expected) {
        ZoneId zone = ZoneId.of(name);
        LocalDate day = Instant.ofEpochMilli(time).atZone(zone).toLocalDate();
        int days = unit == CalendarUnit.DAY ? 1 : 7;
        for (LocalDate first = day; first.isAfter(day.minusDays(days)); first = first.minusDays(1)) {
            if (first.atStartOfDay(zone).toLocalDate().equals(first)) {
                String window = first.atStartOfDay(zone).toInstant() + " "
                        + first.plusDays(days).atStartOfDay(zone).toInstant() + " " + name;
                expected.merge(window, 1, Integer::sum);
            }
        }
    }

    /** Keeps the latest values of each group of each window. */
    private static void read(List<PartialResult> results, Map<String, String> found) {
        for (PartialResult result : results) {
            assertThat(result.emission()).isNotEqualTo(Emission.EARLY);
            AggregatorModel.read(result)
                    .forEach((key, values) -> found.put(
                            Instant.ofEpochMilli(result.window().start()) + " "
                                    + Instant.ofEpochMilli(result.window().end()) + " " + key.get(0),
                            values.toString()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Europe/Vienna", "UTC"})
    void shouldMakeNoGarbageForZonesThatWereSeenBefore(String zone) {
        Aggregator aggregator =
                Aggregators.create(query(byField(CalendarUnit.DAY, CalendarUnit.DAY), Duration.ZERO), ANY);
        byte[] utf8 = (zone + "America/New_York").getBytes(StandardCharsets.UTF_8);
        row.setLong(1, 1);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = 0;
        for (int i = 0; i < 120_000; i++) {
            if (i == 20_000) {
                before = threads.getCurrentThreadAllocatedBytes();
            }
            boolean other = i % 2 == 0;
            row.setText(0, utf8, other ? zone.length() : 0, other ? utf8.length - zone.length() : zone.length());
            if (aggregator.zoneMistake(row) == null) {
                aggregator.add(row, noon(i));
            }
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1_000_000);
        aggregator.close();
    }

    private static long noon(int second) {
        return 12 * HOUR + second % 1000;
    }
}
