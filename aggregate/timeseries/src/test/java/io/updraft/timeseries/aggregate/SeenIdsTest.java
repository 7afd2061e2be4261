package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SeenIdsTest {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    /** The model: all times of all ids. */
    private static final class Model {
        private final Map<String, TreeSet<Long>> times = new HashMap<>();

        boolean add(String id, long time, long within) {
            TreeSet<Long> seen = times.computeIfAbsent(id, any -> new TreeSet<>());
            Long before = seen.floor(time);
            Long after = seen.ceiling(time);
            seen.add(time);
            return (before == null || time - before > within) && (after == null || after - time > within);
        }
    }

    private static boolean add(SeenIds ids, String id, long time) {
        byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        return ids.add(Arrays.copyOf(bytes, bytes.length + 3), bytes.length, time);
    }

    /** Ids are short, long, longer than a page, or empty. Times are out of order by up to {@code disorder}, which tasks know. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void shouldFindEachDuplicateOfTimesThatAreNotPassed(int seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 60; run++) {
            long within = 1 + random.nextInt(random.nextBoolean() ? 20 : 5_000);
            long bucket = 1 + random.nextInt((int) within * 2);
            long disorder = random.nextInt(2_000);
            int different = 1 + random.nextInt(3_000);
            int tasks = 1 + random.nextInt(3);
            SeenIds ids = new SeenIds(within, bucket, tasks, NO_LIMIT, NO_LIMIT);
            Model model = new Model();
            long now = random.nextBoolean() ? -3_000 : 1_700_000_000_000L;
            for (int i = 0; i < 3_000; i++) {
                now += random.nextInt(4);
                long time = now - random.nextInt((int) disorder + 1);
                String id = id(random, different);
                assertThat(add(ids, id, time))
                        .as("seed %d, run %d, row %d: %s at %d", seed, run, i, id, time)
                        .isEqualTo(model.add(id, time, within));
                if (random.nextInt(10) == 0) {
                    ids.passed(random.nextInt(tasks), now - disorder);
                }
            }
            assertThat(ids.forgottenEarly()).isZero();
        }
    }

    private static String id(Random random, int different) {
        int number = random.nextInt(different);
        return switch (number % 50) {
            case 0 -> "";
            case 1 -> "x".repeat(70_000) + number % 3;
            case 2 -> "a rather long id of a row, " + number;
            default -> Integer.toString(number);
        };
    }

    @Test
    void shouldForgetIdsOnceAllTasksHavePassedThem() {
        SeenIds ids = new SeenIds(100, 10, 2, NO_LIMIT, NO_LIMIT);
        for (int i = 0; i < 1_000; i++) {
            add(ids, "old" + i, i % 10);
        }
        ids.passed(0, 1_000);
        add(ids, "new", 1_000);
        assertThat(ids.size()).isEqualTo(1_001);
        ids.passed(1, 1_000);
        long before = ids.bytes();
        for (int i = 0; i < 500; i++) {
            add(ids, "new" + i, 1_000);
        }
        assertThat(ids.size()).isEqualTo(501);
        assertThat(ids.bytes()).isLessThan(before);
        assertThat(ids.forgottenEarly()).isZero();
    }

    /** What was seen again stays for as long as its latest time says. */
    @Test
    void shouldKeepAnIdThatIsSeenAgain() {
        SeenIds ids = new SeenIds(100, 10, 1, NO_LIMIT, NO_LIMIT);
        assertThat(add(ids, "a", 0)).isTrue();
        for (int time = 90; time < 2_000; time += 90) {
            ids.passed(0, time);
            assertThat(add(ids, "other", time * 1_000L)).isTrue();
            assertThat(add(ids, "a", time)).as("at %d", time).isFalse();
        }
        assertThat(add(ids, "a", 5_000)).isTrue();
    }

    /** Of rows in order, those that were seen last are known; of others never one is taken for a duplicate that is none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 1_000})
    void shouldForgetTheOldestIdsBeyondTheLimit(int limit) {
        SeenIds ids = new SeenIds(1_000_000, 50, 1, limit, NO_LIMIT);
        for (int i = 0; i < 5_000; i++) {
            assertThat(add(ids, "id" + i, i)).isTrue();
            assertThat(ids.size()).isLessThanOrEqualTo(limit);
            int known = Math.max(0, i - limit + 1);
            if (i % 7 == 0) {
                assertThat(add(ids, "id" + i, i)).isFalse();
                assertThat(add(ids, "id" + known, known))
                        .as("id %d of %d", known, i)
                        .isFalse();
            }
        }
        assertThat(ids.forgottenEarly()).isEqualTo(5_000 - limit);
        assertThat(add(ids, "id0", 0)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldNeverTakeAnotherIdForADuplicateHoweverFewAreKept(int seed) {
        Random random = new Random(seed);
        for (int run = 0; run < 40; run++) {
            long within = 1 + random.nextInt(3_000);
            SeenIds ids = new SeenIds(within, 1 + random.nextInt(500), 1, 1 + random.nextInt(200), NO_LIMIT);
            Model model = new Model();
            for (int i = 0; i < 3_000; i++) {
                String id = id(random, 1_000);
                long time = i + random.nextInt(300);
                boolean isFirst = model.add(id, time, within);
                assertThat(add(ids, id, time) || !isFirst)
                        .as("seed %d, run %d, row %d", seed, run, i)
                        .isTrue();
                assertThat(ids.size()).as("ids of row %d", i).isLessThanOrEqualTo(220);
            }
        }
    }

    @Test
    void shouldKeepToItsBytes() {
        SeenIds ids = new SeenIds(SeenIds.FOREVER, 1L << 60, 1, NO_LIMIT, 1 << 20);
        for (int i = 0; i < 200_000; i++) {
            assertThat(add(ids, "id" + i, 0)).isTrue();
            assertThat(ids.bytes()).isLessThanOrEqualTo(1 << 20);
        }
        assertThat(add(ids, "id199999", 0)).isFalse();
        assertThat(ids.size()).isGreaterThan(20_000);
        assertThat(ids.forgottenEarly()).isEqualTo(200_000 - ids.size());
    }

    /** The difference of two times may not fit into an entry, or into a signed number. */
    @Test
    void shouldCompareTimesThatAreFarApart() {
        long year = 365L * 86_400_000;
        SeenIds ids = new SeenIds(year, year / 8, 1, NO_LIMIT, NO_LIMIT);
        assertThat(add(ids, "a", 0)).isTrue();
        assertThat(add(ids, "a", year)).isFalse();
        assertThat(add(ids, "a", year / 2)).isFalse();
        assertThat(add(ids, "a", -year)).isFalse();
        assertThat(add(ids, "a", 2 * year + 1)).isTrue();
        assertThat(add(ids, "a", Long.MAX_VALUE - 1)).isTrue();
        assertThat(add(ids, "a", -62_000_000_000_000L)).isTrue();
        assertThat(add(ids, "a", Long.MAX_VALUE - 2)).isFalse();
    }

    @Test
    void shouldMakeIdsOfValuesThatDiffer() {
        Schema schema = new Schema(List.of(
                new Schema.Field("a", FieldType.TEXT),
                new Schema.Field("b", FieldType.TEXT),
                new Schema.Field("n", FieldType.LONG),
                new Schema.Field("d", FieldType.DOUBLE)));
        RowId texts = new RowId(schema, List.of("a", "b"));
        assertThat(id(texts, row(schema, "x", "yz", 0, 0))).isNotEqualTo(id(texts, row(schema, "xy", "z", 0, 0)));
        assertThat(id(texts, row(schema, "ä", "", 0, 0))).isEqualTo(id(texts, utf8(schema, "ä", "")));
        RowId numbers = new RowId(schema, List.of("n", "d"));
        assertThat(id(numbers, row(schema, "", "", 1, 0.0))).isEqualTo(id(numbers, row(schema, "", "", 1, -0.0)));
        assertThat(id(numbers, row(schema, "", "", 1, 2))).isNotEqualTo(id(numbers, row(schema, "", "", 2, 1)));
        RecordRow none = row(schema, "x", "y", 1, 1);
        none.setNone(schema.slot("b"));
        assertThat(texts.read(none)).isEqualTo(-1);
    }

    private static RecordRow row(Schema schema, String a, String b, long n, double d) {
        RecordRow row = new RecordRow(schema);
        row.setText(0, a);
        row.setText(1, b);
        row.setLong(2, n);
        row.setDouble(3, d);
        return row;
    }

    private static RecordRow utf8(Schema schema, String a, String b) {
        RecordRow row = new RecordRow(schema);
        byte[] first = a.getBytes(StandardCharsets.UTF_8);
        byte[] second = b.getBytes(StandardCharsets.UTF_8);
        row.setText(0, first, 0, first.length);
        row.setText(1, second, 0, second.length);
        return row;
    }

    private static List<Byte> id(RowId ids, RecordRow row) {
        int length = ids.read(row);
        Byte[] bytes = new Byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = ids.bytes()[i];
        }
        return List.of(bytes);
    }
}
