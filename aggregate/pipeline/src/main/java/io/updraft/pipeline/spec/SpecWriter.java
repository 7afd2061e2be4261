package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.pipeline.sink.console.ConsoleSinkOptions;
import io.updraft.pipeline.sink.file.FileSinkOptions;
import io.updraft.pipeline.sink.postgres.PostgresSinkOptions;
import io.updraft.pipeline.sink.record.RecordSinkOptions;
import io.updraft.pipeline.sink.redis.RedisSinkOptions;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.RecordFormat;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Writes a description in full: {@link SpecReader} reads the same pipeline from it. Secrets become stars, and so do settings of
 * a Kafka client that are not known to be harmless.
 */
public final class SpecWriter {

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][\\w./-]*|\\d+([mun]?s|[mhd]|[KMG]B)");
    private static final Set<String> WORDS = Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n");

    private final StringBuilder text = new StringBuilder();
    private int depth;

    private SpecWriter() {}

    /** Returns the description as YAML. */
    public static String write(PipelineSpec spec) {
        SpecWriter writer = new SpecWriter();
        writer.pipeline(spec);
        return writer.text.toString();
    }

    private void pipeline(PipelineSpec spec) {
        put("name", spec.name());
        section("source", () -> source(spec.source()));
        format(spec);
        section("flatten", () -> flatten(spec.decode()));
        if (spec.route() != null) {
            section("route", () -> route(spec.route(), spec.source()));
        } else {
            time(spec.time());
            section("aggregate", () -> aggregate(spec.aggregate()));
            section("sinks", () -> spec.sinks().forEach(this::sink));
            records("late", spec.late());
            plain("keyed", spec.keyed());
        }
        records("dead_letters", spec.deadLetters());
        plain("parallelism", spec.parallelism());
        plain("track", spec.track());
        plain("unusable", spec.skipsUnusable() ? "skip" : "keep");
        put("alarm", spec.alarm());
        put("give_up", spec.giveUp());
        put("state", spec.state());
    }

    private void section(String key, Runnable content) {
        line(key + ":");
        depth++;
        content.run();
        depth--;
    }

    private void line(String line) {
        text.append("  ".repeat(depth)).append(line).append('\n');
    }

    private void plain(String key, Object value) {
        line(key + ": " + value);
    }

    private void plainIf(boolean given, String key, Object value) {
        if (given) {
            plain(key, value);
        }
    }

    // Writes nothing if the value is null.
    private void put(String key, Object value) {
        if (value != null) {
            line(quoted(key) + ": "
                    + quoted(value instanceof Duration time ? QuantityText.write(time) : value.toString()));
        }
    }

    private void secret(String key, String value) {
        put(key, value == null ? null : "***");
    }

    private void list(String key, List<String> values) {
        line(key + ": ["
                + String.join(", ", values.stream().map(SpecWriter::quoted).toList()) + "]");
    }

    static String quoted(String value) {
        if (PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))) {
            return value;
        }
        String safe = value.replace("${", "$${");
        if (safe.chars().anyMatch(c -> c < ' ')) {
            return '"'
                    + safe.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\t", "\\t")
                            .replace("\n", "\\n")
                    + '"';
        }
        return "'" + safe.replace("'", "''") + "'";
    }

    private void source(SourceSpec source) {
        if (source instanceof SourceSpec.Files files) {
            section("file", () -> {
                list("path", files.paths());
                plain("follow", files.follow());
                plain("order", EnumText.write(files.order()));
                plain("resume", files.resume());
                put("max_record", QuantityText.write(files.maxRecord()));
            });
        } else if (source instanceof SourceSpec.Stdin stdin) {
            section("stdin", () -> put("max_record", QuantityText.write(stdin.maxRecord())));
        } else if (source instanceof SourceSpec.Kafka kafka) {
            section("kafka", () -> kafka(kafka));
        } else if (source instanceof SourceSpec.Http http) {
            section("http", () -> http(http));
        } else if (source instanceof SourceSpec.Generator generator) {
            section("generator", () -> generator(generator));
        }
    }

    private void kafka(SourceSpec.Kafka kafka) {
        servers(kafka.clusters());
        list("topic", kafka.topics());
        put("group", kafka.group());
        plain("start", EnumText.write(kafka.start()));
        plain("to_end", kafka.toEnd());
        put("zookeeper", kafka.zookeeper());
        put("session", kafka.session());
        properties(kafka.clusters().get(0));
    }

    private void servers(List<Map<String, String>> clients) {
        list(
                "bootstrap",
                clients.stream().map(client -> client.get("bootstrap.servers")).toList());
    }

    private void properties(Map<String, String> client) {
        Map<String, String> values = new TreeMap<>(client);
        values.remove("bootstrap.servers");
        if (!values.isEmpty()) {
            section("properties", () -> values.forEach((name, value) -> put(name, PasswordMask.hide(name, value))));
        }
    }

    private void http(SourceSpec.Http http) {
        String host = http.host().contains(":") ? "[" + http.host() + "]" : http.host();
        put("listen", host + ":" + http.port());
        secret("token", http.token());
        put("max_body", QuantityText.write(http.maxBody()));
        put("queue", QuantityText.write(http.queue()));
        put("idle", http.idle());
        plain("connections", http.connections());
        if (http.tls() != null) {
            section("tls", () -> {
                put("certificate", http.tls().chain());
                put("key", http.tls().key());
            });
        }
    }

    private void generator(SourceSpec.Generator generator) {
        plain("format", EnumText.write(generator.format()));
        plainIf(generator.records() >= 0, "records", generator.records());
        plainIf(generator.rate() > 0, "rate", generator.rate());
        plain("seed", generator.seed());
        plain("units", generator.units());
        put("time", generator.time());
        put("start", generator.start());
        put("step", generator.step());
        section("dimensions", () -> generator.dimensions().forEach((name, count) -> plain(quoted(name), count)));
        list("measures", generator.measures());
    }

    private void format(PipelineSpec spec) {
        if (spec.decode().format() == RecordFormat.JSON) {
            put("format", "json");
            return;
        }
        section("format", () -> csv(spec.decode().csv(), spec.source()));
    }

    private void csv(CsvFormat csv, SourceSpec source) {
        put("type", "csv");
        put("delimiter", String.valueOf(csv.delimiter()));
        put("quote", String.valueOf(csv.quote()));
        put("null", csv.nullText());
        boolean header = source instanceof SourceSpec.Files files && files.header()
                || source instanceof SourceSpec.Stdin stdin && stdin.header();
        plain("header", header);
        section("names", () -> csv.names().forEach(name -> line("- " + quoted(name))));
    }

    private void flatten(DecodeSpec decode) {
        put("explode", decode.explode());
        section("fields", () -> decode.columns().forEach(this::column));
        if (!decode.derived().isEmpty()) {
            list("derive", decode.derived());
        }
        put("filter", decode.filter());
    }

    private void column(DecodedColumn column) {
        section(quoted(column.name()), () -> {
            put("type", EnumText.write(column.type()));
            put("path", column.path());
            put("default", column.fallback());
            put("null", column.nullText());
            plainIf(column.required(), "required", true);
            if (column.type() == FieldType.TIME) {
                TimeFormat time = column.time();
                put("format", time.kind() == TimeFormat.Kind.PATTERN ? time.pattern() : EnumText.write(time.kind()));
                put("zone", time.zone());
            }
        });
    }

    private void time(TimeSpec time) {
        if (time.origin() == TimeSpec.Origin.PROCESSING) {
            put("time", "processing");
        } else if (time.isOfRecords()) {
            section("time", () -> {
                put("field", time.field());
                plainIf(time.field() == null, "source", true);
                put(
                        "disorder",
                        time.disorder().equals(TimeSpec.ANY_DISORDER)
                                ? QuantityText.ANY
                                : QuantityText.write(time.disorder()));
                put("idle", time.idle());
                put("ahead", time.ahead());
            });
        }
    }

    private void aggregate(AggregateSpec aggregate) {
        list("group_by", aggregate.groupBy());
        section(
                "measures",
                () -> aggregate.measures().forEach(measure -> put(measure.name(), MeasureText.write(measure))));
        if (!aggregate.allTime()) {
            put("every", aggregate.window().size());
            put("slide", aggregate.window().slide());
            put("lateness", aggregate.window().lateness());
        }
        put("early", aggregate.early());
        AggregateSpec.Limits limits = aggregate.limits();
        if (limits.groups() > 0 || limits.memory() > 0 || limits.spill() != null) {
            section("limits", () -> limits(limits));
        }
    }

    private void limits(AggregateSpec.Limits limits) {
        plainIf(limits.groups() > 0, "groups", limits.groups());
        if (limits.memory() > 0) {
            put("memory", QuantityText.write(limits.memory()));
        }
        put("spill", limits.spill());
    }

    private void route(RouteOptions route, SourceSpec source) {
        list("key", route.key());
        put("topic", route.topic());
        servers(route.clusters());
        plain("partitions", route.partitions());
        plain("value", EnumText.write(route.value()));
        put("failover", route.failover());
        put("probe", route.probe());
        put("queue", QuantityText.write(route.queue()));
        if (source instanceof SourceSpec.Http) {
            put("answer", route.answer());
        }
        properties(route.clusters().get(0));
    }

    private void sink(SinkOptions sink) {
        if (sink instanceof ConsoleSinkOptions console) {
            item("stdout", () -> {
                put("style", EnumText.write(console.style()));
                plain("max_rows", console.maxRows());
            });
        } else if (sink instanceof FileSinkOptions file) {
            item(EnumText.write(file.format()), () -> {
                put("path", file.path());
                plainIf(file.replaces() || file.appends(), "anew", file.replaces());
            });
        } else if (sink instanceof KafkaSinkOptions kafka) {
            item("kafka", () -> {
                client(kafka.topic(), kafka.client());
                put("format", EnumText.write(kafka.format()));
                if (kafka.group() != null) {
                    plain("exactly_once", true);
                } else {
                    put("transactional_id", kafka.transactionalId());
                }
            });
        } else if (sink instanceof RedisSinkOptions redis) {
            item("redis", () -> redis(redis));
        } else if (sink instanceof PostgresSinkOptions postgres) {
            item("postgres", () -> postgres(postgres));
        }
    }

    private void item(String kind, Runnable content) {
        line("- " + kind + ":");
        depth += 2;
        content.run();
        depth -= 2;
    }

    private void client(String topic, Map<String, String> client) {
        put("topic", topic);
        put("bootstrap", client.get("bootstrap.servers"));
        properties(client);
    }

    private void redis(RedisSinkOptions redis) {
        put("server", PasswordMask.hide(redis.server().toString()));
        put("layout", EnumText.write(redis.layout()));
        put("key", redis.key());
        put("expiry", redis.expiry());
        put("timeout", redis.timeout());
    }

    private void postgres(PostgresSinkOptions postgres) {
        put("url", PasswordMask.hide(postgres.url()));
        put("user", postgres.user());
        secret("password", postgres.password());
        put("table", postgres.table());
        plain("create", postgres.create());
        plain("positions", postgres.pipeline() != null);
        put("timeout", postgres.timeout());
    }

    private void records(String key, RecordSinkOptions options) {
        if (options instanceof RecordSinkOptions.Lines lines) {
            nested(key, "file", () -> {
                put("path", lines.path());
                put("max_size", QuantityText.write(lines.maxBytes()));
                plain("files", lines.files());
            });
        } else if (options instanceof RecordSinkOptions.Topic topic) {
            nested(key, "kafka", () -> client(topic.topic(), topic.client()));
        } else if (options instanceof RecordSinkOptions.Sample sample) {
            nested(key, "stderr", () -> plain("first", sample.first()));
        }
    }

    private void nested(String key, String kind, Runnable content) {
        section(key, () -> section(kind, content));
    }
}
