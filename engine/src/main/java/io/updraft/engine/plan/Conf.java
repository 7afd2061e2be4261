package io.updraft.engine.plan;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads single values of a configuration, which may come from Java, YAML or a command line. */
public final class Conf {

    private Conf() {}

    /**
     * {@return the number}
     *
     * @param conf the configuration
     * @param key the key
     * @param fallback the value when the key is missing
     * @param atLeast the smallest allowed value
     * @throws InvalidTopology when the value is not a whole number or too small
     */
    public static int integer(Map<String, Object> conf, String key, int fallback, int atLeast) {
        Object value = conf.get(key);
        if (value == null) {
            return fallback;
        }
        long number = number(key, value, atLeast);
        if (number < atLeast || number > Integer.MAX_VALUE) {
            throw expected(key, value, atLeast);
        }
        return (int) number;
    }

    private static long number(String key, Object value, int atLeast) {
        if (value instanceof Number number && number.doubleValue() == number.longValue()) {
            return number.longValue();
        }
        try {
            return Long.parseLong(String.valueOf(value).trim());
        } catch (NumberFormatException e) {
            throw expected(key, value, atLeast);
        }
    }

    private static InvalidTopology expected(String key, Object value, int atLeast) {
        return new InvalidTopology(key + " is '" + value + "': it must be a whole number of at least " + atLeast);
    }

    /**
     * {@return the boolean}
     *
     * @param conf the configuration
     * @param key the key
     * @param fallback the value when the key is missing
     * @throws InvalidTopology when the value is neither true nor false
     */
    public static boolean bool(Map<String, Object> conf, String key, boolean fallback) {
        Object value = conf.get(key);
        if (value == null) {
            return fallback;
        }
        return switch (String.valueOf(value).trim()) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new InvalidTopology(key + " is '" + value + "': it must be true or false");
        };
    }

    /**
     * {@return the constant of an enum; its name in the configuration has small letters and hyphens}
     *
     * @param conf the configuration
     * @param key the key
     * @param fallback the value when the key is missing
     * @throws InvalidTopology when the value is the name of no constant
     */
    static <E extends Enum<E>> E oneOf(Map<String, Object> conf, String key, E fallback) {
        Object value = conf.get(key);
        if (value == null) {
            return fallback;
        }
        String wanted = String.valueOf(value).toLowerCase(Locale.ROOT);
        List<E> all = List.of(fallback.getDeclaringClass().getEnumConstants());
        return all.stream()
                .filter(each -> nameOf(each).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new InvalidTopology(key + " is '" + value + "': it must be " + namesOf(all)));
    }

    private static String namesOf(List<? extends Enum<?>> all) {
        List<String> names = all.stream().map(each -> "'" + nameOf(each) + "'").toList();
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    private static String nameOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
