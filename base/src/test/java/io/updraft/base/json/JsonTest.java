package io.updraft.base.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class JsonTest {

    private enum Colour {
        RED
    }

    private record Point(int x, double y) {}

    private record Everything(
            String text,
            int number,
            long large,
            boolean flag,
            Colour colour,
            Point point,
            List<Point> points,
            Map<String, Point> byName,
            Optional<String> remark,
            Optional<String> none) {}

    @Test
    void shouldReadTheRecordThatWasWritten() {
        Everything record = new Everything(
                "a \"b\"\\\n\u001b",
                -3,
                1L << 60,
                true,
                Colour.RED,
                new Point(1, 2),
                List.of(new Point(3, 0.25)),
                Map.of("p", new Point(4, 1e300)),
                Optional.of("x"),
                Optional.empty());

        assertThat(Json.write(record)).hasLineCount(1);
        assertThat(Json.read(Json.write(record), Everything.class)).isEqualTo(record);
    }

    @Test
    void shouldNameTheMemberThatIsMissingOrWrong() {
        assertThatThrownBy(() -> Json.read("{\"y\":1}", Point.class))
                .isInstanceOf(JsonException.class)
                .hasMessage("'x' is missing");
        assertThatThrownBy(() -> Json.read("{\"x\":\"1\",\"y\":1}", Point.class))
                .isInstanceOf(JsonException.class)
                .hasMessage("'x' is '1'");
        assertThatThrownBy(() -> Json.read("{\"x\":3000000000,\"y\":1}", Point.class))
                .isInstanceOf(JsonException.class)
                .hasMessage("'x' is '3000000000'");
    }

    @Test
    void shouldWriteWhatIsNoNumberAsNull() {
        List<Object> values = Arrays.asList(Double.NaN, Float.POSITIVE_INFINITY, 1.5, null, List.of(), Map.of());
        assertThat(Json.write(values)).isEqualTo("[null,null,1.5,null,[],{}]");
    }

    @Test
    void shouldEscapeControlCharactersButNoSlash() {
        assertThat(Json.write("a/b\u0001\u009b\t")).isEqualTo("\"a/b\\u0001\\u009b\\t\"");
    }

    @Test
    void shouldReadTheEscapesOfJson() {
        assertThat(Json.readObject(" { \"a\\/\\u0041\\b\\f\" : [ 1 , -2.5e1 , true , null , \"\" ] } "))
                .isEqualTo(Map.of("a/A\b\f", Arrays.asList(1L, -25.0, true, null, "")));
        assertThat(Json.readObject("{\"n\":123456789012345678901234567890}"))
                .isEqualTo(Map.of("n", 1.2345678901234568e29));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"}",
                "{\"a\":1,}",
                "{\"a\":1} x",
                "{\"a\":word}",
                "{\"a\":\"b}",
                "{\"a\":01}",
                "{\"a\":.5}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12g4\"}",
                "{\"a\":\"line\nbreak\"}",
                "{'a':1}",
                "{\"a\":[1,]}",
                "{\"a\":NaN}"
            })
    void shouldRefuseWhatIsNoJson(String text) {
        assertThatThrownBy(() -> Json.readObject(text))
                .isInstanceOf(JsonException.class)
                .hasMessage("not valid JSON");
    }

    @Test
    void shouldRefuseWhatIsNoObjectOrTooDeep() {
        assertThatThrownBy(() -> Json.readObject("[]")).hasMessage("not a JSON object");
        assertThatThrownBy(() -> Json.readObject("[".repeat(1_000_000))).hasMessage("not valid JSON");
        assertThatThrownBy(() -> Json.readObject("{\"a\":".repeat(1_000_000))).hasMessage("not valid JSON");
    }

    /** What is written is read, whatever it is. */
    @Test
    void shouldReadAnyValueThatWasWritten() {
        for (int seed = 0; seed < 2_000; seed++) {
            Map<String, Object> value = object(new Random(seed), 4);
            assertThat(Json.readObject(Json.write(value))).as("seed %d", seed).isEqualTo(value);
        }
    }

    private static Map<String, Object> object(Random random, int depth) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            members.put(text(random), value(random, depth - 1));
        }
        return members;
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 5)) {
            case 0 -> null;
            case 1 -> random.nextLong();
            case 2 -> random.nextGaussian() * Math.pow(10, random.nextInt(600) - 300);
            case 3 -> random.nextBoolean();
            case 4 -> text(random);
            case 5 -> object(random, depth);
            default -> {
                List<Object> items = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    items.add(value(random, depth - 1));
                }
                yield items;
            }
        };
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append((char) random.nextInt(random.nextBoolean() ? 128 : Character.MAX_VALUE + 1));
        }
        return text.toString();
    }
}
