package io.updraft.storm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Hides the secrets of a configuration before it is shown. Storm's own {@code ConfigUtils.maskPasswords} covers a single
 * setting. Here the name of a setting decides whether its value is secret, for Storm's settings and all others.
 */
final class SecretMask {
    private static final String HIDDEN = "*****";

    /** Patterns of secret names. "blowfish" is in Storm's name for the key of a cipher. Paths of key stores are not secret. */
    private static final Pattern SECRET = Pattern.compile(
            "passw|passphrase|secret|token|auth\\.payload|jaas\\.config|(api|private|blowfish|keystore|access)[._-]?key$",
            Pattern.CASE_INSENSITIVE);

    private SecretMask() {}

    /** Returns the configuration with asterisks in place of secret values, also within maps and lists. */
    public static Map<String, Object> hide(Map<?, ?> conf) {
        Map<String, Object> shown = new LinkedHashMap<>();
        conf.forEach((key, value) -> shown.put(String.valueOf(key), isSecret(key, value) ? HIDDEN : hideWithin(value)));
        return shown;
    }

    /** Returns whether a value is secret. Only strings are: {@code ...password.length}, for example, has a number. */
    private static boolean isSecret(Object key, Object value) {
        return value instanceof String && SECRET.matcher(String.valueOf(key)).find();
    }

    private static Object hideWithin(Object value) {
        if (value instanceof Map<?, ?> map) {
            return hide(map);
        }
        return value instanceof List<?> list
                ? list.stream().map(SecretMask::hideWithin).toList()
                : value;
    }
}
