package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.GroupExpressions;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Selection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AggregateReaderTest {

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "count() | COUNT | | 0 | count(*)",
                "count(*) | COUNT | | 0 | count(*)",
                "COUNT() | COUNT | | 0 | count(*)",
                "count(f) | COUNT | f | 0 | count(f)",
                "count(distinct f) | EXACT_DISTINCT | f | 0 | count(DISTINCT f)",
                "' sum ( f ) ' | SUM | f | 0 | sum(f)",
                "sum(a b) | SUM | a b | 0 | sum(\"a b\")",
                "sum(`a b`) | SUM | a b | 0 | sum(\"a b\")",
                "sum(temp (C)) | SUM | temp (C) | 0 | sum(\"temp (C)\")",
                "sum(`a)`) | SUM | a) | 0 | sum(\"a)\")",
                "max(`a, b`) | MAX | a, b | 0 | max(\"a, b\")",
                "sum(a-b) | SUM | a-b | 0 | sum(\"a-b\")",
                "sum(a-c) | SUM | a-c | 0 | sum(\"a-c\")",
                "sum(case) | SUM | case | 0 | sum(\"case\")",
                "sum(\"case\") | SUM | case | 0 | sum(\"case\")",
                "mean(f) | AVG | f | 0 | avg(f)",
                "median(f) | QUANTILE_CONT | f | 0.5 | quantile_cont(f, 0.5)",
                "any_value(f) | MIN | f | 0 | min(f)",
                "'sum(a[0][\"x, (y\"])' | SUM | 'a[0][\"x, (y\"]' | 0 | 'sum(\"a[0][\"\"x, (y\"\"]\")'",
                "stddev(f) | STDDEV | f | 0 | stddev_pop(f)",
                "distinct(f) | DISTINCT | f | 0 | approx_count_distinct(f)",
                "quantile(f, 0.99) | QUANTILE | f | 0.99 | approx_quantile(f, 0.99)",
                "quantile( `f,` ,1e-3) | QUANTILE | f, | 0.001 | approx_quantile(\"f,\", 0.001)",
                "quantile(f,1) | QUANTILE | f | 1 | approx_quantile(f, 1.0)",
                "quantile_disc(f, 0.5) | QUANTILE_DISC | f | 0.5 | quantile_disc(f, 0.5)"
            })
    void shouldReadAMeasureAndWriteIt(
            String text, AggregateFunction function, String field, double share, String written) {
        Measure measure = new Measure("m", function, field, share);

        assertThat(read(text).measures()).containsExactly(measure);
        assertThat(read(text).columns()).containsExactly(new Selection.Column("m", null));
        assertThat(GroupExpressions.text(measure)).isEqualTo(written);
        assertThat(read(written).measures()).containsExactly(measure);
    }

    private static GroupExpressions read(String text) {
        GroupExpressions expressions = new GroupExpressions(List.of("m"), name -> name.equals("case") ? name : null);
        expressions.add("m", OldMeasures.renewed(text, name -> name.equals("a-b") || name.equals("case")));
        return expressions;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sum(b)) | no ( opens this parenthesis, at character 7 of: sum(b))",
                "sum(b | no ) closes this parenthesis, at character 4 of: sum(b",
                "sum(a, b) | sum needs one field, such as sum(field), at character 1 of: sum(a, b)",
                "'' | expected an expression but there is none, at character 1 of: ''",
                "sum() | sum needs one field, such as sum(field), at character 1 of: sum()",
                "sum(*) | sum(*) has no meaning: write sum(field), or count(*) for the number of rows, at character 1"
                        + " of: sum(*)",
                "summ(f) | there is no function summ; did you mean sum?, at character 1 of: summ(f)",
                "1 + sum(max(f)) | an aggregate function cannot be inside of another one, at character 9 of: 1 +"
                        + " sum(max(f))",
                "sum(f) over () | window functions are not supported: the windows of results are those of 'every', at"
                        + " character 8 of: sum(f) over ()",
                "last(f order by t) | 'order by' is not supported here: first and last go by the time of the rows, at"
                        + " character 8 of: last(f order by t)",
                "percentile_cont(0.5) within group (order by f) | there is no function percentile_cont; write"
                        + " quantile_cont(field, 0.5), at character 1 of: percentile_cont(0.5) within group (order by f)",
                "sum(distinct f) | DISTINCT is only for count(DISTINCT field), at character 1 of: sum(distinct f)",
                "sum(f) filter (g) | a filter is written as FILTER (WHERE condition), at character 15 of: sum(f) filter (g)",
                "quantile(f) | approx_quantile needs a field and a fraction from 0 to 1, such as approx_quantile(field,"
                        + " 0.99), at character 1 of: approx_quantile(f)",
                "quantile_cont(f, 2) | the fraction of quantile_cont is a number from 0 to 1, not 2, at character 1 of:"
                        + " quantile_cont(f, 2)",
                "quantile_cont(f, -1) | the fraction of quantile_cont is a number from 0 to 1, not -1, at character 1 of:"
                        + " quantile_cont(f, -1)",
                "quantile_cont(f, ) | expected a value before this, at character 18 of: quantile_cont(f, )"
            })
    void shouldSayWhatIsWrongWithAMeasureAndWhere(String text, String message) {
        assertThatThrownBy(() -> read(text)).hasMessage(message.replace("of: ''", "of: "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "90m | 40m | test.yaml:5:10: 'slide' must divide 'every': 90m is not a multiple of 40m",
                "1s | 7ms | test.yaml:5:10: 'slide' must divide 'every': 1s is not a multiple of 7ms",
                "5m | 10m | test.yaml:5:10: windows that slide by more than their size would leave records out",
                "5m | 0s | test.yaml:5:10: 'slide': '0s' must be whole milliseconds, and at least 1ms",
                "5m | 1500us | test.yaml:5:10: 'slide': '1500us' must be whole milliseconds, and at least 1ms",
                "5m | -1m | test.yaml:5:10: 'slide': '-1m' is not a duration; write a number and a unit: 250ms, 30s, 5m,"
                        + " 2h, 1d",
                "1001ms | 1ms | test.yaml:5:10: each record would be in 1001 windows; the limit is 1000: make 'slide'"
                        + " longer",
                "0s | 1m | test.yaml:4:10: 'every': '0s' must be whole milliseconds, and at least 1ms",
                "1ns | 1m | test.yaml:4:10: 'every': '1ns' must be whole milliseconds, and at least 1ms",
                "-5m | 1m | test.yaml:4:10: 'every': '-5m' is not a duration; write a number and a unit: 250ms, 30s, 5m,"
                        + " 2h, 1d"
            })
    void shouldRefuseWindowsThatDoNotFitInOneLine(String every, String slide, String mistake) throws Exception {
        assertThat(mistakes("""
                source: {file: %s}
                aggregate:
                  measures: {n: count()}
                  every: %s
                  slide: %s
                time: processing
                """, every, slide)).containsExactly(mistake);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "every: days | '' | 'every': 'days' is not one of day, week, month, quarter, year",
                "'every: month, slide: day' | '' | windows of 'every: month' cannot have 'slide: day': leave it out, or take"
                        + " 'every: week' with 'slide: day'",
                "'every: week, slide: 2d' | '' | windows of 'every: week' cannot have 'slide: 2d': write 'slide: day', or"
                        + " leave it out",
                "'every: 7d, slide: day' | '' | 'slide: day' does not fit 'every: 7d': write a length such as 1d, or 'every:"
                        + " week', which may have 'slide: day'",
                "'every: day, zone: Europe/Wien' | '' | 'zone': 'Europe/Wien' is not a time zone; write UTC, +01:00 or"
                        + " Europe/Vienna",
                "'every: 1d, zone: Europe/Vienna' | '' | 'zone' needs windows of the calendar: in place of 'every: 1d' write"
                        + " 'every: day', or another of day, week, month, quarter, year",
                "'every: 7d, zone: {field: a}' | '' | 'zone' needs windows of the calendar: in place of 'every: 7d' write"
                        + " 'every: week', or another of day, week, month, quarter, year",
                "'zone: UTC' | '' | 'zone' needs windows: set their length with 'every'",
                "'every: day, zone: {field: b}' | '' | there is no field 'b'",
                "'every: day, zone: {field: n}' | '' | n is of type long; a time zone needs type text",
                "'every: day, early: 24h' | '' | 'early' must be longer than 0s and shorter than 'every'",
                "'every: day, zone: {field: a}' | 'csv: {path: \"x-{window_start}.csv\"}' | windows of different zones may"
                        + " begin or end at the same time: path x-{window_start}.csv needs {window_start} and {window_end}",
                "'every: day, zone: {field: a}' | 'redis: {server: \"redis://h\", key: \"{window_start}\"}' | windows of"
                        + " different zones may begin or end at the same time: key {window_start} needs {window_end}, or the"
                        + " field of the zone, by which rows must be grouped"
            })
    void shouldSayWhatIsWrongWithWindowsOfTheCalendar(String windows, String sink, String mistake) throws Exception {
        assertThat(mistakes("""
                source: {file: %s}
                flatten: {fields: {a: text, n: {type: long, path: a}}}
                time: processing
                aggregate: {measures: {x: count()}, %s}
                sinks: [{%s}]
                """, windows, sink.isEmpty() ? "stdout: csv" : sink))
                .filteredOn(each -> each.startsWith("test.yaml:4:"))
                .singleElement()
                .asString()
                .contains(": " + mistake);
    }

    private List<String> mistakes(String text, String every, String slide) throws Exception {
        Path data = Files.writeString(directory.resolve("a.csv"), "t,a\n2013-01-01,1\n");
        SpecException mistakes = catchThrowableOfType(
                SpecException.class,
                () -> new SpecReader(Map.of()).read("test.yaml", text.formatted(data, every, slide), "test"));
        return mistakes.mistakes().stream().map(Mistake::toString).toList();
    }
}
