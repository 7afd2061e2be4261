package io.updraft.bench.aggregate.peer;

import io.updraft.base.thread.DaemonThreads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;

/** The reading part of {@link BarePeer}: polls all records and ignores them. Writes no results. */
public final class ConsumerPeer implements MeasuredPeer {

    private static final Duration POLL = Duration.ofMillis(100);

    /** Called by name. */
    public ConsumerPeer() {}

    @Override
    public String title() {
        return "consumer alone";
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        return Map.of("threads", String.valueOf(job.parallelism()), "consumer", "same as the bare loop");
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) {
        for (int thread = 0; thread < job.parallelism(); thread++) {
            int share = thread;
            DaemonThreads.start("consumer-" + thread, () -> read(job, share, failed));
        }
    }

    private static void read(PeerJob job, int share, Consumer<Throwable> failed) {
        try (KafkaConsumer<ByteBuffer, ByteBuffer> consumer = BarePeer.consumer(job, BarePeer.share(job, share))) {
            while (true) {
                consumer.poll(POLL);
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }
}
