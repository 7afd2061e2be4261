package io.updraft.servers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * A real Kafka cluster on this host. It has one or several brokers, each in a JVM of its own, on free ports of the loopback
 * interface, with a directory of its own. Use the {@link #shared} cluster if possible. Otherwise start one for a test class,
 * and close it at the end; if this JVM dies earlier, all processes and files are removed too.
 *
 * <p>The data of a topic survives the kill of a broker, but not {@link #close}. May be used from any thread, but only from one
 * at a time.
 */
public final class KafkaServer implements AutoCloseable {

    /**
     * The session timeout of consumers at the {@link #shared} broker: in Kafka's new group protocol the broker sets that
     * timeout.
     */
    public static final Duration SHARED_SESSION = Duration.ofSeconds(10);

    private static final Duration START = Duration.ofMinutes(5);
    private static final long POLL_MILLIS = 50;
    private static final int ANSWER_MILLIS = 60_000;

    /** With several brokers, one may be suspended: a request to it times out soon and goes to another broker. */
    private static final int ANSWER_OF_ONE_MILLIS = 5_000;

    /** The client may have repeated a request that took longer than this. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(2);

    private static KafkaServer shared;

    private final ServerHome home = new ServerHome("kafka");
    private final List<KafkaBroker> brokers = new ArrayList<>();
    private Admin admin;

    private KafkaServer(Builder builder) {
        Ports ports = new Ports();
        List<Integer> brokerPorts = IntStream.range(0, builder.brokers)
                .mapToObj(i -> i == 0 && builder.port != 0 ? builder.port : ports.next())
                .toList();
        List<Integer> controllerPorts =
                brokerPorts.stream().map(port -> ports.next()).toList();
        BrokerConfig config = new BrokerConfig(brokerPorts, controllerPorts, Map.copyOf(builder.config));
        String clusterId = Uuid.randomUuid().toString();
        for (int id = 1; id <= builder.brokers; id++) {
            brokers.add(
                    new KafkaBroker(home, id, brokerPorts.get(id - 1), clusterId, builder.jvmOptions, config.of(id)));
        }
    }

    /** {@return a running cluster of one broker} */
    public static KafkaServer start() {
        return cluster(1);
    }

    /**
     * Returns the broker that the test classes of this JVM share. The first call starts it, and it ends with the JVM. Test
     * classes must use their own names of topics, groups and transactional ids. Session timeouts of consumers are short.
     *
     * @return a cluster of one broker, which must not be closed
     */
    public static synchronized KafkaServer shared() {
        if (shared == null) {
            shared = builder()
                    .config("group.consumer.session.timeout.ms", Long.toString(SHARED_SESSION.toMillis()))
                    .config("group.consumer.heartbeat.interval.ms", "250")
                    .start();
        }
        return shared;
    }

    /**
     * Starts a cluster.
     *
     * @param brokers the number of brokers; with fewer than three, only the first is a controller, so that the others may be
     *     killed
     * @return the cluster, with all brokers running
     */
    public static KafkaServer cluster(int brokers) {
        return builder().brokers(brokers).start();
    }

    /** {@return a builder, initially of a cluster of one broker} */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds clusters. */
    public static final class Builder {

        private int brokers = 1;
        private int port;
        private List<String> jvmOptions = ServerJvm.LEAN;
        private final Map<String, String> config = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Sets the number of brokers.
         *
         * @param number the number, at least 1
         * @return this
         */
        public Builder brokers(int number) {
            brokers = number;
            return this;
        }

        /**
         * Sets a fixed port of the first broker, for use by hand; tests use free ports.
         *
         * @param number a free port
         * @return this
         */
        public Builder port(int number) {
            port = number;
            return this;
        }

        /**
         * Sets a key of {@code server.properties} for all brokers.
         *
         * @param key the key
         * @param value the value
         * @return this
         */
        public Builder config(String key, String value) {
            config.put(key, value);
            return this;
        }

        /**
         * Sets the options of the brokers' JVMs. They replace the defaults, which are for a fast start and little memory, for
         * measurements in which the broker must not be the bottleneck.
         *
         * @param options JVM options, such as {@code -Xmx1g}
         * @return this
         */
        public Builder jvmOptions(String... options) {
            jvmOptions = List.of(options);
            return this;
        }

        /**
         * Starts the cluster.
         *
         * @return the cluster, with all brokers running; to be closed by the caller
         */
        public KafkaServer start() {
            KafkaServer server = new KafkaServer(this);
            try {
                server.brokers.forEach(KafkaBroker::start);
                server.awaitBrokers(brokers);
                return server;
            } catch (RuntimeException | Error e) {
                server.close();
                throw e;
            }
        }
    }

    /** {@return the addresses of all brokers, for {@code bootstrap.servers}} */
    public String bootstrap() {
        return brokers.stream().map(KafkaBroker::address).collect(Collectors.joining(","));
    }

    /**
     * Returns a broker.
     *
     * @param id the broker's number, from 1
     * @return the broker
     */
    public KafkaBroker broker(int id) {
        return brokers.get(id - 1);
    }

    /** {@return a client for everything that this class has no method for; closed with the cluster} */
    public Admin admin() {
        if (admin == null) {
            admin = Admin.create(Map.of(
                    AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                    bootstrap(),
                    AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
                    200,
                    AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                    brokers.size() == 1 ? ANSWER_MILLIS : ANSWER_OF_ONE_MILLIS,
                    AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                    ANSWER_MILLIS));
        }
        return admin;
    }

    /**
     * Waits until the given number of brokers are members of the cluster.
     *
     * @param number the minimum number
     * @throws ServerException when that takes more than five minutes, or a broker's process ends; the message has the ends of
     *     all logs
     */
    public void awaitBrokers(int number) {
        await(number + " brokers to answer", () -> {
            brokers.forEach(this::checkStarting);
            // A connection to a port is no proof: the controller lists a broker only after its registration.
            return admin().describeCluster().nodes().get().size() >= number ? Optional.of(true) : Optional.empty();
        });
    }

    /** Throws if a broker has ended, unless {@link KafkaBroker#kill} killed it. */
    private void checkStarting(KafkaBroker broker) {
        if (broker.failed()) {
            throw new ServerException("broker " + broker.id() + " of Kafka ended by itself\n" + home.tails());
        }
    }

    /**
     * Creates a topic, and waits until each partition has a leader.
     *
     * @param name a new name
     * @param partitions the number of partitions
     * @param replication the number of replicas of each partition
     */
    public void createTopic(String name, int partitions, int replication) {
        createTopic(new NewTopic(name, partitions, (short) replication));
    }

    /**
     * Creates a topic, and waits until each partition has a leader.
     *
     * @param topic the topic, with assignments or settings
     */
    public void createTopic(NewTopic topic) {
        AtomicBoolean asked = new AtomicBoolean();
        await("topic " + topic.name(), () -> {
            long began = System.nanoTime();
            try {
                admin().createTopics(List.of(topic)).all().get();
            } catch (ExecutionException e) {
                // The topic was requested before, by this method, the client or a broker: on a busy machine only the
                // answer was late.
                boolean again = asked.getAndSet(true) || System.nanoTime() - began > ASKED_AGAIN.toNanos();
                if (!again || !(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
            return Optional.of(true);
        });
        TopicDescription described = await("leaders of topic " + topic.name(), () -> {
            TopicDescription description = admin().describeTopics(List.of(topic.name()))
                    .allTopicNames()
                    .get()
                    .get(topic.name());
            return description.partitions().stream().allMatch(partition -> partition.leader() != null)
                    ? Optional.of(description)
                    : Optional.empty();
        });
        awaitReplicas(topic.name(), described.partitions().size());
    }

    /** Waits for replicas: a leader is elected before it is ready, and it is ready when it returns the end of its partition. */
    private void awaitReplicas(String topic, int partitions) {
        Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
        }
        await(
                "replicas of topic " + topic,
                () -> Optional.of(admin().listOffsets(ends).all().get()));
    }

    private <T> T await(String what, Callable<Optional<T>> question) {
        long deadline = System.nanoTime() + START.toNanos();
        Exception last = null;
        while (System.nanoTime() - deadline < 0) {
            try {
                Optional<T> answer = question.call();
                if (answer.isPresent()) {
                    return answer.get();
                }
                Thread.sleep(POLL_MILLIS);
            } catch (ExecutionException e) {
                if (!(e.getCause() instanceof RetriableException)) {
                    throw new ServerException("waiting for " + what + ": " + e.getCause() + "\n" + home.tails(), e);
                }
                last = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ServerException("interrupted while waiting for " + what, e);
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServerException("waiting for " + what, e);
            }
        }
        throw new ServerException("waited " + START.toSeconds() + " s for " + what + "\n" + home.tails(), last);
    }

    /** Kills all brokers with kill -9, and removes their data. */
    @Override
    public void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
        }
        home.close();
    }
}
