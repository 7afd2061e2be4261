package io.updraft.bench.aggregate.peer;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Like {@link ConsumerPeer}, but with Updraft's reader: reads records into batches and ignores them. Writes no results. */
public final class ReaderPeer implements MeasuredPeer {

    private static final long IDLE_NANOS = 100_000;

    /** Called by name. */
    public ReaderPeer() {}

    @Override
    public String title() {
        return "reader alone";
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("threads", String.valueOf(job.parallelism()));
        BarePeer.consumer(job).forEach((name, value) -> settings.put("consumer." + name, value.toString()));
        return settings;
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) {
        IntStream.range(0, job.parallelism()).forEach(share -> {
            DaemonThreads.start("reader-" + share, () -> read(job, share, failed));
        });
    }

    private static void read(PeerJob job, int share, Consumer<Throwable> failed) {
        ReaderConfig config = ReaderConfig.of(job.bootstrapServers());
        for (Map.Entry<String, Object> setting : BarePeer.consumer(job).entrySet()) {
            config = config.with(setting.getKey(), setting.getValue());
        }
        try (KafkaReader reader = new KafkaReader(config)) {
            BarePeer.share(job, share).forEach(partition -> reader.assign(partition, KafkaReader.EARLIEST));
            while (true) {
                if (reader.poll() == null) {
                    LockSupport.parkNanos(IDLE_NANOS);
                }
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }
}
