package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.PasswordMask;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.sink.FileSinkOptions;
import io.updraft.pipeline.sink.PostgresSinkOptions;
import io.updraft.pipeline.sink.RedisSinkOptions;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.NumberForm;
import io.updraft.timeseries.query.CalendarUnit;
import io.updraft.timeseries.query.GroupExpressions;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Selection;
import io.updraft.timeseries.query.WindowCalendar;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
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

    /** Blanks that look like others. */
    private static final char NO_BREAK = '\u00a0';

    private static final char NARROW_NO_BREAK = '\u202f';

    private static final Set<String> SHARED_IN = Set.of("aggregate", "route");
    private static final Set<String> SHARED_SECTIONS = Set.of("format", "flatten", "time");
    private static final Set<String> SHARED_KEYS = Set.of(
            "group_by",
            "measures",
            "having",
            "top",
            "order_by",
            "limit",
            "every",
            "slide",
            "zone",
            "lateness",
            "early",
            "unique",
            "route.key",
            "route.topic",
            "route.partitions",
            "route.value");

    private final StringBuilder text = new StringBuilder();
    private int depth;

    private SpecWriter() {}

    /** Returns the description as YAML. */
    public static String write(PipelineSpec spec) {
        SpecWriter writer = new SpecWriter();
        writer.pipeline(spec);
        return writer.text.toString();
    }

    /**
     * Returns the text of each key that the processes of a pipeline must agree on, since each has a part of the results. Sinks,
     * limits and waits may differ: each process may write a file of its own.
     */
    public static Map<String, String> sharedKeys(PipelineSpec spec) {
        Map<String, String> texts = new TreeMap<>();
        String section = "";
        String key = "";
        for (String line : write(spec).split("\n")) {
            int depth = (line.length() - line.stripLeading().length()) / 2;
            String name = line.strip().split(":", 2)[0];
            section = depth == 0 ? name : section;
            if (depth == 0) {
                key = name;
            } else if (depth == 1 && SHARED_IN.contains(section)) {
                key = section.equals("route") ? "route." + name : name;
            }
            if (SHARED_IN.contains(section) ? SHARED_KEYS.contains(key) : SHARED_SECTIONS.contains(key)) {
                texts.merge(key, line, (before, more) -> before + "\n" + more);
            }
        }
        return texts;
    }

    private void pipeline(PipelineSpec spec) {
        put("name", spec.name());
        section("source", () -> source(spec.source()));
        format(spec);
        section("flatten", () -> flatten(spec.decode()));
        if (spec.route() != null) {
            boolean answers = spec.source() instanceof SourceSpec.Http;
            section("route", () -> keys(spec.route(), answers ? Set.of() : Set.of("answer")));
        } else {
            time(spec.time());
            section("aggregate", () -> aggregate(spec.aggregate()));
            section("sinks", () -> spec.sinks().forEach(this::sink));
            records("late", spec.late());
        }
        records("dead_letters", spec.deadLetters());
        keys(spec, spec.route() == null ? Set.of("name") : Set.of("name", "keyed"));
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

    private void list(String key, List<String> values) {
        line(key + ": ["
                + String.join(", ", values.stream().map(SpecWriter::quoted).toList()) + "]");
    }

    static String quoted(String value) {
        if (PLAIN.matcher(value).matches() && !WORDS.contains(value.toLowerCase(Locale.ROOT))) {
            return value;
        }
        String safe = value.replace("${", "$${");
        if (safe.chars().anyMatch(c -> c < ' ' || c == NO_BREAK || c == NARROW_NO_BREAK)) {
            return '"'
                    + safe.replace("\\", "\\\\")
                            .replace("\"", "\\\"")
                            .replace("\t", "\\t")
                            .replace("\n", "\\n")
                            .replace(String.valueOf(NO_BREAK), "\\u00A0")
                            .replace(String.valueOf(NARROW_NO_BREAK), "\\u202F")
                    + '"';
        }
        return "'" + safe.replace("'", "''") + "'";
    }

    private void source(SourceSpec source) {
        if (source instanceof SourceSpec.Http http) {
            String host = http.host().contains(":") ? "[" + http.host() + "]" : http.host();
            section("http", () -> {
                put("listen", host + ":" + http.port());
                keys(http, Set.of("listen"));
            });
        } else if (source instanceof SourceSpec.Generator generator) {
            section("generator", () -> {
                keys(generator, Set.of());
                section("dimensions", () -> generator.dimensions().forEach((name, n) -> plain(quoted(name), n)));
            });
        } else {
            boolean files = source instanceof SourceSpec.Files;
            String kind = files ? "file" : source instanceof SourceSpec.Stdin ? "stdin" : "kafka";
            section(kind, () -> keys((Record) source, Set.of()));
        }
    }

    /** Writes the keys of a section that are not written otherwise. */
    private void keys(Record section, Set<String> others) {
        for (SectionKey key : KeyTable.of(section.getClass())) {
            Object value = key.in(section);
            if (value != null && !others.contains(key.name())) {
                key(key, value);
            }
        }
        KeyTable.of(section.getClass()).stream()
                .filter(key -> key.form() == SectionKey.Form.CLIENTS)
                .forEach(key -> properties(clients(key.in(section)).get(0)));
    }

    private void key(SectionKey key, Object value) {
        switch (key.form()) {
            case SECRET -> put(key.name(), "***");
            case URL -> put(key.name(), PasswordMask.hide(value.toString()));
            case CLIENTS -> servers(clients(value));
            case FLAG, OTHER -> {} // the writer of the section has it
            default -> plainKey(key, value);
        }
    }

    private void plainKey(SectionKey key, Object value) {
        if (value instanceof List<?> list) {
            list(key.name(), list.stream().map(String::valueOf).toList());
        } else if (value instanceof Map<?, ?> map) {
            section(key.name(), () -> map.forEach((name, text) -> put(name.toString(), text)));
        } else if (value instanceof Record part) {
            section(key.name(), () -> keys(part, Set.of()));
        } else if (value instanceof Number number) {
            number(key, number.longValue());
        } else if (value instanceof Boolean) {
            plain(key.name(), value);
        } else if (value.equals(TimeSpec.ANY_DISORDER)) {
            put(key.name(), QuantityText.ANY);
        } else {
            put(key.name(), value instanceof Enum<?> constant ? EnumText.write(constant) : value);
        }
    }

    private void number(SectionKey key, long number) {
        if (number >= key.least() && key.form() == SectionKey.Form.BYTES) {
            put(key.name(), QuantityText.write(number));
        } else if (number >= key.least()) {
            plain(key.name(), number);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, String>> clients(Object value) {
        return value instanceof List ? (List<Map<String, String>>) value : List.of((Map<String, String>) value);
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

    private void format(PipelineSpec spec) {
        if (spec.decode().format() == DecodeSpec.Format.JSON) {
            put("format", "json");
            return;
        }
        section("format", () -> csv(spec.decode().csv(), spec.source()));
    }

    private void csv(CsvFormat csv, SourceSpec source) {
        boolean header = source instanceof SourceSpec.Files files && files.header()
                || source instanceof SourceSpec.Stdin stdin && stdin.header();
        keys(
                new KeyTable.CsvKeys(
                        DecodeSpec.Format.CSV, csv.delimiter(), csv.quote(), csv.nullText(), header, csv.names()),
                Set.of("names"));
        section("names", () -> csv.names().forEach(name -> line("- " + quoted(name))));
    }

    private void flatten(DecodeSpec decode) {
        put("explode", decode.explode());
        section("fields", () -> decode.columns().forEach(this::column));
        if (!decode.derived().isEmpty()) {
            section("derive", () -> decode.derived().forEach(column -> put(column.name(), column.expression())));
        }
        put("filter", decode.filter());
    }

    private void column(DecodedColumn column) {
        boolean isText = column.from() == null || column.from().isText();
        TimeFormat time = column.type() == FieldType.TIME && isText ? column.time() : null;
        String format = time == null
                ? null
                : time.kind() == TimeFormat.Kind.PATTERN ? time.pattern() : EnumText.write(time.kind());
        NumberForm numbers = column.numbers();
        KeyTable.FieldKeys keys = new KeyTable.FieldKeys(
                column.type(),
                column.path(),
                column.from() == null ? null : column.from().toString(),
                column.fallback(),
                column.nullText(),
                column.required(),
                column.scale(),
                format,
                time == null ? null : time.zone(),
                numbers == null ? null : String.valueOf(numbers.decimal()),
                numbers == null || numbers.thousands() == NumberForm.NO_GROUPS
                        ? null
                        : String.valueOf(numbers.thousands()));
        Set<String> usual = new HashSet<>();
        if (!column.required()) {
            usual.add("required");
        }
        if (column.type() != FieldType.DECIMAL) {
            usual.add("scale");
        }
        section(quoted(column.name()), () -> keys(keys, usual));
    }

    private void time(TimeSpec time) {
        if (time.origin() == TimeSpec.Origin.PROCESSING) {
            put("time", "processing");
        } else if (time.isOfRecords()) {
            boolean ofSource = time.field() == null;
            KeyTable.TimeKeys keys =
                    new KeyTable.TimeKeys(time.field(), ofSource, time.disorder(), time.idle(), time.ahead());
            section("time", () -> keys(keys, ofSource ? Set.of() : Set.of("source")));
        }
    }

    private void aggregate(AggregateSpec aggregate) {
        List<Measure> measures = aggregate.measures();
        Set<String> names = new HashSet<>();
        aggregate.selection().columns().forEach(column -> names.add(column.name()));
        Selection selection =
                SelectionReader.mapped(aggregate.selection(), text -> GroupExpressions.text(text, measures, names));
        Map<String, String> columns = new LinkedHashMap<>();
        selection.columns().forEach(column -> columns.put(column.name(), text(column, measures)));
        Selection.Top top = selection.top();
        WindowSpec window = aggregate.allTime() ? null : aggregate.window();
        WindowCalendar calendar = aggregate.window().calendar();
        AggregateSpec.Limits limits = aggregate.limits();
        boolean limited = limits.groups() > 0 || limits.memory() > 0 || limits.spill() != null;
        KeyTable.AggregateKeys keys = new KeyTable.AggregateKeys(
                aggregate.groupBy(),
                columns,
                selection.having(),
                top == null ? null : new KeyTable.TopKeys(top.rows(), top.per(), orders(top.order())),
                orders(selection.order()),
                selection.limit(),
                window == null ? null : length(window.size(), calendar == null ? null : calendar.unit()),
                window == null ? null : length(window.slide(), calendar == null ? null : calendar.slide()),
                null,
                window == null ? null : window.lateness(),
                aggregate.early(),
                aggregate.unique(),
                limited ? limits : null);
        keys(keys, Set.of());
        if (calendar != null && calendar.zone() != null) {
            put("zone", calendar.zone());
        } else if (calendar != null) {
            section("zone", () -> put("field", calendar.zoneField()));
        }
    }

    private static WindowLength length(Duration fixed, CalendarUnit unit) {
        return new WindowLength(unit == null ? fixed : null, unit);
    }

    private static String text(Selection.Column column, List<Measure> measures) {
        return column.expression() != null
                ? column.expression()
                : measures.stream()
                        .filter(measure -> measure.name().equals(column.name()))
                        .map(GroupExpressions::text)
                        .findFirst()
                        .orElseThrow();
    }

    private static List<String> orders(List<Selection.Order> orders) {
        return orders.isEmpty()
                ? null
                : orders.stream()
                        .map(order -> order.expression() + (order.descending() ? " desc" : ""))
                        .toList();
    }

    private void sink(SinkOptions sink) {
        if (sink instanceof FileSinkOptions file) {
            boolean perWindow = !file.replaces() && !file.appends();
            item(EnumText.write(file.format()), () -> keys(file, perWindow ? Set.of("anew") : Set.of()));
        } else if (sink instanceof KafkaSinkOptions kafka) {
            boolean exactlyOnce = kafka.group() != null;
            item("kafka", () -> {
                keys(kafka, exactlyOnce ? Set.of("transactional_id") : Set.of());
                plainIf(exactlyOnce, "exactly_once", true);
            });
        } else if (sink instanceof PostgresSinkOptions postgres) {
            item("postgres", () -> {
                keys(postgres, Set.of());
                plain("positions", postgres.pipeline() != null);
            });
        } else {
            item(sink instanceof RedisSinkOptions ? "redis" : "stdout", () -> keys((Record) sink, Set.of()));
        }
    }

    private void item(String kind, Runnable content) {
        line("- " + kind + ":");
        depth += 2;
        content.run();
        depth -= 2;
    }

    private void records(String key, RejectedRecordSinkOptions options) {
        if (options != null) {
            boolean file = options instanceof RejectedRecordSinkOptions.Lines;
            String kind = file ? "file" : options instanceof RejectedRecordSinkOptions.Topic ? "kafka" : "stderr";
            section(key, () -> section(kind, () -> keys((Record) options, Set.of())));
        }
    }
}
