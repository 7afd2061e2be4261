package io.updraft.timeseries.decode;

import static java.util.Arrays.asList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.timeseries.record.FieldType;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DecimalColumnTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            | | 2 | 1.5                    | 150
            | | 2 | -1.50                  | -150
            | | 2 | +7                     | 700
            | | 2 | 007.25                 | 725
            | | 2 | 0.005                  | 1
            | | 2 | -0.005                 | -1
            | | 2 | 0.00499999999999999999999999 | 0
            | | 2 | 0.0009                 | 0
            | | 2 | 1e3                    | 100000
            | | 2 | 12345e-4               | 123
            | | 2 | 1.005                  | 101
            | | 2 | 0e999999999            | 0
            | | 2 | 1e-999999999           | 0
            | | 2 | 9999999999999999.99    | 999999999999999999
            | | 2 | 9999999999999999.994   | 999999999999999999
            | | 2 | 9999999999999999.995   | -
            | | 2 | -9999999999999999.99   | -999999999999999999
            | | 2 | 10000000000000000      | -
            | | 2 | 9e99                   | -
            | | 2 | 1.2.3                  | -
            | | 2 | NaN                    | -
            | | 2 | 1,5                    | -
            | | 0 | 2.5                    | 3
            | | 0 | 999999999999999999     | 999999999999999999
            | | 0 | 1000000000000000000    | -
            | | 18 | 0.123456789012345678  | 123456789012345678
            | | 18 | 0.1234567890123456785 | 123456789012345679
            | | 18 | 0.12345678901234567849 | 123456789012345678
            | | 18 | 1                     | -
            ,|. | 2 | 1.234.567,895        | 123456790
            ,|. | 2 | 12,5                 | 1250
            ,|. | 2 | 1.5                  | -
            """)
    void shouldReadDecimalsExactly(String decimal, String thousands, int scale, String text, String unscaled) {
        NumberForm form = NumberForm.parse(decimal, thousands);
        DecodedColumn column =
                DecodedColumn.of("n", FieldType.DECIMAL).scaled(scale).written(form);

        DecodedRows csv = DecodedRows.records(DecodeSpec.csv(new CsvFormat(List.of("n"), '\t', '"', ""), column), text);
        DecodedRows json = DecodedRows.records(DecodeSpec.json(column), "{\"n\":\"" + text + "\"}");

        if (unscaled.equals("-")) {
            assertThat(csv.rows).isEmpty();
            assertThat(csv.reasons)
                    .singleElement()
                    .asString()
                    .startsWith("column n: expected a number of at most 18 digits, " + scale + " after the point")
                    .endsWith("found \"" + text + "\"");
            assertThat(json.reasons).isEqualTo(csv.reasons);
        } else {
            assertThat(csv.reasons).isEmpty();
            assertThat(csv.rows).containsExactly(List.of(Long.parseLong(unscaled)));
            assertThat(json.rows).isEqualTo(csv.rows);
        }
    }

    @Test
    void shouldReadDecimalsOfManyRecordsBesideOtherColumns() {
        DecodedColumn price = DecodedColumn.of("price", FieldType.DECIMAL).scaled(2);
        DecodedColumn count = DecodedColumn.of("count", FieldType.LONG);
        StringBuilder csv = new StringBuilder("price,count\n");
        StringBuilder json = new StringBuilder();
        List<List<Object>> expected = new java.util.ArrayList<>();
        for (long i = 0; i < 500; i++) {
            csv.append(i).append(".25,").append(i).append('\n');
            json.append("{\"price\":")
                    .append(i)
                    .append(".25,\"count\":")
                    .append(i)
                    .append("}\n");
            expected.add(asList(i * 100 + 25, i));
        }

        assertThat(DecodedRows.lines(DecodeSpec.csv(new CsvFormat(List.of(), ',', '"', ""), price, count), csv + "")
                        .rows)
                .isEqualTo(expected);
        assertThat(DecodedRows.lines(DecodeSpec.json(price, count), json + "").rows)
                .isEqualTo(expected);
    }

    @Test
    void shouldComputeWithTheScaleOfAColumn() {
        DecodeSpec spec = new DecodeSpec(
                DecodeSpec.Format.JSON,
                null,
                null,
                List.of(DecodedColumn.of("price", FieldType.DECIMAL).scaled(2).or("0.5")),
                List.of(new DerivedColumn("gross", "price * 1.25")),
                "gross > 0.625");

        assertThat(spec.schema().fields().get(1).scale()).isEqualTo(4);
        assertThat(DecodedRows.lines(spec, "{\"price\":9.99}\n{}\n").rows).containsExactly(asList(999L, 124_875L));
    }

    @Test
    void shouldRefuseAScaleThatTheTypeCannotHave() {
        assertThatThrownBy(() -> DecodedColumn.of("n", FieldType.LONG).scaled(1))
                .hasMessage("field n of type LONG cannot have 1 digits after the point");
        assertThatThrownBy(() -> DecodedColumn.of("n", FieldType.DECIMAL).scaled(19))
                .hasMessage("field n of type DECIMAL cannot have 19 digits after the point");
    }
}
