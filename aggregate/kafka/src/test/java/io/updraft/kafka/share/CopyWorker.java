package io.updraft.kafka.share;

import io.updraft.kafka.sink.TransactionalWriter;
import io.updraft.kafka.sink.WriterSettings;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The main class of a test process. It adds up the numbers of its shares and writes, for each batch of a partition, one record
 * to the topic of results. It prints its assignments to standard output, and ends when standard input does.
 */
final class CopyWorker implements ShareCoordinator.Listener {

    private record Owned(Share.Assigned share, Map<ClusterPartition, Long> positions) {}

    /** As in pipelines: a commit that waits for a rebalance holds up the very thread that lets go. */
    private static final Duration TRANSACTION_PATIENCE = Duration.ofSeconds(3);

    /** Writes results and commits the positions of their shares. */
    private interface Writer {
        void commit(TransactionalWriter.Results results, List<Share.Commit> shares);
    }

    private final Writer writer;
    private final List<ProducerRecord<byte[], byte[]>> results = new ArrayList<>();
    private final String sums;
    private final Map<String, KafkaConsumer<byte[], byte[]>> consumers = new TreeMap<>();
    private final BlockingQueue<Runnable> events = new LinkedBlockingQueue<>();
    private final Map<Share, Owned> owned = new TreeMap<>();
    private volatile boolean leaving;

    private CopyWorker(List<ClusterTopics> clusters, Writer writer, String sums) {
        this.writer = writer;
        this.sums = sums;
        for (ClusterTopics cluster : clusters) {
            Map<String, Object> properties = new TreeMap<>(cluster.properties());
            properties.put("enable.auto.commit", "false");
            properties.put("auto.offset.reset", "earliest");
            // Small batches, so that there are many transactions.
            properties.put("max.poll.records", "200");
            ByteArrayDeserializer bytes = new ByteArrayDeserializer();
            consumers.put(cluster.name(), new KafkaConsumer<>(properties, bytes, bytes));
        }
    }

    /**
     * Arguments: {@code group|group848|zookeeper}, {@code once|least}, for each cluster its bootstrap servers (separated by
     * semicolons), group, for each cluster its topics, session in ms, topic of results in the first cluster, ZooKeeper.
     */
    public static void main(String[] arguments) throws IOException {
        List<ClusterTopics> clusters = clusters(arguments[2].split(";"), arguments[4].split(";"));
        ShareCoordinator coordinator = coordinator(arguments, clusters);
        Map<String, Object> properties = clusters.get(0).properties();
        Writer writer = arguments[1].equals("once")
                ? new TransactionalWriter(WriterSettings.of(properties), coordinator)::commit
                : atLeastOnce(properties, coordinator);
        CopyWorker worker = new CopyWorker(clusters, writer, arguments[6]);
        Thread work = new Thread(worker::run, "work");
        work.start();
        coordinator.join(worker);
        while (System.in.read() >= 0) {
            continue;
        }
        coordinator.close();
        worker.leaving = true;
    }

    private static Writer atLeastOnce(Map<String, Object> properties, ShareCoordinator coordinator) {
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        return (results, shares) -> {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            results.forEach(result -> sent.add(producer.send(result)));
            try {
                for (Future<RecordMetadata> one : sent) {
                    one.get();
                }
                coordinator.commit(shares).get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof FencedException fenced ? fenced : new IllegalStateException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        };
    }

    private static List<ClusterTopics> clusters(String[] bootstraps, String[] topics) {
        List<ClusterTopics> clusters = new ArrayList<>();
        for (int i = 0; i < bootstraps.length; i++) {
            clusters.add(new ClusterTopics(
                    "c" + i, Map.of("bootstrap.servers", bootstraps[i]), List.of(topics[i].split(","))));
        }
        return clusters;
    }

    private static ShareCoordinator coordinator(String[] arguments, List<ClusterTopics> clusters) {
        Duration session = Duration.ofMillis(Long.parseLong(arguments[5]));
        if (arguments[0].equals("zookeeper")) {
            boolean once = arguments[1].equals("once");
            return new ZooKeeperCoordinator(new ZooKeeperSettings(
                    arguments[7],
                    "/updraft",
                    arguments[3],
                    clusters,
                    session,
                    once ? TRANSACTION_PATIENCE : Duration.ofSeconds(30),
                    once ? Optional.of("c0") : Optional.empty()));
        }
        GroupSettings settings = GroupSettings.of(clusters.get(0), arguments[3])
                .withSession(session)
                .withPatience(TRANSACTION_PATIENCE);
        return new GroupCoordinator(
                arguments[0].equals("group848")
                        ? settings.withOverrides(Map.of("group.protocol", "consumer"))
                        : settings);
    }

    @Override
    public void onAssigned(List<Share.Assigned> shares) {
        events.add(() -> shares.forEach(share -> {
            Map<ClusterPartition, Long> positions = new TreeMap<>();
            share.partitions()
                    .forEach(p -> positions.put(p, share.progress().positions().getOrDefault(p, 0L)));
            owned.put(share.share(), new Owned(share, positions));
            say("own", share.ownership());
        }));
    }

    @Override
    public CompletionStage<Void> onRevoked(List<Share.Ownership> shares, String reason) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        events.add(() -> {
            shares.forEach(this::drop);
            done.complete(null);
        });
        return done;
    }

    @Override
    public void onLost(List<Share.Ownership> shares, String reason) {
        events.add(() -> shares.forEach(this::drop));
    }

    @Override
    public void onFailed(Throwable cause) {
        cause.printStackTrace();
        Runtime.getRuntime().halt(3);
    }

    private void drop(Share.Ownership one) {
        Owned ownedShare = owned.get(one.share());
        if (ownedShare != null && ownedShare.share.ownership().equals(one)) {
            owned.remove(one.share());
            say("end", one);
        }
    }

    private static void say(String event, Share.Ownership one) {
        System.out.println(
                System.currentTimeMillis() + " " + event + " " + one.share().index() + " " + one.epoch());
    }

    private void run() {
        try {
            while (!leaving) {
                for (Runnable event = events.poll(); event != null; event = events.poll()) {
                    event.run();
                    assign();
                }
                step();
            }
        } catch (RuntimeException e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(2);
        }
    }

    private void assign() {
        consumers.forEach((cluster, consumer) -> {
            Map<TopicPartition, Long> wanted = new HashMap<>();
            owned.values()
                    .forEach(share -> share.positions.forEach((p, next) -> {
                        if (p.cluster().equals(cluster)) {
                            wanted.put(new TopicPartition(p.topic(), p.partition()), next);
                        }
                    }));
            consumer.assign(wanted.keySet());
            wanted.forEach(consumer::seek);
        });
    }

    private void step() {
        if (owned.isEmpty()) {
            waitForAnEvent();
            return;
        }
        Map<Share, Map<ClusterPartition, Long>> read = new TreeMap<>();
        consumers.forEach((cluster, consumer) -> {
            if (!consumer.assignment().isEmpty()) {
                read(cluster, consumer.poll(Duration.ofMillis(20)), read);
            }
        });
        if (!read.isEmpty()) {
            commit(read);
        }
    }

    private void read(
            String cluster, ConsumerRecords<byte[], byte[]> records, Map<Share, Map<ClusterPartition, Long>> read) {
        for (TopicPartition partition : records.partitions()) {
            ClusterPartition name = new ClusterPartition(cluster, partition.topic(), partition.partition());
            Owned ownedShare = owned.get(new Share(name.partition()));
            sum(ownedShare.share.ownership(), name, ownedShare.positions.get(name), records.records(partition));
            // All positions of the share, as exactly-once over clusters needs.
            read.computeIfAbsent(new Share(name.partition()), share -> new TreeMap<>(ownedShare.positions))
                    .put(name, last(records.records(partition)) + 1);
        }
    }

    private void waitForAnEvent() {
        try {
            Runnable event = events.poll(20, TimeUnit.MILLISECONDS);
            if (event != null) {
                event.run();
                assign();
            }
        } catch (InterruptedException e) {
            leaving = true;
        }
    }

    private static long last(List<ConsumerRecord<byte[], byte[]>> records) {
        return records.get(records.size() - 1).offset();
    }

    private void sum(
            Share.Ownership ownership,
            ClusterPartition partition,
            long from,
            List<ConsumerRecord<byte[], byte[]>> records) {
        long sum = 0;
        for (ConsumerRecord<byte[], byte[]> record : records) {
            sum += ByteBuffer.wrap(record.value()).getInt();
        }
        String text = partition.topic() + " " + partition.partition() + " " + ownership.epoch() + " " + from + " "
                + (last(records) + 1) + " " + sum;
        results.add(new ProducerRecord<>(sums, 0, null, text.getBytes(StandardCharsets.UTF_8)));
    }

    private void commit(Map<Share, Map<ClusterPartition, Long>> read) {
        List<Share.Commit> commits = new ArrayList<>();
        read.forEach((share, positions) -> commits.add(new Share.Commit(
                owned.get(share).share.ownership(), new Share.Progress(positions, "closed " + positions.values()))));
        try {
            writer.commit(results::forEach, commits);
            read.forEach((share, positions) -> owned.get(share).positions.putAll(positions));
        } catch (FencedException e) {
            System.out.println(System.currentTimeMillis() + " fenced " + e.getMessage());
            Set.copyOf(e.fenced()).forEach(this::drop);
            // The rest was dropped with it, and is read again.
            assign();
        } finally {
            results.clear();
        }
    }
}
