package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
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
                "count() | COUNT | | 0 | count()",
                "COUNT() | COUNT | | 0 | count()",
                "count(f) | COUNT | f | 0 | count(f)",
                "' sum ( f ) ' | SUM | f | 0 | sum(f)",
                "sum(a b) | SUM | a b | 0 | sum(a b)",
                "sum(`a b`) | SUM | a b | 0 | sum(a b)",
                "sum(temp (C)) | SUM | temp (C) | 0 | sum(`temp (C)`)",
                "sum(`a)`) | SUM | a) | 0 | sum(`a)`)",
                "max(`a, b`) | MAX | a, b | 0 | max(`a, b`)",
                "'sum(a[0][\"x, (y\"])' | SUM | 'a[0][\"x, (y\"]' | 0 | 'sum(`a[0][\"x, (y\"]`)'",
                "quantile(f, 0.99) | QUANTILE | f | 0.99 | quantile(f, 0.99)",
                "quantile( `f,` ,1e-3) | QUANTILE | f, | 0.001 | quantile(`f,`, 0.001)",
                "quantile(f,1) | QUANTILE | f | 1 | quantile(f, 1.0)"
            })
    void shouldReadAMeasureAndWriteIt(
            String text, AggregateFunction function, String field, double share, String written) {
        Measure measure = new Measure("m", function, field, share);

        assertThat(MeasureText.read("m", text)).isEqualTo(measure);
        assertThat(MeasureText.write(measure)).isEqualTo(written);
        assertThat(MeasureText.read("m", written)).isEqualTo(measure);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "sum(b) / count() | text after the function: a measure is one function of one field, such as sum(field), at"
                        + " character 8 of: sum(b) / count()",
                "sum(b)) | text after the function: a measure is one function of one field, such as sum(field), at"
                        + " character 7 of: sum(b))",
                "sum b | text after the function: a measure is one function of one field, such as sum(field), at"
                        + " character 5 of: sum b",
                "sum(b | no ) closes this (, at character 4 of: sum(b",
                "sum((b) | no ) closes this (, at character 4 of: sum((b)",
                "sum(`b) | no ` closes this name, at character 5 of: sum(`b)",
                "sum(`b` c) | text after the name of the field, at character 9 of: sum(`b` c)",
                "sum(a, b) | sum has one field; a name with a comma stands in backticks, at character 6 of: sum(a, b)",
                "(a) | a measure begins with a function, such as sum(field) or count(), at character 1 of: (a)",
                "'' | a measure begins with a function, such as sum(field) or count(), at character 1 of: ''",
                "count | count needs parentheses: count() counts records, at character 6 of: count",
                "sum | 'sum' needs a field, such as sum(field)",
                "sum() | 'sum()' needs a field, such as sum(field)",
                "count(*) | 'count(*)': '*' is no field; count() counts records",
                "quantile(f) | 'quantile(f)' needs a quantile from 0 to 1, such as quantile(field, 0.99)",
                "quantile(, 0.5) | 'quantile(, 0.5)' needs a field, such as quantile(field, 0.99)",
                "quantile(f, 2) | a quantile is a number from 0 to 1, not '2', at character 13 of: quantile(f, 2)",
                "quantile(f, -1) | a quantile is a number from 0 to 1, not '-1', at character 13 of: quantile(f, -1)",
                "quantile(f, x) | a quantile is a number from 0 to 1, not 'x', at character 13 of: quantile(f, x)",
                "quantile(f, ) | a quantile is a number from 0 to 1, not '', at character 13 of: quantile(f, )",
                "quantile(f, 0.5, 0.9) | more than a field and a quantile, at character 16 of: quantile(f, 0.5, 0.9)"
            })
    void shouldSayWhatIsWrongWithAMeasureAndWhere(String text, String message) {
        assertThatThrownBy(() -> MeasureText.read("m", text)).hasMessage(message.replace("of: ''", "of: "));
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

    private List<String> mistakes(String text, String every, String slide) throws Exception {
        Path data = Files.writeString(directory.resolve("a.csv"), "t,a\n2013-01-01,1\n");
        SpecException mistakes = catchThrowableOfType(
                SpecException.class,
                () -> new SpecReader(Map.of()).read("test.yaml", text.formatted(data, every, slide), "test"));
        return mistakes.mistakes().stream().map(Mistake::toString).toList();
    }
}
