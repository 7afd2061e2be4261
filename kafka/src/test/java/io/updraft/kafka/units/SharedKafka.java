package io.updraft.kafka.units;

import io.updraft.servers.KafkaServer;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Gives tests the one broker of this run of tests, which is stopped when all of them have ended. */
final class SharedKafka implements ParameterResolver {

    /** What Kafka's own group protocol takes for a session is the broker's to say. */
    static final String SESSION_MILLIS = "6000";

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == KafkaServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        return test.getRoot()
                .getStore(Namespace.create(SharedKafka.class))
                .getOrComputeIfAbsent(
                        "broker",
                        key -> KafkaServer.builder()
                                .config("group.consumer.session.timeout.ms", SESSION_MILLIS)
                                .config("group.consumer.heartbeat.interval.ms", "250")
                                .start(),
                        KafkaServer.class);
    }
}
