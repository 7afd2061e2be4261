package io.updraft.timeseries.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Windows of calendars, beside what java.time says of single instants. */
class WindowGridTest {

    private static final long FROM = Instant.parse("1970-01-01T00:00:00Z").toEpochMilli();
    private static final long TO = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
    private static final List<String> ZONES = List.copyOf(new TreeSet<>(ZoneId.getAvailableZoneIds()));

    private static WindowGrid grid(CalendarUnit unit, String zone) {
        return WindowSpec.of(WindowCalendar.of(unit, ZoneId.of(zone)), Duration.ZERO)
                .grid();
    }

    private static long at(String instant) {
        return Instant.parse(instant).toEpochMilli();
    }

    private static List<String> starts(WindowGrid grid, String from, int count) {
        List<String> starts = new ArrayList<>();
        long start = grid.start(at(from));
        for (int i = 0; i < count; i++) {
            starts.add(Instant.ofEpochMilli(start).toString());
            start = grid.next(start);
        }
        return starts;
    }

    @ParameterizedTest
    @EnumSource
    void shouldFollowOneAnotherInEachZone(CalendarUnit unit) {
        SplittableRandom random = new SplittableRandom(unit.ordinal());
        for (String zone : ZONES) {
            WindowGrid grid = grid(unit, zone);
            for (int i = 0; i < 20; i++) {
                long time = random.nextLong(FROM, TO);
                check(unit, ZoneId.of(zone), grid, time);
                // The moments at which windows change are those that random times miss.
                check(unit, ZoneId.of(zone), grid, grid.start(time));
                check(unit, ZoneId.of(zone), grid, grid.nextEnd(time) - 1);
            }
        }
    }

    /** The instants around all changes of clocks, at which days are longer, shorter, missing or twofold. */
    @ParameterizedTest
    @EnumSource
    void shouldFollowOneAnotherWhereClocksChange(CalendarUnit unit) {
        SplittableRandom random = new SplittableRandom(7);
        for (String zone : ZONES) {
            WindowGrid grid = grid(unit, zone);
            var change = ZoneId.of(zone).getRules().nextTransition(Instant.ofEpochMilli(random.nextLong(FROM, TO / 2)));
            for (int i = 0; change != null && i < 4; i++) {
                long time = change.getInstant().toEpochMilli();
                check(unit, ZoneId.of(zone), grid, time - 1);
                check(unit, ZoneId.of(zone), grid, time);
                check(unit, ZoneId.of(zone), grid, time + random.nextLong(90_000_000));
                change = ZoneId.of(zone).getRules().nextTransition(change.getInstant());
            }
        }
    }

    private static void check(CalendarUnit unit, ZoneId zone, WindowGrid grid, long time) {
        String where = unit + " of " + zone + " at " + Instant.ofEpochMilli(time);
        long start = grid.start(time);
        long end = grid.end(start);
        assertThat(time).as(where).isGreaterThanOrEqualTo(start).isLessThan(end);
        assertThat(grid.next(start)).as(where).isEqualTo(end);
        assertThat(grid.start(start)).as(where).isEqualTo(start);
        assertThat(grid.start(end)).as(where).isEqualTo(end);
        assertThat(grid.start(end - 1)).as(where).isEqualTo(start);
        assertThat(grid.previous(end)).as(where).isEqualTo(start);
        assertThat(grid.nextEnd(time)).as(where).isEqualTo(end);
        ZonedDateTime first = Instant.ofEpochMilli(start).atZone(zone);
        ZonedDateTime before = Instant.ofEpochMilli(start - 1).atZone(zone);
        assertThat(before.toLocalDate()).as(where).isBefore(first.toLocalDate());
        LocalDate day = expectedDay(unit, first.toLocalDate());
        LocalDateTime midnight = day.atStartOfDay();
        if (zone.getRules().getValidOffsets(midnight).isEmpty()) {
            // The clock skips this midnight: the window begins when it goes on.
            assertThat(start)
                    .as(where)
                    .isEqualTo(
                            zone.getRules().getTransition(midnight).getInstant().toEpochMilli());
        } else {
            assertThat(first.toLocalDateTime()).as(where).isEqualTo(midnight);
            assertThat(first.getOffset())
                    .as(where)
                    .isEqualTo(zone.getRules().getValidOffsets(midnight).get(0));
        }
    }

    /** The first day of the unit, found by going back day by day. */
    private static LocalDate expectedDay(CalendarUnit unit, LocalDate day) {
        LocalDate first = day;
        while (!isFirst(unit, first)) {
            first = first.minusDays(1);
        }
        return first;
    }

    private static boolean isFirst(CalendarUnit unit, LocalDate day) {
        return switch (unit) {
            case DAY -> true;
            case WEEK -> day.getDayOfWeek() == DayOfWeek.MONDAY;
            case MONTH -> day.getDayOfMonth() == 1;
            case QUARTER -> day.getDayOfMonth() == 1 && List.of(1, 4, 7, 10).contains(day.getMonthValue());
            case YEAR -> day.getDayOfYear() == 1;
        };
    }

    @Test
    void shouldSlideWeeksByDays() {
        SplittableRandom random = new SplittableRandom(11);
        for (String name : ZONES) {
            ZoneId zone = ZoneId.of(name);
            WindowGrid grid = WindowSpec.of(
                            new WindowCalendar(CalendarUnit.WEEK, CalendarUnit.DAY, zone, null), Duration.ZERO)
                    .grid();
            WindowGrid days = grid(CalendarUnit.DAY, name);
            long time = random.nextLong(FROM, TO);
            long start = grid.start(time);
            assertThat(start).as(name).isEqualTo(days.start(time));
            assertThat(grid.next(start)).as(name).isEqualTo(days.next(start));
            LocalDate day = Instant.ofEpochMilli(start).atZone(zone).toLocalDate();
            long end = grid.end(start);
            assertThat(days.start(end)).as(name).isEqualTo(end);
            assertThat(ChronoUnit.DAYS.between(
                            day, Instant.ofEpochMilli(end).atZone(zone).toLocalDate()))
                    .as(name)
                    .isEqualTo(7);
            assertThat(grid.end(grid.previous(start))).as(name).isLessThanOrEqualTo(end);
        }
    }

    @ParameterizedTest
    @CsvSource({
        // 23 and 25 hours
        "Europe/Vienna, 2024-03-31T12:00:00Z, 2024-03-30T23:00:00Z 2024-03-31T22:00:00Z",
        "Europe/Vienna, 2024-10-27T12:00:00Z, 2024-10-26T22:00:00Z 2024-10-27T23:00:00Z",
        // midnight is skipped
        "America/Sao_Paulo, 2018-11-03T12:00:00Z, 2018-11-03T03:00:00Z 2018-11-04T03:00:00Z 2018-11-05T02:00:00Z",
        // a whole day is skipped
        "Pacific/Apia, 2011-12-30T09:00:00Z, 2011-12-29T10:00:00Z 2011-12-30T10:00:00Z 2011-12-31T10:00:00Z",
        // at one minute past midnight clocks go back to the day before
        "America/St_Johns, 2010-11-06T12:00:00Z, 2010-11-06T02:30:00Z 2010-11-07T02:30:00Z 2010-11-08T03:30:00Z"
    })
    void shouldBeginAtTheFirstInstantOfEachDay(String zone, String time, String starts) {
        List<String> expected = List.of(starts.split(" "));
        assertThat(starts(grid(CalendarUnit.DAY, zone), time, expected.size())).isEqualTo(expected);
    }

    @Test
    void shouldBeginQuartersAndYearsAtTheirFirstDays() {
        assertThat(starts(grid(CalendarUnit.QUARTER, "UTC"), "2024-02-29T12:00:00Z", 3))
                .containsExactly("2024-01-01T00:00:00Z", "2024-04-01T00:00:00Z", "2024-07-01T00:00:00Z");
        assertThat(starts(grid(CalendarUnit.YEAR, "Asia/Kolkata"), "2024-02-29T12:00:00Z", 2))
                .containsExactly("2023-12-31T18:30:00Z", "2024-12-31T18:30:00Z");
    }

    @Test
    void shouldCloseWindowsOfAllZonesEachQuarterOfAnHour() {
        WindowSpec spec =
                WindowSpec.of(new WindowCalendar(CalendarUnit.DAY, CalendarUnit.DAY, null, "tz"), Duration.ZERO);
        assertThat(spec.closings().nextEnd(at("2024-03-31T12:01:00Z"))).isEqualTo(at("2024-03-31T12:15:00Z"));
        assertThat(spec.closings().start(Long.MAX_VALUE)).isPositive();
        assertThat(grid(CalendarUnit.DAY, "Europe/Vienna").start(Long.MAX_VALUE))
                .isPositive();
    }
}
