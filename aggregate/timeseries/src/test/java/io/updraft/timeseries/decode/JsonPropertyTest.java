package io.updraft.timeseries.decode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
final class JsonPropertyTest {

    private static final JsonFactory REFERENCE = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(100_000).build())
            .build();

    @Test
    void shouldReadWhatWasPrinted() {
        Random random = new Random(1);
        RandomJson json = new RandomJson(random);
        for (int i = 0; i < 1_500; i++) {
            Map<String, Object> value = json.object(4);
            Map<String, Object> leaves = new LinkedHashMap<>();
            leaves("", value, leaves);
            leaves.keySet().removeIf(path -> random.nextInt(4) == 0);
            leaves.put("[\"missing\"].x", null);

            DecodedRows decoded =
                    DecodedRows.lines(spec(leaves), json.print(value) + "\n" + json.print(value) + "\r\n");

            assertThat(decoded.reasons).as("%s", value).isEmpty();
            List<Object> expected = new ArrayList<>();
            leaves.values().forEach(leaf -> expected.add(leaf instanceof Boolean is ? (is ? 1L : 0L) : leaf));
            assertThat(decoded.rows).as("%s", value).containsExactly(expected, expected);
        }
    }

    private static DecodeSpec spec(Map<String, Object> leaves) {
        List<DecodedColumn> columns = new ArrayList<>();
        leaves.forEach((path, leaf) -> columns.add(DecodedColumn.of("c" + columns.size(), type(leaf), path)));
        return DecodeSpec.json(columns.toArray(DecodedColumn[]::new));
    }

    private static FieldType type(Object leaf) {
        return leaf instanceof Long
                ? FieldType.LONG
                : leaf instanceof Double
                        ? FieldType.DOUBLE
                        : leaf instanceof Boolean ? FieldType.BOOLEAN : FieldType.TEXT;
    }

    private static void leaves(String path, Object value, Map<String, Object> leaves) {
        if (value instanceof Map<?, ?> members) {
            members.forEach((name, member) -> {
                String quote = ((String) name).contains("\"") ? "'" : "\"";
                leaves(path + "[" + quote + name + quote + "]", member, leaves);
            });
        } else if (value instanceof List<?> elements) {
            for (int i = 0; i < elements.size(); i++) {
                leaves(path + "[" + i + "]", elements.get(i), leaves);
            }
        } else {
            leaves.put(path, value);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldAgreeWithTheReferenceOnWhatIsJson(long seed) {
        Random random = new Random(seed);
        RandomJson json = new RandomJson(random);
        Decoder decoder = Decoder.create(DecodeSpec.json(
                DecodedColumn.of("a", FieldType.TEXT),
                DecodedColumn.of("b", FieldType.TEXT, "bb.a"),
                DecodedColumn.of("c", FieldType.TEXT, "[1].a")));
        int good = 0;
        int bad = 0;
        for (int i = 0; i < 12_000; i++) {
            byte[] text = json.print(
                            random.nextBoolean() ? json.object(3) : Arrays.asList(json.value(3), json.value(2)))
                    .getBytes(StandardCharsets.UTF_8);
            byte[] mutated = i % 10 == 0 ? text : mutate(text, random);
            boolean isJson = isJson(mutated);
            String refusal = refusal(decoder, mutated);
            assertThat(refusal == null)
                    .as("%s: %s", new String(mutated, StandardCharsets.ISO_8859_1), refusal)
                    .isEqualTo(isJson);
            good += isJson ? 1 : 0;
            bad += isJson ? 0 : 1;
        }
        assertThat(good).isGreaterThan(1_500);
        assertThat(bad).isGreaterThan(3_000);
    }

    @Test
    void shouldRefuseRandomBytesWithoutFail() {
        Random random = new Random(7);
        Decoder decoder = Decoder.create(DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT, "a[*].b")));
        byte[] alphabet = "{}[]:,\"\\ua0b1-.eE+ntrf \n\t".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < 40_000; i++) {
            byte[] text = new byte[random.nextInt(40)];
            random.nextBytes(text);
            for (int k = 0; i % 2 == 0 && k < text.length; k++) {
                text[k] = alphabet[(text[k] & 0xff) % alphabet.length];
            }
            boolean isJson = isJson(text);
            assertThat(refusal(decoder, text) == null)
                    .as(new String(text, StandardCharsets.ISO_8859_1))
                    .isEqualTo(isJson);
        }
    }

    private static byte[] mutate(byte[] text, Random random) {
        byte[] mutated = text.clone();
        for (int k = 1 + random.nextInt(2); k > 0; k--) {
            int at = random.nextInt(mutated.length);
            switch (random.nextInt(5)) {
                case 0 -> mutated[at] = (byte) random.nextInt(256);
                case 1 -> mutated[at] = (byte) "{}[]:,\"\\ 0-.e".charAt(random.nextInt(13));
                case 2 -> mutated = Arrays.copyOf(mutated, at + 1);
                case 3 -> System.arraycopy(text, 0, mutated, at, Math.min(text.length, mutated.length - at));
                default -> mutated[at] = mutated[random.nextInt(mutated.length)];
            }
        }
        return mutated;
    }

    /** Why it is refused as JSON, with what must not be read around it; null if it is not. */
    private static String refusal(Decoder decoder, byte[] text) {
        byte[] around = new byte[text.length + 20];
        Arrays.fill(around, (byte) '"');
        System.arraycopy(text, 0, around, 0, text.length);
        DecodedRows decoded = new DecodedRows();
        decoder.decode(
                new io.updraft.base.record.Chunk(
                        "u", 0, 1, around, text.length, new int[] {text.length}, new long[] {0}, null),
                decoded);
        // What is refused for its content may be no JSON further on: then that does not matter.
        String reason = decoded.reasons.isEmpty() ? null : decoded.reasons.get(0);
        return reason != null && !reason.startsWith("no JSON") && isJson(text) ? null : reason;
    }

    private static boolean isJson(byte[] text) {
        try {
            String string = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
            try (JsonParser parser = REFERENCE.createParser(string)) {
                return isOneValue(parser);
            }
        } catch (CharacterCodingException e) {
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isOneValue(JsonParser parser) throws IOException {
        int depth = 0;
        JsonToken token = parser.nextToken();
        if (token == null) {
            return false;
        }
        while (token != null) {
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            boolean text = token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME;
            if (depth > JsonScanner.MAX_DEPTH || (text && !isWellFormed(parser.getText()))) {
                return false;
            }
            token = parser.nextToken();
            if (depth == 0) {
                return token == null;
            }
        }
        return false;
    }

    private static boolean isWellFormed(String text) {
        return StandardCharsets.UTF_8.newEncoder().canEncode(text);
    }

    @Test
    void shouldReadHugeRecords() {
        String text = "ab\\n".repeat(4 << 20);
        DecodedRows decoded = DecodedRows.lines(
                DecodeSpec.json(DecodedColumn.of("a", FieldType.TEXT), DecodedColumn.of("n", FieldType.DOUBLE)),
                "{\"z\":[" + "1,".repeat(4 << 20) + "1],\"a\":\"" + text + "\",\"n\":1" + "0".repeat(300) + "."
                        + "0".repeat(1 << 20) + "1}\n{\"a\":\"x\"}");

        assertThat(decoded.reasons).isEmpty();
        assertThat(decoded.rows).hasSize(2);
        assertThat((String) decoded.rows.get(0).get(0)).hasSize(12 << 20).startsWith("ab\nab\n");
        assertThat(decoded.rows.get(0).get(1)).isEqualTo(1e300);
    }

    @Test
    void shouldReadTenThousandColumns() {
        DecodedColumn[] columns = new DecodedColumn[10_000];
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < columns.length; i++) {
            columns[i] = DecodedColumn.of("column" + i, FieldType.LONG);
            text.append(i == 0 ? "" : ",")
                    .append("\"column")
                    .append(i * 7919 % columns.length)
                    .append("\":")
                    .append(i);
        }

        DecodedRows decoded = DecodedRows.lines(DecodeSpec.json(columns), text + "}\n" + text + "}");

        assertThat(decoded.reasons).isEmpty();
        for (List<Object> row : decoded.rows) {
            for (int i = 0; i < columns.length; i++) {
                assertThat(row.get(i * 7919 % columns.length)).isEqualTo((long) i);
            }
        }
        assertThat(decoded.rows).hasSize(2);
    }
}
