package io.updraft.timeseries.decode;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.record.FieldType;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
final class NumberFormTest {

    private static final NumberForm GERMAN = NumberForm.parse(",", ".");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            ,|.        | 1.234.567,89     | 1234567.89
            ,|.        | 1234567,89       | 1234567.89
            ,|.        | -12.345          | -12345
            ,|.        | +1,5             | 1.5
            ,|.        | 123              | 123
            ,|.        | 0,001            | 0.001
            ,|.        | 007,5            | 7.5
            ,|.        | 1,5e3            | 1500
            ,|.        | 1.000e-3         | 1
            ,|         | 1,234            | 1.234
            .|,        | 1,234,567.89     | 1234567.89
            .|'        | 1'234.5          | 1234.5
            .|’        | -1’234’567.5     | -1234567.5
            ,|" "      | 1 234,5          | 1234.5
            .|_        | 1_000_000        | 1000000
            ,|"\u00a0" | "1\u00a0234,5"   | 1234.5
            ,|"\u202f" | "1\u202f234 "    | -
            ,|"\u202f" | "1\u202f234,25"  | 1234.25
            ,|"\u202f" | "1\u00a0234,25"  | -
            ,|"\u202f" | "1\u2019234,25"  | -
            ,|.        | 1.23             | -
            ,|.        | 1.2345           | -
            ,|.        | 1234.567         | -
            ,|.        | 1..234           | -
            ,|.        | .234             | -
            ,|.        | 1.234.           | -
            ,|.        | 1.234.56,7       | -
            ,|.        | 0.123            | -
            ,|.        | -0.123           | -
            ,|.        | 1,234.567        | -
            ,|.        | 1,2,3            | -
            ,|.        | 1,               | -
            ,|.        | ",5"             | -
            ,|.        | -                | -
            ,|.        | +-1              | -
            ,|.        | 1,5 kg           | -
            ,|         | 1.5              | -
            ,|         | 1.234,5          | -
            .|'        | 1,5              | -
            ,|.        | 9e999            | -
            """)
    void shouldReadTheNumbersOfAFormAlone(String decimal, String thousands, String text, String number) {
        DecodedColumn column = DecodedColumn.of("n", FieldType.DOUBLE).written(NumberForm.parse(decimal, thousands));

        DecodedRows decoded = rows(column, text);

        if (number.equals("-")) {
            assertThat(decoded.rows).isEmpty();
            assertThat(decoded.reasons)
                    .singleElement()
                    .asString()
                    .startsWith("column n: expected a number such as 1")
                    .contains("234" + decimal + "5, found ");
        } else {
            assertThat(decoded.reasons).isEmpty();
            assertThat(decoded.rows).containsExactly(List.of(Double.parseDouble(number)));
        }
    }

    @Test
    void shouldReadWholeNumbers() {
        DecodedColumn column = DecodedColumn.of("n", FieldType.LONG).written(GERMAN);

        DecodedRows decoded = DecodedRows.records(
                DecodeSpec.csv(new CsvFormat(List.of("n"), ';', '"', ""), column),
                "9.223.372.036.854.775.807",
                "-9.223.372.036.854.775.808",
                "1.000,0",
                "",
                "1,5",
                "9.223.372.036.854.775.808");

        assertThat(decoded.rows).containsExactly(asList(Long.MAX_VALUE), asList(Long.MIN_VALUE), asList(1000L));
        assertThat(decoded.reasons)
                .containsExactly(
                        "an empty record: a tombstone, or a value of no bytes",
                        "column n: expected a whole number of 64 bits such as 1.234, found \"1,5\"",
                        "column n: expected a whole number of 64 bits such as 1.234, found \"9.223.372.036.854.775.808\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"de", "de-CH", "de-AT", "fr", "it", "es", "nl", "pl", "cs", "pt-BR", "en", "en-IN", "ru"})
    void shouldReadWhatJavaPrints(String tag) {
        Random random = new Random(7);
        DecimalFormatSymbols signs = DecimalFormatSymbols.getInstance(Locale.forLanguageTag(tag));
        DecimalFormat grouped = new DecimalFormat("#,##0." + "#".repeat(340), signs);
        DecimalFormat plain = new DecimalFormat("0." + "#".repeat(340), signs);
        DecodedColumn column = DecodedColumn.of("n", FieldType.DOUBLE)
                .written(new NumberForm(signs.getDecimalSeparator(), signs.getGroupingSeparator()));
        for (int i = 0; i < 2_000; i++) {
            double number =
                    random.nextInt(8) == 0 ? finite(random) : random.nextLong() / Math.pow(10, random.nextInt(18));

            String text = (random.nextBoolean() ? grouped : plain).format(number);

            DecodedRows decoded = rows(column, text);
            assertThat(decoded.reasons).as(text).isEmpty();
            assertThat(decoded.rows).as(text).containsExactly(List.of(number));
        }
    }

    private static double finite(Random random) {
        double number = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(number) ? number : 0.5;
    }

    private static DecodedRows rows(DecodedColumn column, String text) {
        return DecodedRows.records(DecodeSpec.csv(new CsvFormat(List.of("n"), '\t', '"', ""), column), text);
    }

    @Test
    void shouldReadColumnsOfCsvAndTextsOfJson() {
        DecodedColumn price = DecodedColumn.of("price", FieldType.DOUBLE).written(GERMAN);
        DecodedColumn count = DecodedColumn.of("count", FieldType.LONG);

        DecodedRows csv = DecodedRows.lines(
                DecodeSpec.csv(new CsvFormat(List.of(), ';', '"', ""), price, count),
                "price;count\n1.234,5;1\n\"2,25\";2\n7;3\n;4\n1.5;5\n");
        assertThat(csv.rows).containsExactly(asList(1234.5, 1L), asList(2.25, 2L), asList(7.0, 3L), asList(null, 4L));
        assertThat(csv.reasons).hasSize(1);

        DecodedRows json = DecodedRows.lines(DecodeSpec.json(price.or("0,5"), count), """
                {"price":"1.234,5","count":1}
                {"price":1.5,"count":2}
                {"count":3}
                """);
        assertThat(json.reasons).isEmpty();
        assertThat(json.rows).containsExactly(asList(1234.5, 1L), asList(1.5, 2L), asList(0.5, 3L));

        DecodedRows legs = DecodedRows.lines(
                DecodeSpec.exploding(
                        "legs", DecodedColumn.of("p", FieldType.DOUBLE, "@").written(GERMAN)),
                "{\"legs\":[\"1,5\",\"1.000\",2.5]}");
        assertThat(legs.rows).containsExactly(List.of(1.5), List.of(1000.0), List.of(2.5));
    }

    @Test
    void shouldRefuseImpossibleSigns() {
        assertThat(NumberForm.parse(null, null)).isNull();
        assertThat(NumberForm.parse(null, ".")).isEqualTo(GERMAN);
        assertThat(NumberForm.parse(null, ",")).isEqualTo(new NumberForm('.', ','));
        assertThatThrownBy(() -> NumberForm.parse(";", null)).hasMessage("'decimal' must be . or , not ';'");
        assertThatThrownBy(() -> NumberForm.parse("", null)).hasMessage("'decimal' must be one character, not ''");
        assertThatThrownBy(() -> NumberForm.parse(",", "-"))
                .hasMessage("'thousands' must be . , ' ’ _ a blank, U+00A0 or U+202F, not '-'");
        assertThatThrownBy(() -> NumberForm.parse(",", ","))
                .hasMessage("'decimal' and 'thousands' must differ, but both are ,");
        assertThatThrownBy(() -> DecodedColumn.of("t", FieldType.TEXT).written(GERMAN))
                .hasMessage("column t is of type TEXT and cannot have a form of numbers");
    }
}
