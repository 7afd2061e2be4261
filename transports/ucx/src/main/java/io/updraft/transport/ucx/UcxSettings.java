package io.updraft.transport.ucx;

import io.updraft.transport.TransportException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The UCX settings of a configuration.
 *
 * @param tls the transports that UCX may use: {@code auto}, {@code rc}, {@code shm}, {@code tcp}, or a list as in
 *     {@code UCX_TLS}
 * @param spin whether waiting burns a core (lowest latency) instead of sleeping for some microseconds at a time
 * @param ucx UCX's own settings from the configuration, without the prefix {@code UCX_}
 */
record UcxSettings(String tls, boolean spin, Map<String, String> ucx) {

    /** The transports that UCX may use. */
    static final String TLS = "updraft.transport.ucx.tls";

    /** How to wait: {@code park} (default) or {@code spin}. */
    static final String WAIT = "updraft.transport.ucx.wait";

    private static final String PREFIX = "UCX_";

    static UcxSettings of(Map<String, Object> conf) throws TransportException {
        TreeMap<String, String> ucx = new TreeMap<>();
        conf.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                ucx.put(key.substring(PREFIX.length()), String.valueOf(value));
            }
        });
        return new UcxSettings(word(conf, TLS, "auto"), spin(word(conf, WAIT, "park")), ucx);
    }

    private static String word(Map<String, Object> conf, String key, String otherwise) {
        Object value = conf.get(key);
        return value == null ? otherwise : value.toString().strip().toLowerCase(Locale.ROOT);
    }

    private static boolean spin(String wait) throws TransportException {
        return switch (wait) {
            case "spin" -> true;
            case "park" -> false;
            default -> throw new TransportException(WAIT + " is '" + wait + "': it must be spin or park");
        };
    }
}
