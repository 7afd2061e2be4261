package io.updraft.transport;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads single values of a configuration. A wrong one ends in an {@link IllegalArgumentException} whose message is one line for
 * people: the key, the value, and what is allowed. A key whose value is null counts as not there. Immutable, if the map is.
 */
public final class ConfReader {

    private static final Logger LOG = LoggerFactory.getLogger(ConfReader.class);

    private static final long MILLI = 1_000_000;

    /** What was logged: a configuration is read more than once. */
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private final Map<String, Object> conf;

    /**
     * Creates a reader.
     *
     * @param conf what to read
     */
    public ConfReader(Map<String, Object> conf) {
        this.conf = conf;
    }

    /**
     * Reads a whole number.
     *
     * @param key the key
     * @param otherwise the value if there is none
     * @param least the least that is allowed
     * @param most the most that is allowed
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
     * Reads a whole number of which Storm allows more values than are of use here. One that is out of our range counts as the
     * nearest in it, and that is logged, once for each value.
     *
     * @param key the key
     * @param otherwise the value if there is none
     * @param least the least that is allowed
     * @param from the least of use, no less than what is allowed
     * @param to the most of use
     * @return the number, in our range
     */
    public int nearest(String key, int otherwise, int least, int from, int to) {
        int value = integer(key, otherwise, least, Integer.MAX_VALUE);
        int used = Math.max(from, Math.min(to, value));
        if (used != value && TOLD.add(key + '=' + value)) {
            LOG.warn("{} is {}: {} is used, since it is from {} to {} here", key, value, used, from, to);
        }
        return used;
    }

    /**
     * Reads a time in milliseconds.
     *
     * @param key the key
     * @param otherwise the value if there is none, milliseconds
     * @param least the least that is allowed, milliseconds
     * @param most the most that is allowed, milliseconds
     * @return the time in nanoseconds
     */
    public long nanosOfMillis(String key, int otherwise, int least, int most) {
        return integer(key, otherwise, least, most) * MILLI;
    }

    /**
     * Reads a flag.
     *
     * @param key the key
     * @param otherwise the value if there is none
     * @return the flag; text that says true or false will do, as in Storm
     */
    public boolean flag(String key, boolean otherwise) {
        return Boolean.parseBoolean(choice(key, String.valueOf(otherwise), List.of("true", "false")));
    }

    /**
     * Reads one of several words.
     *
     * @param key the key
     * @param otherwise the value if there is none
     * @param choices all that is allowed
     * @return one of them
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
     * @return the text; empty if there is none
     */
    public Optional<String> text(String key) {
        Object value = conf.get(key);
        return value == null || value.toString().isEmpty() ? Optional.empty() : Optional.of(value.toString());
    }
}
