package io.updraft.timeseries.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.aggregate.Aggregator;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.aggregate.Aggregators;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelectorTest {

    private static final Schema INPUT = new Schema(List.of(
            new Schema.Field("shop", FieldType.TEXT),
            new Schema.Field("page", FieldType.TEXT),
            new Schema.Field("n", FieldType.LONG),
            new Schema.Field("label", FieldType.TEXT),
            new Schema.Field("price", FieldType.DECIMAL, 2)));

    private static final Object[][] ROWS = {
        {"a", "x", 1L, "7"},
        {"a", "y", 5L, "8"},
        {"a", "z", 3L, "9"},
        {"b", "x", 4L, "ten"},
        {"b", "y", 4L, "1"},
        {"b", "é", null, "2"},
        {null, "x", 2L, "3"}
    };

    private static WindowResult select(Selection selection, GroupExpressions expressions, Object[]... rows) {
        Query query = new Query(INPUT, List.of("shop", "page"), expressions.measures(), WindowSpec.ALL_TIME);
        try (Aggregator aggregator = Aggregators.create(query, AggregatorOptions.inMemory())) {
            RecordRow row = new RecordRow(INPUT);
            for (Object[] values : rows) {
                for (int slot = 0; slot < values.length; slot++) {
                    row.setNone(slot);
                    if (values[slot] instanceof Long number) {
                        row.setLong(slot, number);
                    } else if (values[slot] != null) {
                        row.setText(slot, (String) values[slot]);
                    }
                }
                aggregator.add(row, 0);
            }
            WindowResult groups = aggregator.closeWindows(Long.MAX_VALUE).get(0);
            return new Selector(selection, query.result(), 2).select(groups);
        }
    }

    private static List<List<Object>> read(WindowResult result) {
        List<List<Object>> rows = new ArrayList<>();
        result.forEach(row -> {
            Object[] values = new Object[row.schema().size()];
            Arrays.setAll(values, row::value);
            rows.add(Arrays.asList(values));
        });
        assertThat(result.size()).isEqualTo(rows.size());
        return rows;
    }

    private static GroupExpressions expressions(String... columns) {
        GroupExpressions expressions = new GroupExpressions(List.of("shop", "page"), name -> null);
        for (int i = 0; i < columns.length; i += 2) {
            expressions.add(columns[i], columns[i + 1]);
        }
        return expressions;
    }

    @Test
    void shouldComputeColumnsOfMeasuresInTheOrderOfTheColumns() {
        GroupExpressions expressions =
                expressions("half", "sum(n) / 2", "n", "sum(n)", "text", "concat(shop, '/', page, half)");
        Selection selection = new Selection(expressions.columns(), "n > 3", null, List.of(), 0);
        WindowResult result = select(selection, expressions, ROWS);

        assertThat(result.schema().fields())
                .extracting(Schema.Field::name)
                .containsExactly("shop", "page", "half", "n", "text");
        assertThat(result.isOrdered()).isFalse();
        assertThat(read(result))
                .containsExactlyInAnyOrder(
                        List.of("a", "y", 2.5, 5L, "a/y2.5"),
                        List.of("b", "x", 2.0, 4L, "b/x2.0"),
                        List.of("b", "y", 2.0, 4L, "b/y2.0"));
        assertThat(read(result)).as("a second time").hasSize(3);
    }

    @Test
    void shouldReturnTheFirstGroupsOfEachSetInAnOrder() {
        GroupExpressions expressions = expressions("n", "sum(n)");
        Selection.Top top = new Selection.Top(2, List.of("shop"), List.of(new Selection.Order("n", true)));
        List<Selection.Order> order = List.of(new Selection.Order("shop", false), new Selection.Order("n", false));
        WindowResult result = select(new Selection(expressions.columns(), null, top, order, 0), expressions, ROWS);

        assertThat(result.isOrdered()).isTrue();
        assertThat(read(result))
                .containsExactly(
                        List.of("a", "z", 3L),
                        List.of("a", "y", 5L),
                        List.of("b", "x", 4L),
                        List.of("b", "y", 4L),
                        Arrays.asList(null, "x", 2L));
    }

    @Test
    void shouldReturnTheFirstRowsOfAnOrderWithMissingValuesLast() {
        GroupExpressions expressions = expressions("n", "sum(n)");
        for (boolean descending : new boolean[] {false, true}) {
            List<Selection.Order> order = List.of(new Selection.Order("n", descending));
            WindowResult all = select(new Selection(expressions.columns(), null, null, order, 0), expressions, ROWS);
            WindowResult some = select(new Selection(expressions.columns(), null, null, order, 3), expressions, ROWS);

            assertThat(read(all)).hasSize(7).last().isEqualTo(Arrays.asList("b", "é", null));
            assertThat(read(some)).isEqualTo(read(all).subList(0, 3));
        }
    }

    @Test
    void shouldOrderTextsByTheirCodePoints() {
        GroupExpressions expressions = expressions("n", "count(*)");
        List<Selection.Order> order = List.of(new Selection.Order("page", false));
        WindowResult result = select(
                new Selection(expressions.columns(), null, null, order, 0),
                expressions,
                new Object[] {"a", "\uD83D\uDE00", 1L, null},
                new Object[] {"a", "\uFFFD", 1L, null},
                new Object[] {"a", "z", 1L, null},
                new Object[] {"a", "", 1L, null});

        assertThat(read(result)).extracting(row -> row.get(1)).containsExactly("", "z", "\uFFFD", "\uD83D\uDE00");
    }

    @Test
    void shouldPassOnGroupsThatCannotBeComputed() {
        GroupExpressions expressions = expressions("number", "CAST(max(label) AS BIGINT)", "n", "sum(n)");
        Selection selection = new Selection(expressions.columns(), null, null, List.of(), 0);
        WindowResult result = select(selection, expressions, ROWS);
        List<String> reasons = new ArrayList<>();
        result.forEachOverflow(group -> {
            assertThat(group.row().value(0)).isEqualTo("b");
            assertThat(group.row().has(2)).isFalse();
            assertThat(group.row().value(3)).isEqualTo(4L);
            reasons.add(group.reason());
        });

        assertThat(read(result)).hasSize(6);
        assertThat(reasons).singleElement().asString().startsWith("number: ").contains("ten");
    }

    @Test
    void shouldComputeAndOrderDecimals() {
        GroupExpressions expressions = expressions("paid", "sum(price)", "gross", "paid * 1.5", "mean", "avg(price)");
        Selection selection = new Selection(
                expressions.columns(), "paid > 0.5", null, List.of(new Selection.Order("gross", true)), 2);
        Query query = new Query(INPUT, List.of("shop", "page"), expressions.measures(), WindowSpec.ALL_TIME);

        WindowResult result = select(
                selection,
                expressions,
                new Object[] {"a", "x", 1L, null, 1_025L},
                new Object[] {"a", "x", 1L, null, 975L},
                new Object[] {"b", "x", 1L, null, 51L},
                new Object[] {"c", "x", 1L, null, 50L},
                new Object[] {"d", "x", 1L, null, 200L});

        assertThat(read(result))
                .containsExactly(
                        Arrays.asList("a", "x", 2_000L, 30_000L, 10.0), Arrays.asList("d", "x", 200L, 3_000L, 2.0));
        assertThat(selection.schema(query.result(), 2).fields().subList(2, 4))
                .containsExactly(
                        new Schema.Field("paid", FieldType.DECIMAL, 2),
                        new Schema.Field("gross", FieldType.DECIMAL, 3));
    }

    @Test
    void shouldRefuseAColumnThatDoesNotExist() {
        GroupExpressions expressions = expressions("a", "sum(n) + b", "b", "count(*) + 1");
        Selection selection = new Selection(expressions.columns(), null, null, List.of(), 0);
        Query query = new Query(INPUT, List.of(), expressions.measures(), WindowSpec.ALL_TIME);

        assertThatThrownBy(() -> selection.schema(query.result(), 0))
                .isInstanceOf(ExpressionException.class)
                .hasMessageContaining("there is no column b");
    }
}
