package io.updraft.servers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The configurations of the brokers of one cluster: all of them broker and controller in one (KRaft's combined mode), small, and
 * quick to notice that one has died.
 *
 * @param ports of the brokers
 * @param controllerPorts of their controllers
 * @param wishes what the user of the cluster wants differently
 */
record BrokerConfig(List<Integer> ports, List<Integer> controllerPorts, Map<String, String> wishes) {

    /** A quorum of two could lose none of them; so of two brokers one is the controller. */
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
     * Of several brokers, a dead one is noticed after 4 s, instead of 9 s. Where there is only one, nobody takes over from it: then a
     * busy machine must not make it look dead, for it would be without leaders until it is heard of again; but one that was killed can
     * only begin again when the one before counts as dead.
     */
    private void putSession(Map<String, String> config) {
        config.put("broker.session.timeout.ms", ports.size() == 1 ? "12000" : "4000");
        // A broker that is not a member of the cluster after this ends by itself: by default after 60 s, which a busy
        // machine may take.
        config.put("initial.broker.registration.timeout.ms", "600000");
        if (ports.size() > 1) {
            // What a broker asks of a controller that was stopped is asked of the next one after this, instead of 30 s.
            config.put("controller.socket.timeout.ms", "3000");
        }
    }

    private static void putQuick(Map<String, String> config) {
        config.put("group.initial.rebalance.delay.ms", "0");
        config.put("broker.heartbeat.interval.ms", "500");
        config.put("replica.lag.time.max.ms", "4000");
        // What members may ask for; what they get by default is as in any cluster.
        config.put("group.min.session.timeout.ms", "1000");
        config.put("group.consumer.min.session.timeout.ms", "1000");
        config.put("group.consumer.min.heartbeat.interval.ms", "200");
    }
}
