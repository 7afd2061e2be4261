package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.source.FileFinder;
import io.updraft.pipeline.source.InputHead;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.DerivedColumn;
import io.updraft.timeseries.decode.NumberForm;
import io.updraft.timeseries.decode.RecordAttribute;
import io.updraft.timeseries.decode.SampleDecoder;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the sections {@code format} and {@code flatten}, and infers the settings that they leave out from the first records.
 */
final class DecodeReader {

    private static final Logger LOG = LoggerFactory.getLogger(DecodeReader.class);

    /** The options that say how a value is written. */
    private static final List<String> WRITTEN = List.of("decimal", "thousands", "format", "zone");

    /** The column of a pipeline that only counts records. */
    static final DecodedColumn NONE = DecodedColumn.of("any", FieldType.TEXT).or("");

    private static final Pattern DEFINITION =
            Pattern.compile("\\s*([\\w.]+|`[^`]+`|\"[^\"]+\")\\s*=(?!=)(.*)", Pattern.DOTALL);

    /** A type and its number of digits after the point. */
    private static final Pattern SCALED = Pattern.compile("decimal\\(([0-9]{1,2})\\)", Pattern.CASE_INSENSITIVE);

    private final YamlMap spec;
    private final Mistakes mistakes;
    private final SourceSpec source;
    private final boolean typed;
    private DecodeSpec.Format format;
    private CsvFormat csv;
    private boolean header;
    private RecordSample sample = RecordSample.none();
    /** Whether it is reported that the source cannot be read. */
    private boolean unreadable;

    /** Where the derived columns are described. */
    private final Map<String, YamlNode> definitions = new HashMap<>();
    /** The fields whose description is wrong. They exist, so no mistake must say that they are missing. */
    final Set<String> mistaken = new HashSet<>();
    /** The fields that are text because the description states no type and only tells their values apart. */
    final Set<String> guessedKeys = new LinkedHashSet<>();

    /**
     * Creates a reader.
     *
     * @param typed whether fields that are grouped by or counted have the types of their values, and not text as it stands
     */
    DecodeReader(YamlMap spec, SourceSpec source, boolean typed) {
        this.typed = typed;
        this.spec = spec;
        this.mistakes = spec.mistakes();
        this.source = source;
    }

    /** Returns whether the first line of each unit names the columns. */
    boolean header() {
        return header;
    }

    RecordSample sample() {
        return sample;
    }

    /** Reads the format of the records, and a sample of the first records. */
    void readFormat() {
        YamlNode node = spec.get("format");
        YamlMap map = node != null && node.is(YamlNode.Kind.MAPPING) ? spec.map("format") : null;
        DecodeSpec.Format known = formatOfSource();
        format = map != null
                ? typed(map)
                : spec.parse("format", known, text -> EnumText.parse(DecodeSpec.Format.class, text));
        if (format == null) {
            mistakes.add(
                    node == null ? spec.at("source") : node,
                    "the format of the records is unknown: add 'format: json' or 'format: csv'");
            format = DecodeSpec.Format.JSON;
            return;
        }
        if (format == DecodeSpec.Format.CSV) {
            readCsv(map);
        } else if (map != null) {
            map.end();
        }
        if (format == DecodeSpec.Format.JSON) {
            byte[] head = head();
            String explode = spec.map("flatten").text("explode", null);
            sample = head == null ? RecordSample.none() : RecordSample.of(head, null, explode, isWhole(head), false);
        }
    }

    private static DecodeSpec.Format typed(YamlMap map) {
        map.require("type");
        return map.parse("type", null, text -> EnumText.parse(DecodeSpec.Format.class, text));
    }

    private DecodeSpec.Format formatOfSource() {
        if (source instanceof SourceSpec.Http) {
            return DecodeSpec.Format.JSON;
        }
        if (source instanceof SourceSpec.Generator generator) {
            return generator.format() == SourceSpec.Generator.Format.JSON
                    ? DecodeSpec.Format.JSON
                    : DecodeSpec.Format.CSV;
        }
        return source instanceof SourceSpec.Files files && !files.paths().isEmpty() ? ofName(firstName(files)) : null;
    }

    private String firstName(SourceSpec.Files files) {
        Path first = firstFile(files);
        return first == null ? files.paths().get(0) : first.toString();
    }

    private static DecodeSpec.Format ofName(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replaceAll("\\.(gz|gzip|zst|zstd)$", "");
        if (plain.matches(".*\\.(csv|tsv)")) {
            return DecodeSpec.Format.CSV;
        }
        return plain.matches(".*\\.(json|jsonl|ndjson)") ? DecodeSpec.Format.JSON : null;
    }

    private void readCsv(YamlMap given) {
        YamlNode none = YamlNode.mapping(spec.at("source").where(), List.of());
        YamlMap map = given == null ? spec.of("'format'", none) : given;
        boolean tabs = source instanceof SourceSpec.Files files
                && !files.paths().isEmpty()
                && firstName(files).toLowerCase(Locale.ROOT).matches(".*\\.tsv(\\.\\w+)?");
        KeyTable.CsvKeys keys = new Section<>(map, KeyTable.CsvKeys.class)
                .otherwise("delimiter", tabs ? '\t' : ',')
                .otherwise("nullText", "")
                .otherwise("header", !map.has("names") && !(source instanceof SourceSpec.Generator))
                .record();
        header = keys.header();
        if (header && !(source instanceof SourceSpec.Files || source instanceof SourceSpec.Stdin)) {
            mistakes.add(
                    map.node(),
                    "this source has no header line: name the CSV columns, such as 'format: {type: csv, names:"
                            + " [a, b]}'");
            return;
        }
        try {
            csv = new CsvFormat(keys.names(), keys.delimiter(), keys.quote(), keys.nullText());
            readSample(map, keys.names());
        } catch (IllegalArgumentException e) {
            mistakes.add(map.node(), e.getMessage());
        }
    }

    private void readSample(YamlMap map, List<String> given) {
        List<String> names = given;
        byte[] head = head();
        if (source instanceof SourceSpec.Generator generator && given.isEmpty()) {
            names = generated(generator);
        } else if (given.isEmpty() && head != null && head.length > 0) {
            List<String> first = SampleDecoder.header(head, csv);
            names = header ? first : numbered(first.size());
        } else if (given.isEmpty()) {
            if (!unreadable) {
                mistakes.add(
                        map.node(), "the source has no first line to name the CSV columns: name them with 'names'");
            }
            return;
        }
        if (head != null) {
            CsvFormat inHead = new CsvFormat(header ? List.of() : names, csv.delimiter(), csv.quote(), csv.nullText());
            sample = RecordSample.of(head, inHead, null, isWhole(head), !map.has("null"));
        }
        csv = new CsvFormat(names, csv.delimiter(), csv.quote(), csv.nullText());
    }

    /** Returns the names that DuckDB gives to columns without names. */
    private static List<String> numbered(int columns) {
        String form = "column%0" + String.valueOf(columns - 1).length() + "d";
        return IntStream.range(0, columns)
                .mapToObj(i -> String.format(Locale.ROOT, form, i))
                .toList();
    }

    private static List<String> generated(SourceSpec.Generator generator) {
        List<String> names = new ArrayList<>(List.of(generator.time()));
        names.addAll(generator.dimensions().keySet());
        names.addAll(generator.measures());
        return names;
    }

    // Returns null if reading a head would take records away from the source.
    private byte[] head() {
        try {
            if (source instanceof SourceSpec.Stdin) {
                return looksAtStdin() ? InputHead.ofStdin() : null;
            }
            Path first = source instanceof SourceSpec.Files files ? firstFile(files) : null;
            return first == null ? null : InputHead.of(first);
        } catch (SourceException e) {
            spec.mistake("source", e.getMessage());
            unreadable = true;
            return null;
        }
    }

    private boolean isWhole(byte[] head) {
        return source instanceof SourceSpec.Files files
                && !files.follow()
                && head.length < InputHead.BYTES
                && found(files).size() == 1;
    }

    // Standard input may stay empty for long, so it is read only if the description leaves something out.
    private boolean looksAtStdin() {
        boolean named = format != DecodeSpec.Format.CSV || !csv.names().isEmpty() || !header;
        return !named || !spec.map("flatten").has("fields");
    }

    private Path firstFile(SourceSpec.Files files) {
        List<Path> found = found(files);
        // A run that follows files waits for those that cannot be read.
        return found.stream().filter(Files::isReadable).findFirst().orElse(found.isEmpty() ? null : found.get(0));
    }

    private List<Path> found(SourceSpec.Files files) {
        try {
            return FileFinder.find(files.paths(), files.follow());
        } catch (SourceException e) {
            // SourceReader has already reported this mistake.
            unreadable = true;
            return List.of();
        }
    }

    /**
     * Reads how rows are made from records.
     *
     * @param measured the expressions of columns that measures read, by their names
     * @param places returns where these are described
     */
    DecodeSpec read(FieldCheck.Use use, Map<String, String> measured, Function<String, YamlNode> places) {
        YamlMap flatten = spec.map("flatten");
        KeyTable.FlattenKeys keys = new Section<>(flatten, KeyTable.FlattenKeys.class)
                .otherwise("infer", !flatten.has("fields"))
                .record();
        Map<String, DecodedColumn> columns = new LinkedHashMap<>();
        YamlMap fields = flatten.map("fields");
        for (String name : fields.names()) {
            DecodedColumn column = column(fields, name);
            if (column != null) {
                columns.put(name, sample.withNull(column));
            } else {
                mistaken.add(name);
            }
        }
        List<DerivedColumn> derived = derived(flatten);
        measured.forEach((name, expression) -> {
            derived.add(new DerivedColumn(name, expression));
            definitions.put(name, places.apply(name));
        });
        if (keys.infer()) {
            infer(columns, derived, keys.filter(), use);
        }
        if (columns.isEmpty()) {
            // The pipeline only counts records: one column is enough, whether the records have it or not.
            columns.put(NONE.name(), NONE);
        }
        try {
            return renewed(
                    new DecodeSpec(format, csv, keys.explode(), List.copyOf(columns.values()), derived, keys.filter()));
        } catch (IllegalArgumentException e) {
            mistakes.add(spec.has("flatten") ? flatten.node() : spec.node(), e.getMessage());
            return null;
        }
    }

    /** Returns a specification with expressions in SQL, and says what was written otherwise. */
    private static DecodeSpec renewed(DecodeSpec decode) {
        List<Schema.Field> fields = decode.columnFields();
        List<DerivedColumn> derived = new ArrayList<>();
        for (DerivedColumn column : decode.derived()) {
            Schema before = new Schema(fields);
            String expression = renewed("derive", column.expression(), before);
            derived.add(new DerivedColumn(column.name(), expression));
            try {
                fields.add(Expressions.column(column.name(), expression, before).field(column.name()));
            } catch (ExpressionException e) {
                // Reported later.
            }
        }
        String filter =
                decode.filter() == null ? null : renewed("filter", decode.filter(), new Schema(List.copyOf(fields)));
        return new DecodeSpec(decode.format(), decode.csv(), decode.explode(), decode.columns(), derived, filter);
    }

    private static String renewed(String key, String expression, Schema schema) {
        return renewed(key, expression, Expressions.renewed(expression, schema));
    }

    /** Returns an expression in SQL. Says so if it was written otherwise. */
    static String renewed(String key, String written, String sql) {
        if (!sql.equals(written)) {
            LOG.warn("'{}' is written as before version 0.3; write: {}", key, sql.strip());
        }
        return sql;
    }

    private void infer(
            Map<String, DecodedColumn> columns, List<DerivedColumn> derived, String filter, FieldCheck.Use use) {
        List<String> expressions =
                derived.stream().map(DerivedColumn::expression).collect(Collectors.toCollection(ArrayList::new));
        if (filter != null) {
            expressions.add(filter);
        }
        Map<String, DecodedColumn> known = known();
        Set<String> mentioned = new LinkedHashSet<>();
        for (String text : expressions) {
            Expressions.names(text).forEach(name -> mentioned.add(exact(name)));
        }
        Set<String> names = new LinkedHashSet<>(use.all());
        mentioned.stream()
                .filter(name -> known.containsKey(name) || known.isEmpty() && sample.has(name))
                .forEach(names::add);
        List<String> made = derived.stream().map(DerivedColumn::name).toList();
        for (String name : names) {
            boolean there = known.isEmpty() ? sample.isEmpty() || sample.has(name) : known.containsKey(name);
            if (there && !made.contains(name) && !columns.containsKey(name)) {
                DecodedColumn column = known.get(name);
                columns.put(name, column != null ? column : guess(name, use, mentioned));
            }
        }
    }

    private DecodedColumn guess(String name, FieldCheck.Use use, Set<String> mentioned) {
        if (name.equals(use.time())) {
            if (sample.hasNoTime(name)) {
                YamlNode time = spec.get("time");
                boolean isNamed = time != null && time.is(YamlNode.Kind.MAPPING);
                mistakes.add(
                        isNamed ? spec.map("time").at("field") : spec.at("aggregate"),
                        "none of the first values of " + name
                                + " is a time: name another field, or describe the form of"
                                + " its times in 'flatten: fields'");
            }
            return sample.time(name);
        }
        if (typed) {
            DecodedColumn column = sample.typedValue(name);
            return column.type() == FieldType.DOUBLE && use.keys().contains(name) ? RecordSample.text(name) : column;
        }
        boolean asItStands = use.keys().contains(name) || use.counted().contains(name) && !mentioned.contains(name);
        if (asItStands) {
            guessedKeys.add(name);
        }
        return asItStands
                ? RecordSample.text(name)
                : sample.value(name, use.summed().contains(name));
    }

    /** Returns the names of the fields, as far as they are known. */
    List<String> available(Map<String, DecodedColumn> known) {
        return known.isEmpty() ? sample.names() : List.copyOf(known.keySet());
    }

    /** Returns the columns of a source whose records have a fixed form; empty for other sources. */
    Map<String, DecodedColumn> known() {
        Map<String, DecodedColumn> known = new LinkedHashMap<>();
        if (source instanceof SourceSpec.Generator generator) {
            put(known, DecodedColumn.of(generator.time(), FieldType.TIME).at(TimeFormat.epoch(TimeFormat.Kind.MILLIS)));
            generator.dimensions().keySet().forEach(name -> put(known, DecodedColumn.of(name, FieldType.TEXT)));
            generator.measures().forEach(name -> put(known, DecodedColumn.of(name, FieldType.LONG)));
        } else if (source instanceof SourceSpec.Http) {
            put(known, DecodedColumn.of("name", FieldType.TEXT));
            put(known, DecodedColumn.of("source", FieldType.TEXT));
            put(known, DecodedColumn.of("type", FieldType.TEXT));
            put(known, DecodedColumn.of("value", FieldType.DOUBLE));
            put(known, DecodedColumn.of("measure_time", FieldType.TIME).at(TimeFormat.epoch(TimeFormat.Kind.SECONDS)));
        }
        return known;
    }

    private static void put(Map<String, DecodedColumn> known, DecodedColumn column) {
        known.put(column.name(), column);
    }

    private List<DerivedColumn> derived(YamlMap flatten) {
        List<DerivedColumn> derived = new ArrayList<>();
        YamlNode node = flatten.get("derive");
        if (node != null && node.is(YamlNode.Kind.MAPPING)) {
            flatten.all("derive").forEach((name, expression) -> derived.add(new DerivedColumn(name, expression)));
            derived.forEach(column ->
                    definitions.put(column.name(), flatten.map("derive").at(column.name())));
            return derived;
        }
        for (String text : flatten.texts("derive")) {
            Matcher definition = DEFINITION.matcher(text);
            if (definition.matches()) {
                String name = definition.group(1).replaceAll("^[`\"]|[`\"]$", "");
                derived.add(new DerivedColumn(name, definition.group(2).strip()));
                definitions.put(name, flatten.at("derive"));
            } else {
                flatten.mistake("derive", "a derived column is written as 'name: expression', not " + text);
            }
        }
        return derived;
    }

    /** Returns where a derived column is described. */
    YamlNode definitionOf(String name) {
        return definitions.get(name);
    }

    /** Returns whether there is a field of a name, as far as that is known. */
    boolean isField(String name) {
        Map<String, DecodedColumn> known = known();
        boolean isRead = known.isEmpty() ? !sample.isEmpty() && sample.has(name) : known.containsKey(name);
        return isRead || described().contains(name);
    }

    /** Returns the exact name of a field that may be written in other case; null if there is none. */
    String exactName(String name) {
        if (isField(name)) {
            return name;
        }
        Set<String> names = described();
        names.addAll(available(known()));
        List<String> alike = names.stream().filter(name::equalsIgnoreCase).toList();
        return alike.size() == 1 ? alike.get(0) : null;
    }

    /** Returns the exact name of a field that may be written in other case; the name as it is if there is none. */
    String exact(String name) {
        String exact = exactName(name);
        return exact == null ? name : exact;
    }

    private Set<String> described() {
        YamlMap flatten = spec.map("flatten");
        Set<String> names = new LinkedHashSet<>(flatten.map("fields").names());
        YamlNode derive = flatten.get("derive");
        if (derive != null && derive.is(YamlNode.Kind.MAPPING)) {
            names.addAll(flatten.map("derive").names());
        }
        return names;
    }

    private DecodedColumn column(YamlMap fields, String name) {
        YamlNode node = fields.get(name);
        if (node == null) {
            mistakes.add(
                    fields.keyNode(name),
                    "field '" + name + "' needs a type: " + String.join(", ", EnumText.names(FieldType.class)));
            return null;
        }
        if (node.is(YamlNode.Kind.MAPPING)) {
            return whole(fields.of("field '" + name + "'", node), name);
        }
        DecodedColumn column = fields.parse(name, null, text -> column(name, text));
        return column == null ? null : withTime(column, null, ZoneOffset.UTC);
    }

    /** Returns a column of a type that is written in one word, such as {@code decimal(2)}. */
    private static DecodedColumn column(String name, String type) {
        Matcher scaled = SCALED.matcher(type);
        if (scaled.matches()) {
            return DecodedColumn.of(name, FieldType.DECIMAL).scaled(Integer.parseInt(scaled.group(1)));
        }
        FieldType named = EnumText.parse(FieldType.class, type);
        return named == FieldType.DECIMAL
                ? DecodedColumn.of(name, named).scaled(Decimals.USUAL_SCALE)
                : DecodedColumn.of(name, named);
    }

    private DecodedColumn whole(YamlMap map, String name) {
        Section<KeyTable.FieldKeys> section = new Section<>(map, KeyTable.FieldKeys.class);
        boolean hasFrom = map.has("from");
        RecordAttribute from = hasFrom ? attribute(map) : null;
        KeyTable.FieldKeys keys = section.otherwise("path", hasFrom ? null : name)
                .otherwise("type", from == null ? FieldType.TEXT : from.usualType())
                .record();
        if (hasFrom && map.has("path")) {
            mistakes.add(map.at("path"), "'path' and 'from' exclude each other: leave out one of them");
            return null;
        }
        if (hasFrom && from == null) {
            return null;
        }
        for (String key : from == null || from.isText() ? List.<String>of() : WRITTEN) {
            if (map.has(key)) {
                mistakes.add(map.node(), "'" + key + "' is for values in text, and the " + from + " is none");
                return null;
            }
        }
        if (keys.type() != FieldType.TIME && (keys.format() != null || map.has("zone"))) {
            mistakes.add(map.node(), "'format' and 'zone' are only for fields of type time");
            return null;
        }
        if (keys.type() != FieldType.DECIMAL && map.has("scale")) {
            mistakes.add(map.at("scale"), "'scale' is only for fields of type decimal");
            return null;
        }
        boolean isNumber =
                keys.type() == FieldType.LONG || keys.type() == FieldType.DOUBLE || keys.type() == FieldType.DECIMAL;
        if (!isNumber && (keys.decimal() != null || keys.thousands() != null)) {
            mistakes.add(map.node(), "'decimal' and 'thousands' are only for fields of type long, double or decimal");
            return null;
        }
        try {
            DecodedColumn column = new DecodedColumn(
                    name,
                    keys.type(),
                    keys.path(),
                    keys.fallback(),
                    keys.required(),
                    null,
                    keys.nullText(),
                    null,
                    NumberForm.parse(keys.decimal(), keys.thousands()),
                    from,
                    keys.type() == FieldType.DECIMAL ? keys.scale() : 0);
            return withTime(column, keys.format(), keys.zone());
        } catch (IllegalArgumentException e) {
            mistakes.add(map.node(), e.getMessage());
            return null;
        }
    }

    /** Returns the attribute that a field reads; null if the source does not have it. */
    private RecordAttribute attribute(YamlMap map) {
        return map.parse("from", null, text -> RecordAttribute.parse(text, attributes()));
    }

    private List<RecordAttribute.Kind> attributes() {
        if (source instanceof SourceSpec.Kafka) {
            return List.of(
                    RecordAttribute.Kind.HEADER,
                    RecordAttribute.Kind.KEY,
                    RecordAttribute.Kind.PARTITION,
                    RecordAttribute.Kind.OFFSET,
                    RecordAttribute.Kind.TOPIC,
                    RecordAttribute.Kind.TIMESTAMP);
        }
        if (source instanceof SourceSpec.Files) {
            return List.of(RecordAttribute.Kind.FILE, RecordAttribute.Kind.LINE);
        }
        return source instanceof SourceSpec.Stdin ? List.of(RecordAttribute.Kind.LINE) : List.of();
    }

    private DecodedColumn withTime(DecodedColumn column, String written, ZoneId zone) {
        boolean isOfContent = column.from() == null;
        if (column.type() != FieldType.TIME || !isOfContent && !column.from().isText()) {
            return column;
        }
        if (written == null) {
            TimeFormat guessed = isOfContent ? sample.time(column.path()).time() : TimeFormat.ISO;
            return column.at(
                    guessed.kind() == TimeFormat.Kind.ISO ? new TimeFormat(guessed.kind(), null, zone) : guessed);
        }
        for (TimeFormat.Kind kind : TimeFormat.Kind.values()) {
            if (kind != TimeFormat.Kind.PATTERN && EnumText.write(kind).equals(written)) {
                return column.at(new TimeFormat(kind, null, zone));
            }
        }
        return column.at(TimeFormat.pattern(written, zone));
    }
}
