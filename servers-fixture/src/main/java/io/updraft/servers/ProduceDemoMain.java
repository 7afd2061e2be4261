package io.updraft.servers;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The main class of {@code examples/aggregate/produce}: sends random measurements at a rate. At the end it prints the number of
 * records and the sum of their values, for comparison with the aggregates.
 */
final class ProduceDemoMain {

    private static final String[] METRICS = {"cpu", "memory", "disk", "network"};
    private static final int HOSTS = 10;
    private static final int VALUES = 100;

    private ProduceDemoMain() {}

    /**
     * Sends the records, then ends.
     *
     * @param arguments the address of the broker, the topic, the records a second, and the number of seconds
     */
    public static void main(String[] arguments) {
        String topic = arguments[1];
        long rate = Long.parseLong(arguments[2]);
        long records = rate * Long.parseLong(arguments[3]);
        AtomicReference<Exception> failure = new AtomicReference<>();
        Random random = new Random(1);
        long sum = 0;
        long sent = 0;
        long start = System.nanoTime();
        try (KafkaProducer<byte[], byte[]> producer = producer(arguments[0])) {
            while (sent < records && failure.get() == null) {
                awaitTurn(start, sent, rate);
                int value = random.nextInt(VALUES);
                producer.send(record(topic, random, value), (metadata, e) -> failure.compareAndSet(null, e));
                sum += value;
                sent++;
            }
        }
        if (failure.get() != null) {
            System.err.println("produce: topic " + topic + " at " + arguments[0] + ": "
                    + failure.get().getMessage() + "; is the broker running?");
            Runtime.getRuntime().exit(1);
        }
        System.out.println("sent " + sent + " records, whose values add up to " + sum);
    }

    private static KafkaProducer<byte[], byte[]> producer(String bootstrap) {
        return new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        10_000,
                        ProducerConfig.LINGER_MS_CONFIG,
                        5),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    private static void awaitTurn(long start, long sent, long rate) {
        long due = start + (long) (sent * 1e9 / rate);
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
            LockSupport.parkNanos(wait);
        }
    }

    /**
     * Creates a record. Its key holds the fields by which the pipeline groups, so that all records of a group are in one
     * partition.
     */
    private static ProducerRecord<byte[], byte[]> record(String topic, Random random, int value) {
        String metric = METRICS[random.nextInt(METRICS.length)];
        String host = "host-" + random.nextInt(HOSTS);
        String json = "{\"metric\":\"" + metric + "\",\"host\":{\"name\":\"" + host + "\"},\"value\":" + value + "}";
        return new ProducerRecord<>(
                topic, (metric + "/" + host).getBytes(StandardCharsets.UTF_8), json.getBytes(StandardCharsets.UTF_8));
    }
}
