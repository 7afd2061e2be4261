package io.updraft.transport;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single values of a configuration. A wrong value causes an {@link IllegalArgumentException} with a message on one line:
 * the key, the value and the allowed values. A key whose value is null counts as missing. Immutable if the map is.
 *
 * @param conf the configuration
 */
public record ConfReader(Map<String, Object> conf) {

    private static final Logger LOG = LoggerFactory.getLogger(ConfReader.class);

    private static final long MILLI = 1_000_000;

    /** The warnings logged so far. A configuration is read more than once, but each warning is logged once. */
    private static final Set<String> LOGGED = ConcurrentHashMap.newKeySet();

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
        if (value instanceof Number number
                && number.longValue() == number.doubleValue()
                && number.longValue() >= least
                && number.longValue() <= most) {
            return number.intValue();
        }
        String range = most == Integer.MAX_VALUE ? "at least " + least : "from " + least + " to " + most;
        throw new IllegalArgumentException(key + " is '" + value + "': it must be a whole number, " + range);
    }

    /**
     * Reads a whole number for which Storm allows a wider range than this transport. A value outside the narrower range is
     * replaced by the nearest value inside it, which is logged once for each key and value.
     *
     * @param key the key
     * @param otherwise the value if the key is missing
     * @param least the smallest value that Storm allows
     * @param from the smallest value used here; at least {@code least}
     * @param to the greatest value used here
     * @return the number, in the range used here
     */
    public int nearest(String key, int otherwise, int least, int from, int to) {
        int value = integer(key, otherwise, least, Integer.MAX_VALUE);
        int used = Math.max(from, Math.min(to, value));
        if (used != value && LOGGED.add(key + '=' + value)) {
            LOG.warn("{} is {}: using {}, because the range supported here is {} to {}", key, value, used, from, to);
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
        return Boolean.parseBoolean(choice(key, String.valueOf(otherwise), List.of("true", "false")));
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
            throw new IllegalArgumentException(key + " is '" + word + "': it must be one of " + choices);
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
