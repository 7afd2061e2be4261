package io.updraft.storm;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Hides what of a configuration is told to nobody. Storm's own {@code ConfigUtils.maskPasswords} knows a single setting of the
 * kind, so that here names decide: Storm's settings and those of others say what is secret.
 */
final class Secrets {
    private static final String HIDDEN = "*****";

    /** The last is how Storm calls the key of a cipher; the paths of key stores are no secret. */
    private static final Pattern SECRET = Pattern.compile(
            "passw|passphrase|secret|token|auth\\.payload|jaas\\.config|(api|private|blowfish|keystore|access)[._-]?key$",
            Pattern.CASE_INSENSITIVE);

    private Secrets() {}

    /** {@return the configuration with asterisks in the place of what is secret, also within maps and lists} */
    static Map<String, Object> hide(Map<?, ?> conf) {
        Map<String, Object> shown = new LinkedHashMap<>();
        conf.forEach((key, value) -> shown.put(String.valueOf(key), isSecret(key, value) ? HIDDEN : hideWithin(value)));
        return shown;
    }

    /** A number or a class is none: of {@code ...password.length} and the like. */
    private static boolean isSecret(Object key, Object value) {
        return value instanceof String && SECRET.matcher(String.valueOf(key)).find();
    }

    private static Object hideWithin(Object value) {
        if (value instanceof Map<?, ?> map) {
            return hide(map);
        }
        return value instanceof List<?> list
                ? list.stream().map(Secrets::hideWithin).toList()
                : value;
    }
}
