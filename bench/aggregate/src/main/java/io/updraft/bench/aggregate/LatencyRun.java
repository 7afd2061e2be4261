package io.updraft.bench.aggregate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.updraft.bench.process.ChildLost;
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
 * Measures the latency of results. Records are written at a steady rate with the current time as event time. A result's latency
 * is the time from its window's end until the broker appended the result. A record has the latency of its window's result.
 *
 * <p>The first windows, in which everything starts, do not count.
 */
final class LatencyRun {

    private static final Duration RESULTS = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 500;
    private static final long HIGHEST_MILLIS = 3_600_000;
    private static final long PACE_NANOS = 500_000;

    private final BenchTopics topics;
    private final MeasurementSequence firehose;
    private final Map<Long, Long> sent = new HashMap<>();
    private final ObjectMapper mapper = new ObjectMapper();

    /**
     * Prepares a run.
     *
     * @param firehose gives keys, partitions and the window length
     */
    public LatencyRun(BenchTopics topics, MeasurementSequence firehose) {
        this.topics = topics;
        this.firehose = firehose;
    }

    /**
     * The result of a run.
     *
     * @param latency the latencies of records in milliseconds
     * @param problems the problems; empty if every counted window has all its records
     */
    public record Result(Histogram latency, double cores, List<String> problems) {}

    /**
     * Executes a run.
     *
     * @param job the job; its topics are created and deleted
     * @param rate records per second
     */
    public Result run(PeerJob job, String heap, long rate, int windows) throws IOException, InterruptedException {
        topics.create(job.input(), firehose.partitions());
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        try (PeerJvm child = new PeerJvm(job, heap, true)) {
            long now = System.currentTimeMillis();
            // The rest of this window and the next one are for the start.
            long first = (now / firehose.windowMillis() + 2) * firehose.windowMillis();
            long end = first + windows * firehose.windowMillis();
            send(job.input(), rate, end + firehose.windowMillis() / 2);
            return awaitResults(child, job.output(), first, end);
        } catch (ChildLost e) {
            return new Result(new Histogram(HIGHEST_MILLIS, 3), 0, List.of(e.getMessage()));
        } finally {
            topics.delete(job.input());
            topics.delete(job.output());
        }
    }

    private void send(String topic, long rate, long untilMillis) {
        RecordWriter writer = new RecordWriter(firehose.keys());
        try (KafkaProducer<byte[], byte[]> producer = TopicLoader.producer(topics.bootstrap())) {
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

    /** Reads all results repeatedly until every counted window is complete, or for three minutes. */
    private Result awaitResults(PeerJvm child, String output, long first, long end) throws InterruptedException {
        long deadline = System.nanoTime() + RESULTS.toNanos();
        while (true) {
            Histogram latency = new Histogram(HIGHEST_MILLIS, 3);
            Map<Long, Long> counted = new HashMap<>();
            topics.readAll(output, PeerRun.OUTPUT_PARTITIONS, result -> look(result, first, end, counted, latency));
            List<String> problems = problems(counted, first, end);
            List<PeerUsage> samples = child.samples();
            if (problems.isEmpty() || System.nanoTime() - deadline > 0) {
                return new Result(latency, cores(samples, first, end), problems);
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
                problems.add("the window of " + Instant.ofEpochMilli(start) + " has " + found + " of " + expected
                        + " records that were sent");
            }
        }
        return problems;
    }

    private static double cores(List<PeerUsage> samples, long first, long end) {
        List<PeerUsage> counted = samples.stream()
                .filter(sample -> sample.millis() >= first && sample.millis() < end)
                .toList();
        if (counted.size() < 2) {
            return Double.NaN;
        }
        PeerUsage consumer = counted.get(0);
        PeerUsage to = counted.get(counted.size() - 1);
        return to.usage().since(consumer.usage()).cpuNanos() / 1e6 / (to.millis() - consumer.millis());
    }
}
