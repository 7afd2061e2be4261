package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TableRecordsTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 1_000, 300_000})
    void shouldHaveEveryKeyOnceInAsManyRecordsAsThereAreKeys(int keys) {
        TableRecords records = records(keys);
        for (int round = 0; round < 2; round++) {
            Set<List<Object>> seen = new HashSet<>();
            for (int i = 0; i < keys; i++) {
                seen.add(new ArrayList<>(
                        Arrays.asList(records.record((long) round * keys + i)).subList(0, 3)));
            }
            assertThat(seen).hasSize(keys);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 300_000})
    void shouldKnowTheSumsOfItsMeasures(int keys) {
        TableRecords records = records(keys);
        for (long number : new long[] {0, 1, 999, 1_000, 654_321}) {
            long[] sums = new long[2];
            for (long i = 0; i < number; i++) {
                Object[] record = records.record(i);
                sums[0] += (Long) record[3];
                sums[1] += (Long) record[4];
            }
            assertThat(records.sum(number, 0)).isEqualTo(sums[0]);
            assertThat(records.sum(number, 1)).isEqualTo(sums[1]);
        }
    }

    @Test
    void shouldGoThroughAWindowInAsManyRecordsAsItHas() {
        TableRecords records = records(10);
        assertThat(records.time(0)).isZero();
        assertThat(records.time(1_999)).isLessThan(TableRecords.WINDOW.toMillis());
        assertThat(records.time(2_000)).isEqualTo(TableRecords.WINDOW.toMillis());
    }

    private static TableRecords records(int keys) {
        TableRecords records = new TableRecords(new TableSpec(3, 2, keys, 2_000));
        records.prepare();
        return records;
    }
}
