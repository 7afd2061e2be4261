package io.updraft.base.conf;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single values of a configuration, which may come from Java, YAML or a command line. A wrong value is refused with a
 * message on one line: the key, the value and the allowed values. A key whose value is null counts as missing. Immutable if the
 * map is.
 *
 * @param conf the configuration
 * @param refusal creates the exception of a wrong value from its message
 */
public record ConfReader(Map<String, Object> conf, Function<String, ? extends IllegalArgumentException> refusal) {

    private static final Logger LOG = LoggerFactory.getLogger(ConfReader.class);

    private static final long MILLI = 1_000_000;

    /** The warnings logged so far. A configuration is read more than once, but each warning is logged once. */
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

    /**
     * Creates a reader that refuses a wrong value with an {@link IllegalArgumentException}.
     *
     * @param conf the configuration
     */
    public ConfReader(Map<String, Object> conf) {
        this(conf, IllegalArgumentException::new);
    }

    /**
     * Reads a whole number.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @param least the smallest allowed value
     * @return the number
     */
    public int integer(String key, int otherwise, int least) {
        return integer(key, otherwise, least, Integer.MAX_VALUE);
    }

    /**
     * Reads a whole number.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @param least the smallest allowed value
     * @param most the greatest allowed value
     * @return the number
     */
    public int integer(String key, int otherwise, int least, int most) {
        Object value = conf.get(key);
        if (value == null) {
            return otherwise;
        }
        OptionalLong number = wholeNumber(value);
        if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
            String range = most == Integer.MAX_VALUE ? " of at least " + least : " from " + least + " to " + most;
            throw refuse(key, value, "a whole number" + range);
        }
        return (int) number.getAsLong();
    }

    private static OptionalLong wholeNumber(Object value) {
        if (value instanceof Number number && number.doubleValue() == number.longValue()) {
            return OptionalLong.of(number.longValue());
        }
        try {
            return OptionalLong.of(Long.parseLong(value.toString().trim()));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private IllegalArgumentException refuse(String key, Object value, String allowed) {
        return refusal.apply(key + " is '" + value + "': it must be " + allowed);
    }

    /**
     * Reads a whole number for which Storm allows a wider range than this transport. A value outside the narrower range is
     * replaced by the nearest value inside it, which is logged once for each key and value.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @param least the smallest value that Storm allows
     * @param first the smallest value used here; at least {@code least}
     * @param last the greatest value used here
     * @return the number, in the range used here
     */
    public int nearest(String key, int otherwise, int least, int first, int last) {
        int value = integer(key, otherwise, least, Integer.MAX_VALUE);
        int used = Math.max(first, Math.min(last, value));
        if (used != value && LOGGED.add(key + '=' + value)) {
            LOG.warn("{} is {}: using {}, because the range supported here is {} to {}", key, value, used, first, last);
        }
        return used;
    }

    /**
     * Reads a time in milliseconds.
     *
     * @param key the key
     * @param otherwise the value if the key is missing, milliseconds
     * @param least the smallest allowed value, milliseconds
     * @param most the greatest allowed value, milliseconds
     * @return the time in nanoseconds
     */
    public long nanosOfMillis(String key, int otherwise, int least, int most) {
        return integer(key, otherwise, least, most) * MILLI;
    }

    /**
     * Reads a flag.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @return the flag; the texts "true" and "false" are accepted too, as in Storm
     */
    public boolean flag(String key, boolean otherwise) {
        Object value = conf.get(key);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toString().trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw refuse(key, value, "true or false");
        };
    }

    /**
     * Reads a constant of an enum. Its name in the configuration has small letters and hyphens.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @return the constant
     * @param <E> the enum
     */
    public <E extends Enum<E>> E constant(String key, E otherwise) {
        Object value = conf.get(key);
        if (value == null) {
            return otherwise;
        }
        String word = value.toString().toLowerCase(Locale.ROOT);
        List<E> constants = List.of(otherwise.getDeclaringClass().getEnumConstants());
        return constants.stream()
                .filter(constant -> nameOf(constant).equals(word))
                .findFirst()
                .orElseThrow(() -> refuse(key, value, namesOf(constants)));
    }

    private static String namesOf(List<? extends Enum<?>> constants) {
        List<String> names =
                constants.stream().map(constant -> "'" + nameOf(constant) + "'").toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads one of several words.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @param choices the allowed words
     * @return the word
     */
    public String choice(String key, String otherwise, List<String> choices) {
        Object value = conf.get(key);
        String word = value == null ? otherwise : value.toString();
        if (!choices.contains(word)) {
            throw refuse(key, word, "one of " + choices);
        }
        return word;
    }

    /**
     * Reads text.
     *
     * @param key the key
     * @return the text; empty if the key is missing or its text is empty
     */
    public Optional<String> text(String key) {
        Object value = conf.get(key);
        return value == null || value.toString().isEmpty() ? Optional.empty() : Optional.of(value.toString());
    }
}
