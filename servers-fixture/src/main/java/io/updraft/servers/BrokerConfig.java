package io.updraft.servers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The configurations of the brokers of one cluster. Each is broker and controller in one (KRaft's combined mode), uses few
 * resources, and notices the death of another broker quickly.
 *
 * @param ports the ports of the brokers
 * @param controllerPorts the ports of their controllers
 * @param wishes settings that override the defaults here
 */
record BrokerConfig(List<Integer> ports, List<Integer> controllerPorts, Map<String, String> wishes) {

    /** Returns the number of controllers. A quorum of two can lose neither, so that two brokers have one controller. */
    private int voters() {
        return ports.size() < 3 ? 1 : 3;
    }

    Map<String, String> of(int id) {
        Map<String, String> config = new LinkedHashMap<>();
        boolean votes = id <= voters();
        String broker = "BROKER://127.0.0.1:" + ports.get(id - 1);
        config.put("node.id", Integer.toString(id));
        config.put("process.roles", votes ? "broker,controller" : "broker");
        config.put("listeners", votes ? broker + ",CONTROLLER://127.0.0.1:" + controllerPorts.get(id - 1) : broker);
        config.put("advertised.listeners", broker);
        config.put("inter.broker.listener.name", "BROKER");
        config.put("controller.listener.names", "CONTROLLER");
        config.put("listener.security.protocol.map", "BROKER:PLAINTEXT,CONTROLLER:PLAINTEXT");
        config.put("controller.quorum.voters", quorum());
        putSmall(config);
        putQuick(config);
        putSession(config);
        config.putAll(wishes);
        return config;
    }

    private String quorum() {
        return IntStream.rangeClosed(1, voters())
                .mapToObj(id -> id + "@127.0.0.1:" + controllerPorts.get(id - 1))
                .collect(Collectors.joining(","));
    }

    private void putSmall(Map<String, String> config) {
        String replicas = Integer.toString(Math.min(3, ports.size()));
        for (String topic : List.of("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")) {
            config.put(topic + ".replication.factor", replicas);
            config.put(topic + ".num.partitions", "4");
        }
        config.put("transaction.state.log.min.isr", "1");
        config.put("share.coordinator.state.topic.min.isr", "1");
        config.put("auto.create.topics.enable", "false");
        config.put("num.network.threads", "2");
        config.put("num.io.threads", "4");
        config.put("background.threads", "2");
        config.put("log.cleaner.dedupe.buffer.size", "4194304");
    }

    /**
     * Sets the session timeout of brokers. With several brokers, a dead one is noticed after 4 s instead of 9 s. A single
     * broker has a longer timeout: no other broker takes over from it, and on a busy machine it must not count as dead, because
     * its partitions have no leader until its next heartbeat. A single broker that was killed can start again only after its
     * previous session has expired.
     */
    private void putSession(Map<String, String> config) {
        config.put("broker.session.timeout.ms", ports.size() == 1 ? "12000" : "4000");
        // A broker that has not registered after this time ends by itself. The default is 60 s, which may be too short
        // on a busy machine.
        config.put("initial.broker.registration.timeout.ms", "600000");
        if (ports.size() > 1) {
            // After this time, instead of 30 s, a broker repeats a request to a suspended controller at the next one.
            config.put("controller.socket.timeout.ms", "3000");
        }
    }

    private static void putQuick(Map<String, String> config) {
        config.put("group.initial.rebalance.delay.ms", "0");
        config.put("broker.heartbeat.interval.ms", "500");
        config.put("replica.lag.time.max.ms", "4000");
        // Only minimums, so that members may request shorter times; the defaults are Kafka's.
        config.put("group.min.session.timeout.ms", "1000");
        config.put("group.consumer.min.session.timeout.ms", "1000");
        config.put("group.consumer.min.heartbeat.interval.ms", "200");
    }
}
