package io.updraft.storm.conf;

import java.util.LinkedHashMap;
import java.util.Map;

/** Sets system properties and restores their previous values on close. Not safe for use by several threads. */
public final class SystemProperties implements AutoCloseable {
    private final Map<String, String> before = new LinkedHashMap<>();

    /**
     * Sets a property until {@link #close}.
     *
     * @param key the property
     * @param value its value
     */
    public void set(String key, String value) {
        String old = System.setProperty(key, value);
        if (!before.containsKey(key)) {
            before.put(key, old);
        }
    }

    @Override
    public void close() {
        before.forEach((key, value) -> {
            if (value == null) {
                System.clearProperty(key);
            } else {
                System.setProperty(key, value);
            }
        });
        before.clear();
    }
}
