package io.updraft.bench.aggregate;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.SpecReader;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Updraft's pipeline, from a description as users write it. All records of a group are in one partition, so the pipeline is
 * keyed. Offsets are tracked and committed unless the option {@code tracking} is false. With the option {@code exactly-once},
 * they are committed in one transaction with the results.
 */
final class UpdraftPeer implements MeasuredPeer {

    private static final Duration LOOK = Duration.ofSeconds(1);

    @Override
    public String title() {
        return "Updraft";
    }

    @Override
    public Map<String, String> settings(PeerJob job) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("parallelism", String.valueOf(job.parallelism()));
        settings.put("keyed", "true");
        settings.put("session", session(job));
        settings.put("tracking", String.valueOf(isTracking(job)));
        settings.put("guarantee", isExactlyOnce(job) ? "exactly once" : "at least once");
        return settings;
    }

    @Override
    public void start(PeerJob job, Consumer<Throwable> failed) throws Exception {
        RunningPipeline pipeline =
                Pipelines.start(new SpecReader(Map.of()).read("peer.yaml", description(job), "bench"));
        DaemonThreads.start("bench-watcher", () -> watch(pipeline, failed));
    }

    private static void watch(RunningPipeline pipeline, Consumer<Throwable> failed) {
        try {
            while (!pipeline.awaitEnd(LOOK)) {
                // the pipeline has no end; wait again
            }
            failed.accept(new IllegalStateException("the pipeline has ended: " + pipeline.failure()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String session(PeerJob job) {
        return job.option("session", "3s");
    }

    private static boolean isTracking(PeerJob job) {
        return Boolean.parseBoolean(job.option("tracking", "true"));
    }

    private static boolean isExactlyOnce(PeerJob job) {
        return Boolean.parseBoolean(job.option("exactly-once", "false"));
    }

    private static String properties(PeerJob job) {
        return job.optionsOf("consumer.").entrySet().stream()
                .map(setting -> setting.getKey() + ": \"" + setting.getValue() + '"')
                .collect(Collectors.joining(", "));
    }

    /** {@return the pipeline in YAML} */
    static String description(PeerJob job) {
        String transaction = isExactlyOnce(job) ? ", exactly_once: true" : "";
        return """
                source:
                  kafka: {bootstrap: "%s", topic: %s, group: %s, session: %s, properties: {%s}}
                format: json
                flatten:
                  fields:
                    time: {type: time, format: millis}
                    metric: text
                    source: text
                    value: long
                time: {field: time, idle: 1h}
                aggregate:
                  group_by: [metric, source]
                  measures:
                    sum: sum(value)
                    avg: avg(value)
                    min: min(value)
                    max: max(value)
                    count: count()
                  every: %dms
                keyed: true
                track: %s
                parallelism: %d
                sinks:
                  - kafka: {bootstrap: "%s", topic: %s%s}
                """.formatted(
                        job.bootstrapServers(),
                        job.input(),
                        job.option("group", job.output()),
                        session(job),
                        properties(job),
                        job.windowMillis(),
                        isTracking(job),
                        job.parallelism(),
                        job.bootstrapServers(),
                        job.output(),
                        transaction);
    }
}
