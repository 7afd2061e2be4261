package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BudgetTest {

    private static final Schema INPUT =
            new Schema(List.of(new Schema.Field("name", FieldType.TEXT), new Schema.Field("value", FieldType.LONG)));
    private static final Query QUERY = new Query(
            INPUT,
            List.of("name"),
            List.of(new Measure("total", AggregateFunction.SUM, "value", 0)),
            WindowSpec.tumbling(Duration.ofSeconds(1)));

    @TempDir
    Path directory;

    @Test
    void shouldCountAGroupOnceThatSeveralAggregatorsHave() {
        GroupBudget budget = new GroupBudget(new AggregatorOptions(100, Long.MAX_VALUE, null));
        List<Aggregator> aggregators = aggregators(budget, 4);
        for (Aggregator each : aggregators) {
            fill(each, "", 0, 100, 0);
        }
        Aggregator one = aggregators.get(0);
        assertThatThrownBy(() -> fill(one, "", 100, 101, 0))
                .isInstanceOf(TooManyGroupsException.class)
                .hasMessageStartingWith("there are 100 groups in 1 open windows; the limit is 100: ");
        assertThatThrownBy(() -> fill(aggregators.get(1), "", 0, 1, 5000))
                .as("the same in another window")
                .isInstanceOf(TooManyGroupsException.class);
        aggregators.subList(1, 4).forEach(each -> each.closeWindows(2000));
        assertThatThrownBy(() -> fill(one, "", 100, 101, 0)).isInstanceOf(TooManyGroupsException.class);
        one.closeWindows(2000);
        fill(one, "new", 0, 100, 5000);
    }

    @Test
    void shouldAddUpGroupsOfAggregatorsThatHaveDifferentOnes() {
        BudgetPart share = new GroupBudget(new AggregatorOptions(100, Long.MAX_VALUE, null)).share();
        for (int i = 0; i < 10; i++) {
            fill(share.aggregator(QUERY), "unit" + i, 0, 10, 0);
        }
        Aggregator next = share.aggregator(QUERY);
        assertThatThrownBy(() -> fill(next, "another", 0, 1, 0)).isInstanceOf(TooManyGroupsException.class);
    }

    @Test
    void shouldGiveBackWhatAnAggregatorHadThatIsClosed() {
        GroupBudget budget = new GroupBudget(new AggregatorOptions(100, 1 << 20, null));
        for (int i = 0; i < 100; i++) {
            try (Aggregator each = budget.share().aggregator(QUERY)) {
                fill(each, "unit" + i, 0, 100, 0);
            }
        }
        assertThat(budget.bytes).hasValue(0);
        assertThat(budget.groups.count()).isZero();
    }

    @Test
    void shouldRefuseMoreBytesThanTheLimitWhoeverHasThem() {
        long limit = 2 << 20;
        List<Aggregator> aggregators =
                aggregators(new GroupBudget(new AggregatorOptions(Long.MAX_VALUE, limit, null)), 8);
        assertThatThrownBy(() -> {
                    for (int i = 0; ; i++) {
                        fill(aggregators.get(i % 8), "name", i, i + 1, 0);
                    }
                })
                .isInstanceOf(TooManyGroupsException.class)
                .hasMessageContaining("the limit is " + limit + ": raise the limit of bytes");
        assertThat(bytes(aggregators))
                .as("dictionaries are weighed when tables grow")
                .isBetween(limit / 2, limit + limit / 4);
    }

    @Test
    void shouldEvictTheLargestOfAThreadWhenOneOfItsOthersWantsMore() {
        long limit = 1 << 19;
        BudgetPart share = new GroupBudget(new AggregatorOptions(Long.MAX_VALUE, limit, directory)).share();
        List<Aggregator> partitions = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            partitions.add(share.aggregator(QUERY));
        }
        for (int partition = 0; partition < 8; partition++) {
            fill(partitions.get(partition), "unit" + partition + "-", 0, 2000, 0);
            assertThat(bytes(partitions)).isLessThan(limit + limit / 4);
        }
        for (Aggregator partition : partitions) {
            assertThat(partition.closeWindows(1000).get(0).size()).isEqualTo(2000);
            partition.close();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldEvictWhatAnIdleThreadHasAndNotEachNewGroupOfABusyOne() {
        long limit = 1 << 20;
        GroupBudget budget = new GroupBudget(new AggregatorOptions(Long.MAX_VALUE, limit, directory));
        BudgetPart idle = budget.share();
        BudgetPart busy = budget.share();
        List<Aggregator> large = new ArrayList<>();
        while (budget.bytes.get() < limit / 16 * 15) {
            large.add(idle.aggregator(QUERY));
            fill(large.get(large.size() - 1), "large", 0, 100, 0);
            idle.relieve();
        }
        try (Aggregator small = busy.aggregator(QUERY)) {
            fill(small, "small", 0, 700, 0);
            assertThat(budget.isExceeded()).isTrue();
            busy.relieve();
            assertThat(small.groups()).as("has little").isEqualTo(700);
            idle.relieve();
            assertThat(budget.isExceeded()).isFalse();
            assertThat(large.stream().mapToLong(Aggregator::groups).sum())
                    .as("half of them, in memory")
                    .isBetween(large.size() * 40L, large.size() * 50L);
            assertThat(large)
                    .allSatisfy(each ->
                            assertThat(each.closeWindows(1000).get(0).size()).isEqualTo(100));
        }
        large.forEach(Aggregator::close);
    }

    @Test
    void shouldHoldTheLimitOfSeveralThreadsAndHaveNothingLeftAfterThem() throws Exception {
        int threads = 4;
        GroupBudget different = new GroupBudget(new AggregatorOptions(20_000, 1L << 30, null));
        GroupBudget parts = new GroupBudget(new AggregatorOptions(1000, 1L << 30, directory));
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(() -> windows(different.share()));
                all.add(() -> windows(parts.share()));
            }
            for (Future<Void> each : pool.invokeAll(all)) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(different.groups.count()).isZero();
        assertThat(different.bytes).hasValue(0);
        assertThat(parts.groups.count()).isZero();
        assertThat(parts.bytes).hasValue(0);
    }

    /** The same groups in all threads, of which at most so many windows are open as there are threads. */
    private static Void windows(BudgetPart share) {
        try (Aggregator aggregator = share.aggregator(QUERY)) {
            for (int window = 0; window < 8; window++) {
                fill(aggregator, "name", 0, 900, window * 1000L);
                assertThat(aggregator.closeWindows((window + 1) * 1000L).get(0).size())
                        .isEqualTo(900);
                share.relieve();
            }
        }
        return null;
    }

    private static List<Aggregator> aggregators(GroupBudget budget, int count) {
        List<Aggregator> aggregators = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            aggregators.add(budget.share().aggregator(QUERY));
        }
        return aggregators;
    }

    private static long bytes(List<Aggregator> aggregators) {
        return aggregators.stream().mapToLong(Aggregator::bytes).sum();
    }

    private static void fill(Aggregator aggregator, String name, int from, int to, long time) {
        RecordRow row = new RecordRow(INPUT);
        for (int i = from; i < to; i++) {
            row.setText(0, name + i);
            row.setLong(1, i);
            aggregator.add(row, time);
        }
    }
}
