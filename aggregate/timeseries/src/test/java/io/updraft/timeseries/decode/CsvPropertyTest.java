package io.updraft.timeseries.decode;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class CsvPropertyTest {

    private static final int WIDTH = 4;

    /** All text, and no text that stands for none. */
    private static final DecodeSpec SPEC = DecodeSpec.csv(
            new CsvFormat(List.of("a", "b", "c", "d"), ',', '"', "\0"),
            DecodedColumn.of("a", FieldType.TEXT),
            DecodedColumn.of("b", FieldType.TEXT),
            DecodedColumn.of("c", FieldType.TEXT),
            DecodedColumn.of("d", FieldType.TEXT));

    @Test
    void shouldReadWhatWasPrinted() {
        Random random = new Random(1);
        RandomJson texts = new RandomJson(random);
        for (int i = 0; i < 1_500; i++) {
            List<List<Object>> records = new ArrayList<>();
            StringBuilder csv = new StringBuilder();
            for (int k = random.nextInt(5); k >= 0; k--) {
                List<Object> fields = new ArrayList<>();
                for (int f = 0; f < WIDTH; f++) {
                    fields.add(texts.text());
                    csv.append(f == 0 ? "" : ",").append(printed((String) fields.get(f), random));
                }
                records.add(fields);
                csv.append(k == 0 && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
            }

            DecodedRows decoded = DecodedRows.lines(SPEC, csv.toString());

            assertThat(decoded.reasons).as("%s", csv).isEmpty();
            assertThat(decoded.rows).as("%s", csv).isEqualTo(records);
        }
    }

    private static String printed(String field, Random random) {
        boolean needed = field.matches("(?s).*[\",\r\n].*") || field.equals("\0");
        return needed || random.nextInt(4) == 0 ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }

    @Test
    void shouldAgreeWithTheReference() {
        Random random = new Random(2);
        Decoder decoder = Decoder.create(SPEC);
        int good = 0;
        for (int i = 0; i < 40_000; i++) {
            byte[] text = random(random);
            DecodedRows decoded = new DecodedRows();
            // What is behind the end must not be read.
            byte[] around = Arrays.copyOf(text, text.length + 9);
            Arrays.fill(around, text.length, around.length, (byte) '"');
            decoder.decode(new Chunk("u", 7, around, text.length), decoded);

            List<List<Object>> expected = reference(text);
            if (expected != null) {
                assertThat(decoded.rows)
                        .as("%s", new String(text, StandardCharsets.US_ASCII))
                        .isEqualTo(expected);
                good += expected.isEmpty() ? 0 : 1;
            } else {
                assertThat(decoded.reasons)
                        .as("%s", new String(text, StandardCharsets.US_ASCII))
                        .isNotEmpty();
            }
        }
        assertThat(good).isGreaterThan(400);
    }

    private static byte[] random(Random random) {
        byte[] alphabet = ",,,,\n\"\"ab".getBytes(StandardCharsets.US_ASCII);
        byte[] text = new byte[random.nextInt(30)];
        for (int k = 0; k < text.length; k++) {
            text[k] = alphabet[random.nextInt(alphabet.length)];
        }
        return text;
    }

    /** The records with so many fields as they must have; null if something is no CSV. */
    private static List<List<Object>> reference(byte[] text) {
        List<List<Object>> records = new ArrayList<>();
        String csv = new String(text, StandardCharsets.US_ASCII);
        if (hasStrayQuote(csv)) {
            return null;
        }
        try (CsvReader<CsvRecord> reader = CsvReader.builder()
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(csv)) {
            for (CsvRecord fields : reader) {
                if (fields.getFieldCount() == WIDTH) {
                    records.add(new ArrayList<>(fields.getFields()));
                }
            }
            return records;
        } catch (CsvParseException | java.io.IOException e) {
            return null;
        }
    }

    /** The reference takes quotes in fields that do not begin with one as they are, and a field that nothing ends. */
    private static boolean hasStrayQuote(String csv) {
        return !csv.matches("(?s)(([^\",\n]*|\"([^\"]|\"\")*\")(,|\n|$))*");
    }

    @Test
    void shouldReadHugeFieldsAndTenThousandColumns() {
        String quoted = "\"" + "a\"\"\n".repeat(4 << 20) + "\"";

        DecodedRows decoded = DecodedRows.lines(SPEC, "a,b," + quoted + ",d\n1,2,3,4\n");

        assertThat(decoded.rows).hasSize(2);
        assertThat((String) decoded.rows.get(0).get(2)).hasSize(12 << 20).startsWith("a\"\na\"\n");

        DecodedColumn[] columns = new DecodedColumn[10_000];
        StringBuilder header = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.length; i++) {
            columns[i] = DecodedColumn.of("c" + i, FieldType.LONG);
            header.append(i == 0 ? "c" : ",c").append(i);
            line.append(i == 0 ? "" : ",").append(i);
        }
        DecodedRows wide = DecodedRows.lines(DecodeSpec.csv(CsvFormat.STANDARD, columns), header + "\n" + line);
        assertThat(wide.rows).hasSize(1);
        for (int i = 0; i < columns.length; i++) {
            assertThat(wide.rows.get(0).get(i)).isEqualTo((long) i);
        }
    }
}
