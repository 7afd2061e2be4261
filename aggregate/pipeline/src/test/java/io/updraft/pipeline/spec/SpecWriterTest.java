package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecWriterTest {

    @TempDir
    Path directory;

    @Test
    void shouldWriteWhatReadsAsTheSamePipeline() throws Exception {
        Path data = Files.writeString(directory.resolve("a b.csv"), "t;k;v\n2026-01-01;'x;y';1\n2026-01-02;z;NA\n");
        assertSameAgain("""
                source: {file: '%s', follow: true, resume: true}
                format: {type: csv, delimiter: ';', quote: "'", null: NA}
                flatten:
                  fields:
                    t: {type: time, zone: Europe/Vienna}
                    k: {type: text, default: "it's ${HOME:nothing}"}
                    v: {type: long}
                    yes: {type: boolean, path: k}
                  derive: {w: v * 2}
                  filter: v > 0
                time: {field: t, disorder: 5s, idle: 1m, ahead: 36h}
                aggregate:
                  group_by: k
                  measures: {n: count(), 'a b': sum(w), p: "quantile(v, 0.999)"}
                  every: 1h
                  slide: 20m
                  lateness: 90s
                  early: 10s
                  unique: {by: [k, v], within: 2h, ids: 5000}
                  limits: {groups: 1000000, memory: 1GB, spill: %s/spill}
                sinks:
                  - stdout: json
                  - csv: %s/out.csv
                  - parquet: {path: "%s/{window_start}.parquet"}
                late: {file: %s/late.json}
                dead_letters: {stderr: 3}
                parallelism: 3
                alarm: 45s
                state: %s/state
                """.formatted(data, directory, directory, directory, directory, directory));
    }

    @Test
    void shouldWriteExpressionsOfGroups() throws Exception {
        Path data = Files.writeString(directory.resolve("sales.csv"), "shop,tag,price,pieces,it's\nx,1,2.5,3,4\n");
        assertSameAgain("""
                source: {file: '%s'}
                aggregate:
                  group_by: [shop, tag]
                  measures:
                    revenue: sum(price * pieces)
                    'a "b"': sum("it's") FILTER (WHERE "it's" = 4 AND shop <> 'a')
                    rate: revenue / count(*) + length(max(tag)) / sum(tag)
                    spread: stddev_samp(price)
                    n: count(DISTINCT tag)
                  having: count(*) > 1 and revenue > 0
                  top: {rows: 3, per: [shop], by: [sum(pieces) desc, rate]}
                  order_by: [revenue desc, "coalesce(shop, 'x, y')"]
                  limit: 5
                """.formatted(data));
    }

    @Test
    void shouldWriteGeneratorsAndKafka() throws Exception {
        assertSameAgain("""
                source:
                  generator: {records: 1000, rate: 10, units: 3, format: csv, dimensions: {host: 100, 'n': 5}, measures: [a, b]}
                aggregate: {group_by: [host], measures: {s: sum(a)}, every: 1m}
                """);
        assertSameAgain("""
                source: {kafka: {bootstrap: ["a:1,b:2", "c:3"], topic: [x, y], group: g, to_end: true, session: 2s, properties: {fetch.min.bytes: 1}}}
                format: json
                flatten: {explode: legs, fields: {k: {type: text, path: "@.k"}}}
                time: {source: true, ahead: 2d}
                aggregate: {group_by: [k], measures: {s: count()}, every: 1m}
                keyed: true
                sinks:
                  - kafka: {bootstrap: "a:1", topic: out, transactional_id: t}
                  - redis: {server: "redis://localhost:6379", key: "m:{k}", expiry: 1d, layout: sorted_set}
                  - postgres: {url: "jdbc:postgresql://localhost/x", table: t, create: true}
                """);
    }

    @Test
    void shouldWriteFormsOfNumbers() throws Exception {
        String text = """
                source: {stdin: {}}
                format: json
                flatten:
                  fields:
                    a: {type: double, decimal: ","}
                    b: {type: double, decimal: ",", thousands: "."}
                    c: {type: long, thousands: "'"}
                    d: {type: long, thousands: "’"}
                    e: {type: double, decimal: ",", thousands: " "}
                    f: {type: double, decimal: ",", thousands: "\\u00a0"}
                    g: {type: double, decimal: ",", thousands: "\\u202f"}
                    h: {type: double, thousands: _}
                aggregate: {measures: {n: count(), s: sum(a)}}
                """;
        assertSameAgain(text);
        assertThat(SpecWriter.write(read(text)))
                .contains("thousands: \"\\u00A0\"", "thousands: \"\\u202F\"", "decimal: ','", "thousands: _");
    }

    @Test
    void shouldWriteTheDigitsOfDecimals() throws Exception {
        String text = """
                source: {stdin: {}}
                format: json
                flatten:
                  fields:
                    a: decimal
                    b: decimal(2)
                    c: {type: decimal}
                    d: {type: decimal, scale: 0, decimal: ","}
                  derive: {e: "CAST(a AS DECIMAL(10, 4)) * b"}
                aggregate: {group_by: c, measures: {s: sum(e), m: avg(d), t: "s + 1.5"}}
                """;
        assertSameAgain(text);
        assertThat(SpecWriter.write(read(text))).contains("type: decimal", "scale: 3", "scale: 2", "scale: 0");
    }

    @Test
    void shouldWriteWhatTheSourceKnowsOfRecords() throws Exception {
        Path data = Files.writeString(directory.resolve("a.json"), "{}\n");
        String text = """
                source: {file: %s}
                flatten: {fields: {f: {from: file, required: true}, l: {type: long, from: line, default: 7}}}
                aggregate: {group_by: f, measures: {n: max(l)}}
                """.formatted(data);
        assertSameAgain(text);
        assertThat(SpecWriter.write(read(text))).contains("type: text", "from: file", "from: line");
        assertThat(SpecWriter.sharedKeys(read(text)).get("flatten")).contains("from: line");
    }

    @Test
    void shouldWriteWhatKafkaKnowsOfRecords() throws Exception {
        String text = """
                source: {kafka: {bootstrap: "a:1", topic: x}}
                format: json
                flatten:
                  fields:
                    tenant: {type: text, from: "header tenant id", required: true}
                    user: {type: long, from: key, thousands: "'"}
                    at: {type: time, from: "header at", format: millis}
                    day: {type: time, from: key, zone: Europe/Vienna}
                    part: {from: partition}
                    offset: {type: long, from: offset}
                    topic: {from: topic, default: none}
                    sent: {from: timestamp}
                time: {field: sent}
                aggregate: {group_by: [tenant, part, topic], measures: {n: count(), o: max(offset)}, every: 1m}
                """;
        assertSameAgain(text);
        assertThat(SpecWriter.sharedKeys(read(text)).get("flatten")).contains("from: 'header tenant id'");
    }

    @Test
    void shouldWriteHttp() throws Exception {
        Path pem = Files.writeString(directory.resolve("pem"), "");
        assertSameAgain("""
                source:
                  http: {listen: "127.0.0.1:0", connections: 7, idle: 3s, tls: {certificate: %s, key: %s}}
                aggregate: {group_by: [name], measures: {s: sum(value)}, every: 1m}
                """.formatted(pem, pem));
    }

    @Test
    void shouldKeepSecretsToItself() throws Exception {
        PipelineSpec spec = read("""
                source: {http: {listen: "127.0.0.1:0", token: hush}}
                aggregate: {group_by: [name], measures: {s: sum(value)}, every: 1m}
                sinks: [{postgres: {url: "jdbc:postgresql://u:hush@h/x?password=hush", password: hush, table: t}}]
                """);
        assertThat(SpecWriter.write(spec)).doesNotContain("hush").contains("token: '***'");
    }

    @Test
    void shouldShowOnlySettingsOfClientsThatAreKnownToBeHarmless() throws Exception {
        PipelineSpec spec = read("""
                source:
                  kafka:
                    bootstrap: "a:1"
                    topic: t
                    properties:
                      ssl.keystore.key: hush
                      ssl.key.password: hush
                      basic.auth.user.info: hush
                      x.custom: hush
                      sasl.jaas.config: hush
                      sasl.oauthbearer.token.endpoint.url: "https://u:hu@sh@h/x"
                      fetch.min.bytes: 65536
                      security.protocol: SSL
                flatten: {fields: {k: text}}
                format: json
                aggregate: {group_by: k, measures: {s: count()}, every: 1m}
                sinks:
                  - kafka: {bootstrap: "a:1", topic: out, properties: {ssl.truststore.password: hush, linger.ms: 5}}
                  - redis: {server: "redis://u:hush@localhost:6379", key: "m:{k}"}
                """);
        assertThat(SpecWriter.write(spec))
                .doesNotContain("hush", "hu@sh", "sh@")
                .contains(
                        "ssl.keystore.key: '***'",
                        "basic.auth.user.info: '***'",
                        "x.custom: '***'",
                        "fetch.min.bytes: '65536'",
                        "security.protocol: SSL",
                        "linger.ms: '5'");
    }

    private static void assertSameAgain(String text) throws Exception {
        PipelineSpec spec = read(text);
        String written = SpecWriter.write(spec);
        assertThat(read(written)).as(written).isEqualTo(spec);
    }

    private static PipelineSpec read(String text) throws SpecException {
        return new SpecReader(Map.of()).read("test.yaml", text, "test");
    }
}
