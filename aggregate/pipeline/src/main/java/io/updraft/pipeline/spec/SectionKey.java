package io.updraft.pipeline.spec;

import io.updraft.storm.yaml.YamlMap;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A key of a section.
 *
 * @param otherwise the default as a description states it; empty for none
 * @param usually the default in words, if it depends on the rest of the description
 * @param meaning the meaning in one sentence
 * @param least the least number; a number below it stands for none
 * @param component the component of the section's record that has the value
 */
record SectionKey(
        String name,
        boolean required,
        String otherwise,
        String usually,
        String meaning,
        Form form,
        long least,
        long most,
        RecordComponent component) {

    /** How a value is written. */
    enum Form {
        /** As is usual for its type. */
        PLAIN,
        /** A list of words, which commas may separate. */
        WORDS,
        /** A number of bytes, such as {@code 64MB}. */
        BYTES,
        /** A duration longer than zero. */
        POSITIVE,
        /** A duration from one millisecond to 24 days. */
        MILLIS,
        /** A duration or {@code any}. */
        DISORDER,
        /** A text that {@code --explain} does not show. */
        SECRET,
        /** A URL in which {@code --explain} does not show the password. */
        URL,
        /** {@code true} or {@code false}, from which the reader of the section makes the value. */
        FLAG,
        /** Addresses of Kafka clusters. The settings of the clients are in the key {@code properties}. */
        CLIENTS,
        /** As only the reader of the section knows. */
        OTHER
    }

    static SectionKey of(Class<? extends Record> section, String row) {
        String[] cells = row.strip().split("\\s*\\|\\s*", 4);
        String[] names = cells[0].split("!? |!", 2);
        String name = names[0];
        String field = names.length < 2 || names[1].isEmpty() ? camelCase(name) : names[1];
        RecordComponent component = Arrays.stream(section.getRecordComponents())
                .filter(each -> each.getName().equals(field))
                .findFirst()
                .orElseThrow();
        String range = cells[1].contains("..") ? cells[1].replaceFirst(".* ", "") : "0..";
        String form = cells[1].contains("..") ? cells[1].replace(range, "").strip() : cells[1];
        boolean inWords = cells[2].startsWith("(");
        return new SectionKey(
                name,
                cells[0].contains("!"),
                inWords ? "" : cells[2],
                inWords ? cells[2].substring(1, cells[2].length() - 1) : "",
                cells[3],
                form.isEmpty() ? Form.PLAIN : EnumText.parse(Form.class, form),
                limit(range.split("\\.\\.", -1)[0], Long.MIN_VALUE),
                limit(range.split("\\.\\.", -1)[1], Long.MAX_VALUE),
                component);
    }

    private static long limit(String text, long none) {
        return text.isEmpty() ? none : text.matches("\\d+") ? Long.parseLong(text) : QuantityText.size(text);
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(.)")
                .matcher(name)
                .replaceAll(letter -> letter.group(1).toUpperCase(Locale.ROOT));
    }

    String field() {
        return component.getName();
    }

    Class<?> type() {
        return component.getType();
    }

    Object in(Record section) {
        try {
            return component.getAccessor().invoke(section);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Reads the value; returns the default if there is none or it is wrong. */
    Object read(YamlMap map) {
        if (required) {
            map.require(name);
        }
        if (form == Form.OTHER) {
            map.get(name);
            return null;
        }
        if (type().isRecord()) {
            return map.has(name) ? new Section<>(map.map(name), type().asSubclass(Record.class)).record() : null;
        }
        if (type() == List.class || type() == Map.class) {
            return collection(map);
        }
        return map.parse(name, defaultValue(), text -> checked(map, parse(text)));
    }

    private Object collection(YamlMap map) {
        if (form == Form.CLIENTS) {
            List<String> servers = map.texts("bootstrap");
            Map<String, String> client = client(map, servers);
            return type() == List.class
                    ? servers.stream().map(each -> client(map, List.of(each))).toList()
                    : client;
        }
        if (type() == Map.class) {
            return map.all(name);
        }
        if (!map.has(name) && !otherwise.isEmpty()) {
            return List.of(otherwise.split(", "));
        }
        return form == Form.WORDS ? map.words(name) : map.texts(name);
    }

    private static Map<String, String> client(YamlMap map, List<String> servers) {
        Map<String, String> client = map.all("properties");
        if (!servers.isEmpty()) {
            client.put("bootstrap.servers", String.join(",", servers));
        }
        return client;
    }

    private Object defaultValue() {
        if (!otherwise.isEmpty()) {
            return parse(otherwise);
        }
        if (type() == String.class || type() == Path.class) {
            return required ? parse("") : null;
        }
        if (type() == boolean.class || form == Form.FLAG) {
            return false;
        }
        long none = required ? least : least > 0 ? 0 : least - 1;
        return type() == long.class ? (Object) none : type() == int.class ? (int) none : null;
    }

    private Object parse(String text) {
        if (type().isEnum()) {
            return constant(text);
        }
        return form == Form.FLAG
                ? (Object) flag(text)
                : form == Form.BYTES ? (Object) QuantityText.size(text) : plain(text);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private Object constant(String text) {
        return EnumText.parse((Class) type(), text);
    }

    private Object plain(String text) {
        return switch (type().getSimpleName()) {
            case "boolean" -> flag(text);
            case "int", "long" -> YamlMap.number(text);
            case "char" -> character(text);
            case "Duration" -> duration(text);
            case "Path" -> Path.of(text);
            case "URI" -> URI.create(text);
            case "Instant" -> instant(text);
            case "ZoneId" -> zone(text);
            case "WindowLength" -> WindowLength.parse(text);
            default -> text;
        };
    }

    private Duration duration(String text) {
        if (form == Form.DISORDER && text.equals(QuantityText.ANY)) {
            return TimeSpec.ANY_DISORDER;
        }
        return QuantityText.duration(text);
    }

    private static boolean flag(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("must be true or false, not '" + text + "'");
        }
        return text.equals("true");
    }

    private static char character(String text) {
        String character = text.equals("\\t") || text.equals("tab") ? "\t" : text;
        if (character.length() != 1) {
            throw new IllegalArgumentException("must be one character, not '" + text + "'");
        }
        return character.charAt(0);
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("'" + text + "' is not an instant; write it as 2026-01-01T00:00:00Z");
        }
    }

    static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is not a time zone; write UTC, +01:00 or Europe/Vienna");
        }
    }

    /** Returns the value if it is in its limits. Reports it and returns the default if not. */
    private Object checked(YamlMap map, Object value) {
        String limit = null;
        if (value instanceof Long number && (number < least || number > most)) {
            limit = "from " + least + " to " + most + ", not " + number;
        } else if (required && value.equals("")) {
            limit = "a text, not empty";
        } else if (form == Form.POSITIVE && ((Duration) value).isZero()) {
            limit = "longer than 0s";
        } else if (form == Form.MILLIS && !isMillis((Duration) value)) {
            limit = "at least 1ms and less than 24 days";
        }
        if (limit != null) {
            map.mistake(name, "'" + name + "' must be " + limit);
            return defaultValue();
        }
        return value;
    }

    private static boolean isMillis(Duration duration) {
        return duration.toMillis() >= 1 && duration.toMillis() <= Integer.MAX_VALUE;
    }
}
