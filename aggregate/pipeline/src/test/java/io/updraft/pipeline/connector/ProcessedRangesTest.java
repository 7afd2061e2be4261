package io.updraft.pipeline.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class ProcessedRangesTest {

    private static final int POSITIONS = 40;
    private static final long THIS_RUN = Long.MAX_VALUE;

    /** Against an array with the time of each position. */
    @Test
    void shouldCoverWhatWasHandledUpToTheWindowsThatWereClosedThen() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            long[] until = new long[POSITIONS];
            Arrays.fill(until, Long.MIN_VALUE);
            long[] written = until.clone();
            boolean[] known = new boolean[POSITIONS];
            ProcessedRanges seen = ProcessedRanges.NONE;
            for (int i = 0; i < 30; i++) {
                int from = random.nextInt(POSITIONS);
                int to = from + random.nextInt(POSITIONS + 1 - from);
                long time = random.nextInt(5);
                switch (random.nextInt(7)) {
                    case 4 -> {
                        seen = seen.before(from);
                        Arrays.fill(known, from, POSITIONS, false);
                        Arrays.fill(written, from, POSITIONS, Long.MIN_VALUE);
                    }
                    case 0 -> {
                        seen = seen.from(from);
                        Arrays.fill(known, 0, from, false);
                        Arrays.fill(written, 0, from, Long.MIN_VALUE);
                    }
                    case 1 -> {
                        seen = ProcessedRanges.parse(
                                seen.closedUntil(time, time + 2).text());
                        Arrays.setAll(until, at -> until[at] == THIS_RUN ? time : until[at]);
                        Arrays.setAll(
                                written,
                                at -> !known[at]
                                        ? Long.MIN_VALUE
                                        : Math.max(until[at], written[at] == THIS_RUN ? time + 2 : written[at]));
                    }
                    case 5 -> {
                        seen = seen.handled(
                                ProcessedRanges.NONE.handled(from, to).written());
                        Arrays.fill(until, from, to, THIS_RUN);
                        Arrays.fill(written, from, to, THIS_RUN);
                        Arrays.fill(known, from, to, true);
                    }
                    case 6 -> {
                        ProcessedRanges.Collector some = new ProcessedRanges.Collector();
                        ProcessedRanges.Collector others = new ProcessedRanges.Collector();
                        for (int at = from; at < to; at += 1 + random.nextInt(3)) {
                            int end = Math.min(to, at + 1 + random.nextInt(2));
                            boolean isWritten = random.nextBoolean();
                            (isWritten ? some : others).add(at, end);
                            Arrays.fill(until, at, end, THIS_RUN);
                            Arrays.fill(known, at, end, true);
                            if (isWritten) {
                                Arrays.fill(written, at, end, THIS_RUN);
                            }
                        }
                        seen = seen.handled(others.takeBefore(POSITIONS)
                                .handled(some.takeBefore(POSITIONS).written()));
                    }
                    default -> {
                        seen = seen.handled(ProcessedRanges.NONE.handled(from, to));
                        Arrays.fill(until, from, to, THIS_RUN);
                        Arrays.fill(known, from, to, true);
                    }
                }
                check(seen, known, until, written);
            }
        }
    }

    /** Against an array of the positions. */
    @Test
    void shouldCollectStretchesInAnyOrder() {
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            boolean[] collected = new boolean[POSITIONS];
            ProcessedRanges.Collector collector = new ProcessedRanges.Collector();
            for (int i = 0; i < 20; i++) {
                int from = random.nextInt(POSITIONS);
                int to = Math.min(POSITIONS, from + random.nextInt(6));
                if (random.nextInt(6) > 0) {
                    collector.add(from, to);
                    Arrays.fill(collected, from, Math.max(from, to), true);
                } else {
                    checkTaken(collector.takeBefore(from), Arrays.copyOf(collected, from));
                    Arrays.fill(collected, 0, from, false);
                }
            }
            checkTaken(collector.takeBefore(Long.MAX_VALUE), collected);
            assertThat(collector.isEmpty()).isTrue();
        }
    }

    private static void checkTaken(ProcessedRanges taken, boolean... collected) {
        for (int position = 0; position < POSITIONS; position++) {
            assertThat(taken.covers(position, Long.MAX_VALUE))
                    .isEqualTo(position < collected.length && collected[position]);
        }
        for (int i = 1; i < taken.stretches().size(); i++) {
            assertThat(taken.stretches().get(i - 1).to())
                    .isLessThan(taken.stretches().get(i).from());
        }
    }

    private static void check(ProcessedRanges seen, boolean[] known, long[] until, long... written) {
        for (int position = 0; position < POSITIONS; position++) {
            assertThat(seen.covers(position)).isEqualTo(known[position]);
            assertThat(seen.writtenUntil(position)).isEqualTo(known[position] ? written[position] : Long.MIN_VALUE);
            for (long end = 0; end < 6; end++) {
                assertThat(seen.covers(position, end)).isEqualTo(known[position] && end <= until[position]);
            }
        }
        for (int i = 1; i < seen.stretches().size(); i++) {
            ProcessedRanges.Range one = seen.stretches().get(i - 1);
            ProcessedRanges.Range next = seen.stretches().get(i);
            assertThat(one.to()).isLessThanOrEqualTo(next.from());
            assertThat(one.to() == next.from() && one.until() == next.until() && one.written() == next.written())
                    .as("could be one: " + seen)
                    .isFalse();
        }
    }

    @Test
    void shouldKeepOfWhichWindowsItsTimesAre() {
        ProcessedRanges seen = ProcessedRanges.NONE.handled(3, 9).closedUntil(7).of("10:5:ab");
        assertThat(seen.text()).isEqualTo("10:5:ab;3-9:7");
        assertThat(ProcessedRanges.parse(seen.text())).isEqualTo(seen);
        assertThat(ProcessedRanges.parse(seen.from(4)
                                .before(8)
                                .handled(20, 21)
                                .closedUntil(1)
                                .text())
                        .windows())
                .isEqualTo("10:5:ab");
        assertThat(ProcessedRanges.parse(ProcessedRanges.NONE.of("x").text())).isEqualTo(ProcessedRanges.NONE.of("x"));
        assertThat(ProcessedRanges.parse("3-9:7")).isEqualTo(seen.of(""));
        assertThat(seen.text(5)).as("no room").isEmpty();
    }

    @Test
    void shouldLeaveOutWhatThereIsNoRoomFor() {
        ProcessedRanges seen = ProcessedRanges.NONE.handled(1, 3).handled(5, 9).closedUntil(-77);
        assertThat(seen.text()).isEqualTo("1-3:-77,5-9:-77");
        assertThat(ProcessedRanges.parse(seen.text(14)))
                .isEqualTo(ProcessedRanges.NONE.handled(1, 3).closedUntil(-77));
        assertThat(seen.text(6)).isEmpty();
        assertThat(ProcessedRanges.parse("")).isEqualTo(ProcessedRanges.NONE);
        assertThatThrownBy(() -> ProcessedRanges.parse("1-3")).isInstanceOf(IllegalArgumentException.class);
    }
}
