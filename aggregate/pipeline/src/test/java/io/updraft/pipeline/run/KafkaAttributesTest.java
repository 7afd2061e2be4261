package io.updraft.pipeline.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.kafka.reader.KafkaChunk;
import io.updraft.kafka.reader.KafkaReader;
import io.updraft.kafka.reader.ReaderConfig;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.ResultPlace;
import io.updraft.pipeline.spec.SpecReader;
import io.updraft.pipeline.sql.SqlQuery;
import io.updraft.servers.KafkaServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields of what Kafka knows of records, from the broker to the result. */
@Tag("slow")
class KafkaAttributesTest {

    @TempDir
    Path directory;

    private final KafkaServer kafka = KafkaServer.shared();

    private void send(String topic, int partition, long time, String key, String tenant, int n) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = kafka.producer()) {
            ProducerRecord<byte[], byte[]> produced = new ProducerRecord<>(
                    topic,
                    partition,
                    time,
                    key == null ? null : key.getBytes(UTF_8),
                    ("{\"n\":" + n + "}").getBytes(UTF_8));
            if (tenant != null) {
                produced.headers().add("tenant", "not the last".getBytes(UTF_8));
                produced.headers().add("tenant", tenant.getBytes(UTF_8));
            }
            producer.send(produced).get();
        }
    }

    @Test
    void shouldAggregateByHeadersKeysAndPlaces() throws Exception {
        kafka.createTopic("attributes", 2, 1);
        send("attributes", 0, 1_000, "7", "a", 1);
        send("attributes", 0, 2_000, "7", "a", 2);
        send("attributes", 0, 3_000, null, null, 4);
        send("attributes", 1, 61_000, "9", "b", 8);
        send("attributes", 1, 62_000, "x", "b", 16);
        Path out = directory.resolve("out.csv");
        Path dead = directory.resolve("dead.json");

        ShortRuns.toEnd("attributes", """
                source: {kafka: {bootstrap: "%s", topic: attributes, to_end: true}}
                format: json
                flatten:
                  fields:
                    n: long
                    tenant: {from: header tenant, default: nobody}
                    user: {type: long, from: key}
                    part: {from: partition}
                    offset: {from: offset}
                    topic: {from: topic}
                    sent: {from: timestamp}
                  derive: {label: "topic || '-' || part"}
                  filter: offset >= 0 and sent >= '1970-01-01T00:00:01Z'
                time: {field: sent, ahead: 36500d}
                aggregate: {group_by: [tenant, label], measures: {s: sum(n), u: max(user), last: max(offset)}, every: 1m}
                sinks: [{csv: {path: "%s"}}]
                dead_letters: {file: "%s"}
                """.formatted(kafka.bootstrap(), out, dead));

        assertThat(Files.readString(out).lines().skip(1).map(row -> row.replaceFirst("^[^,]*,[^,]*,", "")))
                .containsExactlyInAnyOrder("a,attributes-0,3,7,1", "nobody,attributes-0,4,,2", "b,attributes-1,8,9,0");
        assertThat(Files.readString(dead)).contains("column user: expected a whole number of 64 bits, found \\\"x\\\"");
    }

    /** The job of the examples that counts by a header. */
    @Test
    void shouldCountByAHeaderAsAQuerySays() throws Exception {
        kafka.createTopic("measurements", 2, 1);
        send("measurements", 0, 1_000, null, "a", 1);
        send("measurements", 1, 2_000, null, "b", 1);
        send("measurements", 1, 3_000, null, "a", 1);
        send("measurements", 0, 4_000, null, null, 1);
        send("measurements", 0, 61_000, null, "b", 1);
        Path examples = Path.of("../../examples/aggregate");
        Path out = directory.resolve("out.csv");
        PipelineSpec spec = SqlQuery.read(
                new SpecReader(Map.of("BROKER", kafka.bootstrap())),
                "tenants.sql",
                Files.readString(examples.resolve("tenants.sql")),
                "tenants",
                SpecReader.nodes(examples.resolve("sources.yaml")),
                List.of(ResultPlace.of(out.toString())));
        try (RunningPipeline running = Pipelines.start(spec)) {
            assertThat(running.awaitEnd(Duration.ofSeconds(60))).as("ended").isTrue();
        }

        assertThat(Files.readString(out)
                        .lines()
                        .skip(1)
                        .map(row -> row.replaceFirst("^[^,]*:0([01]):00Z,[^,]*,", "$1 ")))
                .containsExactlyInAnyOrder("0 a,2,0,1", "0 b,1,0,0", "0 nobody,1,1,1", "1 b,1,2,2");
    }

    @Test
    void shouldRouteByAHeader() throws Exception {
        kafka.createTopic("by-header", 1, 1);
        kafka.createTopic("routed", 1, 1);
        send("by-header", 0, 1_000, "7", "a", 1);
        send("by-header", 0, 2_000, "7", "b", 2);

        ShortRuns.toEnd("by-header", """
                source: {kafka: {bootstrap: "%s", topic: by-header, to_end: true}}
                format: json
                flatten: {fields: {n: long, tenant: {from: header tenant}}}
                route: {key: tenant, topic: routed, bootstrap: "%s", partitions: 1}
                """.formatted(kafka.bootstrap(), kafka.bootstrap()));

        List<String> routed = new ArrayList<>();
        try (KafkaReader reader =
                new KafkaReader(ReaderConfig.of(kafka.bootstrap()).withKeys())) {
            reader.assign(new TopicPartition("routed", 0), 0);
            Await.until("both records are routed", () -> {
                if (reader.poll() instanceof KafkaChunk chunk) {
                    for (int i = 0; i < chunk.count(); i++) {
                        routed.add(new String(chunk.key(i), UTF_8) + " " + chunk.text(i));
                    }
                }
                return routed.size() == 2;
            });
        }
        assertThat(routed).containsExactlyInAnyOrder("a {\"n\":1}", "b {\"n\":2}");
    }
}
