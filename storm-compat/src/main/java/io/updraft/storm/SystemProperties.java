package io.updraft.storm;

import java.util.LinkedHashMap;
import java.util.Map;

/** System properties that are set for a while and put back to what they were. Not safe for use by several threads. */
final class SystemProperties implements AutoCloseable {
    private final Map<String, String> before = new LinkedHashMap<>();

    void set(String key, String value) {
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
