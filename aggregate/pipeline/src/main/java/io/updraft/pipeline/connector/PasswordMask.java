package io.updraft.pipeline.connector;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Hides passwords in messages, logs and the output of {@code --explain}. */
public final class PasswordMask {

    /** Reaches to the last at sign, since passwords may contain unescaped at signs. */
    private static final Pattern USER_INFO = Pattern.compile("(://[^/@:?]*):.*@");

    private static final Pattern PARAMETER = Pattern.compile("(?i)([?&;][a-z]*password=)[^&;]*");

    /** Names that look like secrets, whatever their type. */
    private static final Pattern NAMES = Pattern.compile("(?i).*(password|secret|token|jaas|credential).*");

    private static final List<ConfigDef> KNOWN =
            List.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

    private PasswordMask() {}

    /**
     * Returns the value of a Kafka client setting, or stars if it is a secret or may be one. Kafka knows the types of its own
     * settings; any other setting may be a secret.
     */
    public static String hide(String name, String value) {
        List<ConfigDef.ConfigKey> keys = KNOWN.stream()
                .map(definition -> definition.configKeys().get(name))
                .filter(Objects::nonNull)
                .toList();
        boolean harmless = !keys.isEmpty()
                && keys.stream().allMatch(key -> key.type != ConfigDef.Type.PASSWORD)
                && !NAMES.matcher(name).matches();
        return harmless ? hide(value) : "***";
    }

    /** Returns an address with stars in place of its password. */
    public static String hide(String address) {
        String hidden = USER_INFO.matcher(address).replaceAll("$1:***@");
        return PARAMETER.matcher(hidden).replaceAll("$1***");
    }
}
