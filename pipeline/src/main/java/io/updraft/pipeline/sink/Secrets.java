package io.updraft.pipeline.sink;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;

/** Keeps passwords out of messages, logs and explanations. */
public final class Secrets {

    /** Up to the last at sign, as passwords may have some that are not escaped. */
    private static final Pattern USER_INFO = Pattern.compile("(://[^/@:?]*):.*@");

    private static final Pattern PARAMETER = Pattern.compile("(?i)([?&;][a-z]*password=)[^&;]*");

    /** Something that looks like one, whatever it is said to be. */
    private static final Pattern NAMES = Pattern.compile("(?i).*(password|secret|token|jaas|credential).*");

    private static final List<ConfigDef> KNOWN =
            List.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

    private Secrets() {}

    /**
     * A setting of a Kafka client, with stars in place of a value that is a secret or may be one: Kafka knows which of its own
     * settings are, and nobody what others are.
     */
    public static String hide(String name, String value) {
        List<ConfigDef.ConfigKey> keys = KNOWN.stream()
                .map(known -> known.configKeys().get(name))
                .filter(Objects::nonNull)
                .toList();
        boolean harmless = !keys.isEmpty()
                && keys.stream().allMatch(key -> key.type != ConfigDef.Type.PASSWORD)
                && !NAMES.matcher(name).matches();
        return harmless ? hide(value) : "***";
    }

    /** An address with stars in place of its password. */
    public static String hide(String address) {
        String hidden = USER_INFO.matcher(address).replaceAll("$1:***@");
        return PARAMETER.matcher(hidden).replaceAll("$1***");
    }
}
