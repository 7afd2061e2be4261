package io.updraft.bench.aggregate.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.updraft.bench.aggregate.data.Firehose;
import io.updraft.bench.aggregate.data.Loader;
import io.updraft.bench.aggregate.data.RecordWriter;
import io.updraft.bench.aggregate.peer.Job;
import io.updraft.bench.aggregate.peer.PeerMain;
import io.updraft.bench.aggregate.peer.Usage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * How late results are: records come at a steady rate with the clock's time, and each window's results are looked at when the broker
 * got them. A record's latency is that of its window's result: how long after the window's end it was there.
 *
 * <p>The first window, in which everything starts, does not count.
 */
public final class LatencyRun {

    private static final Duration RESULTS = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 500;
    private static final long HIGHEST_MILLIS = 3_600_000;
    private static final long PACE_NANOS = 500_000;

    private final Topics topics;
    private final String bootstrapServers;
    private final Firehose firehose;
    private final Map<Long, Long> sent = new HashMap<>();
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * Prepares a run.
     *
     * @param topics of the broker
     * @param bootstrapServers of the same
     * @param firehose which keys and partitions, and how long windows are
     */
    public LatencyRun(Topics topics, String bootstrapServers, Firehose firehose) {
        this.topics = topics;
        this.bootstrapServers = bootstrapServers;
        this.firehose = firehose;
    }

    /**
     * How late results were.
     *
     * @param latency of records, milliseconds
     * @param cores how many the process was busy on
     * @param problems what is wrong; empty if all windows that count have all records
     */
    public record Result(Histogram latency, double cores, List<String> problems) {}

    /**
     * Runs.
     *
     * @param job its input and output are created
     * @param heap of the JVM
     * @param rate records per second
     * @param windows how many count
     * @return how late results were
     * @throws IOException when no JVM can be started
     * @throws InterruptedException when this thread is interrupted
     */
    public Result run(Job job, String heap, long rate, int windows) throws IOException, InterruptedException {
        topics.create(job.input(), firehose.partitions());
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        try (ChildJvm child = new ChildJvm(PeerMain.class, job.toJson(), heap, ClassPaths.updraft())) {
            long now = System.currentTimeMillis();
            // What is left of this window, and one more, are for the start.
            long first = (now / firehose.windowMillis() + 2) * firehose.windowMillis();
            long end = first + windows * firehose.windowMillis();
            send(job.input(), rate, end + firehose.windowMillis() / 2);
            Result result = awaitResults(child, job.output(), first, end);
            if (child.problem() != null) {
                return new Result(result.latency(), 0, List.of(child.problem() + "\n" + child.tail()));
            }
            return result;
        } finally {
            topics.delete(job.input());
            topics.delete(job.output());
        }
    }

    private void send(String topic, long rate, long untilMillis) {
        RecordWriter writer = new RecordWriter(firehose.keys());
        try (KafkaProducer<byte[], byte[]> producer = Loader.producer(bootstrapServers)) {
            long began = System.nanoTime();
            long next = 0;
            for (long now = System.currentTimeMillis(); now < untilMillis; now = System.currentTimeMillis()) {
                long due = (long) ((System.nanoTime() - began) / 1e9 * rate);
                int count = 0;
                for (; next < due; next++, count++) {
                    int key = firehose.key(next);
                    producer.send(new ProducerRecord<>(
                            topic,
                            firehose.partition(key),
                            writer.name(key),
                            writer.json(now, key, firehose.value(next))));
                }
                sent.merge(now / firehose.windowMillis() * firehose.windowMillis(), (long) count, Long::sum);
                LockSupport.parkNanos(PACE_NANOS);
            }
        }
    }

    /** Looks at all results until every window that counts is complete, or that has taken too long. */
    private Result awaitResults(ChildJvm child, String output, long first, long end) throws InterruptedException {
        long deadline = System.nanoTime() + RESULTS.toNanos();
        while (true) {
            Histogram latency = new Histogram(HIGHEST_MILLIS, 3);
            Map<Long, Long> counted = new HashMap<>();
            topics.readAll(output, PeerRun.OUTPUT_PARTITIONS, result -> look(result, first, end, counted, latency));
            List<String> problems = problems(counted, first, end);
            if (problems.isEmpty() || child.problem() != null || System.nanoTime() - deadline > 0) {
                return new Result(latency, cores(child.samples(), first, end), problems);
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    private void look(
            ConsumerRecord<byte[], byte[]> result, long first, long end, Map<Long, Long> counted, Histogram latency) {
        try {
            JsonNode json = mapper.readTree(result.value());
            long start = Instant.parse(json.path("window_start").asText()).toEpochMilli();
            if (start >= first && start < end) {
                long count = json.path("count").longValue();
                counted.merge(start, count, Long::sum);
                long late = result.timestamp() - (start + firehose.windowMillis());
                latency.recordValueWithCount(Math.min(HIGHEST_MILLIS, Math.max(0, late)), count);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> problems(Map<Long, Long> counted, long first, long end) {
        List<String> problems = new ArrayList<>();
        for (long start = first; start < end; start += firehose.windowMillis()) {
            long expected = sent.getOrDefault(start, 0L);
            long found = counted.getOrDefault(start, 0L);
            if (found != expected || expected == 0) {
                problems.add("the window of " + Instant.ofEpochMilli(start) + " has " + found + " records of "
                        + expected + " that were sent");
            }
        }
        return problems;
    }

    private static double cores(List<Usage> samples, long first, long end) {
        List<Usage> counted = samples.stream()
                .filter(sample -> sample.millis() >= first && sample.millis() < end)
                .toList();
        if (counted.size() < 2) {
            return Double.NaN;
        }
        Usage from = counted.get(0);
        Usage to = counted.get(counted.size() - 1);
        return (to.cpuNanos() - from.cpuNanos()) / 1e6 / (to.millis() - from.millis());
    }
}
