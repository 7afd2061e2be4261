package io.updraft.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Texts of any length, with any character at any place, wherever the text lies in its array. */
final class RowTextTest {

    private static final String[] CHARACTERS = {
        "a",
        "b",
        "x",
        "z",
        "0",
        "9",
        " ",
        ",",
        "\"",
        "\n",
        "\r",
        "\t",
        "\\",
        "!",
        "~",
        "\u0000",
        "\u001f",
        "\u007f",
        "\u00e4",
        "\u20ac",
        "\ud83d\ude00"
    };

    private final Schema schema = new Schema(List.of(new Schema.Field("t", FieldType.TEXT)));
    private final RecordRow row = new RecordRow(schema);
    private final Utf8Buffer buffer = new Utf8Buffer();
    private final Random random = new Random(1);

    /** Puts a text into the row: mostly letters, so that what needs a quote or an escape comes at any place. */
    private String next() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(40);
        int common = random.nextInt(4) == 0 ? CHARACTERS.length : 4;
        for (int i = 0; i < length; i++) {
            text.append(CHARACTERS[random.nextInt(random.nextInt(20) == 0 ? CHARACTERS.length : common)]);
        }
        byte[] utf8 = text.toString().getBytes(StandardCharsets.UTF_8);
        byte[] array = new byte[utf8.length + random.nextInt(20)];
        random.nextBytes(array);
        int from = random.nextInt(array.length - utf8.length + 1);
        System.arraycopy(utf8, 0, array, from, utf8.length);
        row.setText(0, array, from, utf8.length);
        buffer.clear();
        return text.toString();
    }

    private static String quoted(String text, char delimiter) {
        boolean plain = !text.isEmpty()
                && !text.startsWith(" ")
                && !text.endsWith(" ")
                && text.chars().noneMatch(c -> c == delimiter || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Test
    void shouldQuoteTextsWithADelimiterAQuoteOrALineEnd() {
        for (char delimiter : new char[] {',', '\t', ';'}) {
            RowText delimited = RowText.delimited(schema, delimiter);
            for (int i = 0; i < 20_000; i++) {
                String text = next();
                delimited.columns(row, 0, 1, buffer);
                assertThat(buffer.toString()).isEqualTo(quoted(text, delimiter));
            }
        }
    }

    private static String escaped(String text) {
        StringBuilder json = new StringBuilder();
        text.chars()
                .forEach(c -> json.append(
                        switch (c) {
                            case '"' -> "\\\"";
                            case '\\' -> "\\\\";
                            case '\n' -> "\\n";
                            case '\r' -> "\\r";
                            case '\t' -> "\\t";
                            default -> c < ' ' ? String.format("\\u%04x", c) : Character.toString((char) c);
                        }));
        return json.toString();
    }

    @Test
    void shouldEscapeTextsAsJsonDoes() {
        JsonText json = new JsonText(schema);
        for (int i = 0; i < 20_000; i++) {
            String text = next();
            json.value(row, 0, buffer);
            assertThat(buffer.toString()).isEqualTo('"' + escaped(text) + '"');
        }
    }

    @Test
    void shouldAddStringsOfAnyCharacters() {
        for (int i = 0; i < 1_000; i++) {
            String text = next();
            assertThat(buffer.add("<").add(text).add(">").toString()).isEqualTo('<' + text + '>');
        }
    }
}
