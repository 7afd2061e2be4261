package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.text.RowText;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.CalendarUnit;
import io.updraft.timeseries.query.GroupExpressions;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Selection;
import io.updraft.timeseries.query.WindowCalendar;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

final class AggregateReader {

    private static final int MAX_WINDOWS = 1000;
    private static final ZoneId UTC = ZoneId.of("UTC");

    private static final Set<AggregateFunction> NUMERIC = Set.of(
            AggregateFunction.SUM,
            AggregateFunction.AVG,
            AggregateFunction.STDDEV,
            AggregateFunction.QUANTILE,
            AggregateFunction.QUANTILE_CONT,
            AggregateFunction.QUANTILE_DISC);

    /** The functions to which it makes no difference what a value means. */
    private static final Set<AggregateFunction> COUNTING = Set.of(
            AggregateFunction.COUNT,
            AggregateFunction.DISTINCT,
            AggregateFunction.EXACT_DISTINCT,
            AggregateFunction.MODE);

    private final YamlMap spec;
    private final YamlMap map;
    private final Mistakes mistakes;

    AggregateReader(YamlMap spec) {
        if (!spec.has("aggregate")) {
            spec.mistakes().add(spec.keyNode("aggregate"), "a pipeline needs 'aggregate', or 'route'");
        }
        this.spec = spec;
        this.map = spec.map("aggregate");
        this.mistakes = spec.mistakes();
    }

    /** Reads the pipeline between its source and its dead letters. The source is null if its own section has a mistake. */
    SpecReader.Processing read(
            SourceSpec source,
            DecodeReader decodes,
            Supplier<List<SinkOptions>> sinks,
            SinkReader records,
            boolean keyed) {
        if (source != null) {
            decodes.readFormat();
        }
        KeyTable.AggregateKeys written = new Section<>(map, KeyTable.AggregateKeys.class).record();
        KeyTable.AggregateKeys keys =
                written.groupedBy(written.groupBy().stream().map(decodes::exact).toList());
        SelectionReader selections = new SelectionReader(map, keys, decodes);
        AggregateSpec aggregate = aggregate(keys, selections, keyed);
        TimeSpec time = new TimeReader(spec, source, decodes).read(aggregate.allTime());
        DecodeSpec decode =
                source == null ? null : decodes.read(used(aggregate, time), selections.derived(), selections::place);
        if (decode != null) {
            TypedViews views = new TypedViews(decode, decodes.guessedKeys, decodes.sample());
            aggregate = SelectionReader.with(
                    aggregate, each -> NUMERIC.contains(each.function()) ? views.numeric(each) : each);
            decode = views.decode();
            checkFields(aggregate, time, decode, decodes, selections);
        }
        List<SinkOptions> results = sinks.get();
        checkNames(aggregate, results);
        return new SpecReader.Processing(decode, time, aggregate, null, results, records.records("late"), keyed);
    }

    private static FieldCheck.Use used(AggregateSpec aggregate, TimeSpec time) {
        Set<String> keys = new LinkedHashSet<>(aggregate.groupBy());
        if (aggregate.window().zoneField() != null) {
            keys.add(aggregate.window().zoneField());
        }
        Set<String> all = new LinkedHashSet<>(keys);
        Set<String> summed = new HashSet<>();
        Set<String> counted = new HashSet<>();
        Set<String> others = new HashSet<>();
        for (Measure measure : aggregate.measures()) {
            all.add(measure.field());
            Set<String> fields = NUMERIC.contains(measure.function())
                    ? summed
                    : COUNTING.contains(measure.function()) ? counted : others;
            fields.add(measure.field());
        }
        if (aggregate.unique() != null) {
            all.addAll(aggregate.unique().by());
            counted.addAll(aggregate.unique().by());
        }
        all.add(time.field());
        all.remove(null);
        counted.removeAll(summed);
        counted.removeAll(others);
        return new FieldCheck.Use(Set.copyOf(keys), counted, summed, all, time.field());
    }

    private AggregateSpec aggregate(KeyTable.AggregateKeys keys, SelectionReader selections, boolean keyed) {
        Set<String> names = new HashSet<>();
        for (String field : keys.groupBy()) {
            if (!names.add(field)) {
                map.mistake("group_by", "'group_by' has " + field + " twice");
            }
            checkName(map.at("group_by"), field, "give it another name with 'path' in 'flatten: fields'");
        }
        YamlMap measures = map.map("measures");
        measures.names().forEach(name -> checkName(measures.keyNode(name), name, "rename the measure"));
        Selection selection = selections.read();
        WindowSpec window = window(keys);
        Duration early = keys.early();
        if (early != null
                && (early.isZero()
                        || keys.every() != null && early.compareTo(keys.every().length()) >= 0)) {
            map.mistake("early", "'early' must be longer than 0s and shorter than 'every'");
        }
        checkSelection(keys, keyed);
        return new AggregateSpec(
                keys.groupBy(),
                selections.measures(),
                selection,
                window,
                early,
                unique(keys.unique()),
                limits(keys.limits()));
    }

    private AggregateSpec.Unique unique(AggregateSpec.Unique unique) {
        if (unique == null) {
            return null;
        }
        YamlMap section = map.map("unique");
        if (section.has("by") && new HashSet<>(unique.by()).size() < unique.by().size()) {
            section.mistake("by", "'by' has a field twice");
        }
        if (map.has("every") && !section.has("within")) {
            map.mistake(
                    "unique",
                    "'unique' needs 'within' with windows: the longest time between two rows that are duplicates");
        } else if (!map.has("every") && section.has("within")) {
            section.mistake("within", "'within' needs windows: set their length with 'every', or leave out 'within'");
        }
        return unique;
    }

    /** Reports a column with a name that sinks give to the start or the end of a window. */
    private void checkName(YamlNode where, String name, String remedy) {
        if (List.of(RowText.WINDOW).contains(name)) {
            mistakes.add(where, "each result has a column " + name + " already, that of its window: " + remedy);
        }
    }

    /** Reports what cannot be combined: a group that was written cannot be taken back, and shares do not know of each other. */
    private void checkSelection(KeyTable.AggregateKeys keys, boolean keyed) {
        for (String key : List.of("having", "top", "limit")) {
            if (map.has(key) && keys.early() != null) {
                map.mistake(
                        key,
                        "'" + key + "' cannot be combined with 'early': a group that was written cannot be"
                                + " taken back; leave one of them out");
            } else if (map.has(key)
                    && keys.lateness() != null
                    && !keys.lateness().isZero()) {
                map.mistake(
                        key,
                        "'" + key + "' cannot be combined with 'lateness': a group that was written cannot be"
                                + " taken back; use 'time: disorder' in its place");
            }
        }
        for (String key : List.of("top", "order_by", "limit")) {
            if (map.has(key) && keyed) {
                map.mistake(
                        key,
                        "'" + key + "' cannot be combined with 'keyed', where each share has results of its own;"
                                + " leave one of them out");
            }
        }
    }

    private WindowSpec window(KeyTable.AggregateKeys keys) {
        WindowLength every = keys.every();
        WindowLength slide = keys.slide() == null ? every : keys.slide();
        if (!map.has("every")) {
            for (String key : List.of("slide", "zone", "lateness")) {
                if (map.has(key)) {
                    map.mistake(key, "'" + key + "' needs windows: set their length with 'every'");
                }
            }
        }
        if (every == null || slide == null) {
            return WindowSpec.ALL_TIME;
        }
        if (every.unit() != null) {
            return WindowSpec.of(calendar(every.unit(), slide), keys.lateness());
        }
        if (map.has("zone")) {
            String unit = every.fixed().equals(Duration.ofDays(7)) ? "week" : "day";
            map.mistake(
                    "zone",
                    "'zone' needs windows of the calendar: in place of 'every: " + every + "' write 'every: " + unit
                            + "', or another of " + String.join(", ", EnumText.names(CalendarUnit.class)));
        }
        if (slide.unit() != null) {
            map.mistake(
                    "slide",
                    "'slide: " + slide + "' does not fit 'every: " + every
                            + "': write a length such as 1d, or 'every: week', which may have 'slide: day'");
            return WindowSpec.ALL_TIME;
        }
        return checkSlide(every.fixed(), slide.fixed())
                ? new WindowSpec(every.fixed(), slide.fixed(), keys.lateness())
                : WindowSpec.ALL_TIME;
    }

    private WindowCalendar calendar(CalendarUnit unit, WindowLength slide) {
        boolean slidesByDay = unit == CalendarUnit.WEEK && slide.unit() == CalendarUnit.DAY;
        if (slide.unit() != unit && !slidesByDay) {
            String name = EnumText.write(unit);
            map.mistake(
                    "slide",
                    "windows of 'every: " + name + "' cannot have 'slide: " + slide + "': "
                            + (unit == CalendarUnit.WEEK ? "write 'slide: day', or leave" : "leave")
                            + " it out"
                            + (unit == CalendarUnit.WEEK ? "" : ", or take 'every: week' with 'slide: day'"));
        }
        CalendarUnit by = slidesByDay ? CalendarUnit.DAY : unit;
        YamlNode node = map.get("zone");
        if (node == null || !node.is(YamlNode.Kind.MAPPING)) {
            return new WindowCalendar(unit, by, map.parse("zone", UTC, SectionKey::zone), null);
        }
        YamlMap zone = map.map("zone");
        zone.require("field");
        String field = zone.text("field", null);
        zone.end();
        return new WindowCalendar(unit, by, field == null ? UTC : null, field);
    }

    /** Checks that results of windows that begin or end at the same time have different names in the sinks. */
    private void checkNames(AggregateSpec aggregate, List<SinkOptions> sinks) {
        String field = aggregate.window().zoneField();
        for (SinkOptions sink : field == null ? List.<SinkOptions>of() : sinks) {
            String mistake = sink.ambiguity(aggregate.groupBy().contains(field));
            if (mistake != null) {
                map.mistake("zone", "windows of different zones may begin or end at the same time: " + mistake);
            }
        }
    }

    private boolean checkSlide(Duration every, Duration slide) {
        long windows = every.dividedBy(slide);
        String mistake = null;
        if (windows == 0) {
            mistake = "windows that slide by more than their size would leave records out";
        } else if (!slide.multipliedBy(windows).equals(every)) {
            mistake = "'slide' must divide 'every': " + QuantityText.write(every) + " is not a multiple of "
                    + QuantityText.write(slide);
        } else if (windows > MAX_WINDOWS) {
            mistake = "each record would be in " + windows + " windows; the limit is " + MAX_WINDOWS
                    + ": make 'slide' longer";
        }
        if (mistake != null) {
            map.mistake("slide", mistake);
        }
        return mistake == null;
    }

    private AggregateSpec.Limits limits(AggregateSpec.Limits limits) {
        Path spill = limits == null ? null : limits.spill();
        if (spill != null) {
            YamlMap section = map.map("limits");
            if (Files.exists(spill) && !Files.isDirectory(spill)) {
                section.mistake("spill", spill + " is not a directory");
            }
            OptionalPart.ROCKSDB.require(section.at("spill"), "'spill'", mistakes);
        }
        return limits == null ? new AggregateSpec.Limits(0, 0, null) : limits;
    }

    private void checkFields(
            AggregateSpec aggregate,
            TimeSpec time,
            DecodeSpec decode,
            DecodeReader decodes,
            SelectionReader selections) {
        FieldCheck check = FieldCheck.of(spec, decode, decodes);
        if (check == null) {
            return;
        }
        check.checkKeys(map.at("group_by"), aggregate.groupBy(), "be grouped by");
        checkZone(aggregate.window().zoneField(), check);
        if (aggregate.unique() != null) {
            aggregate
                    .unique()
                    .by()
                    .forEach(field -> check.find(map.map("unique").at("by"), field));
        }
        boolean known = true;
        for (Measure measure : aggregate.measures()) {
            Schema.Field field =
                    measure.field() == null ? null : check.find(selections.place(measure.name()), measure.field());
            known &= measure.field() == null || field != null;
            if (field != null
                    && NUMERIC.contains(measure.function())
                    && !isMeasurable(measure.function(), field.type())) {
                known = false;
                mistakes.add(
                        selections.place(measure.name()),
                        measure.field() + " is of type " + EnumText.write(field.type()) + ", and "
                                + GroupExpressions.text(measure).replaceFirst("\\(.*", "")
                                + " needs type long, double or decimal");
            }
        }
        Schema groups = known ? groups(aggregate, check.schema()) : null;
        if (groups != null) {
            selections.check(aggregate.selection(), groups, decodes::isField);
        }
        if (time.field() != null && !time.field().isEmpty()) {
            YamlNode where = spec.has("time") ? spec.map("time").at("field") : spec.at("aggregate");
            Schema.Field field = check.find(where, time.field());
            if (field != null && field.type() != FieldType.TIME) {
                mistakes.add(
                        where,
                        time.field() + " is of type " + EnumText.write(field.type())
                                + "; the time of a record needs type time");
            }
        }
    }

    private void checkZone(String name, FieldCheck check) {
        Schema.Field field = name == null ? null : check.find(map.at("zone"), name);
        if (field != null && field.type() != FieldType.TEXT) {
            map.mistake("zone", name + " is of type " + EnumText.write(field.type()) + "; a time zone needs type text");
        }
    }

    /** Returns the fields of the groups; null if there is a mistake in them. */
    private static Schema groups(AggregateSpec aggregate, Schema rows) {
        try {
            return aggregate.query(rows).result();
        } catch (IllegalArgumentException e) {
            return null; // Reported already.
        }
    }

    private static boolean isMeasurable(AggregateFunction function, FieldType type) {
        boolean ofTimes = function == AggregateFunction.QUANTILE_CONT || function == AggregateFunction.QUANTILE_DISC;
        return type == FieldType.LONG
                || type == FieldType.DOUBLE
                || type == FieldType.DECIMAL
                || ofTimes && type == FieldType.TIME;
    }

    /** Reads the section {@code time}. The source is null if its own section has a mistake. */
    private record TimeReader(YamlMap spec, SourceSpec source, DecodeReader decodes) {

        TimeSpec read(boolean allTime) {
            YamlNode node = spec.get("time");
            if (allTime) {
                if (node != null && !spec.map("aggregate").has("every")) {
                    spec.mistakes().add(node, "'time' needs windows: set their length with 'aggregate: every'");
                }
                return TimeSpec.NONE;
            }
            if (node == null) {
                return defaultTime();
            }
            if (node.isScalar()) {
                KindNode word = KindNode.of("'time'", node, List.of("processing", "source"), spec.mistakes());
                return word != null && word.name().equals("processing") ? TimeSpec.PROCESSING : standard(null);
            }
            YamlMap map = spec.map("time");
            KeyTable.TimeKeys keys = keys(map);
            boolean ofSource = keys.source();
            String field = keys.field() == null ? null : decodes.exact(keys.field());
            if (!ofSource && field == null) {
                // The description gives only options such as 'disorder' or 'idle': they apply to the default time.
                TimeSpec found = defaultTime();
                ofSource = found.origin() == TimeSpec.Origin.SOURCE;
                field = found.field() != null || ofSource ? found.field() : "";
            }
            if (ofSource && field != null) {
                map.mistake(
                        "field",
                        "the time comes either from the source or from a field: leave out 'source' or 'field'");
            }
            if (keys.ahead().toMillis() < 1) {
                map.mistake(
                        "ahead",
                        "'ahead': '" + map.text("ahead", "")
                                + "' is too short: clocks differ by some moments; 'ahead' is at least 1ms, and 1d by default");
            }
            return time(ofSource ? null : field, keys);
        }

        private KeyTable.TimeKeys keys(YamlMap map) {
            return new Section<>(map, KeyTable.TimeKeys.class)
                    .otherwise("disorder", disorder())
                    .record();
        }

        /** An input with an end is wanted as a whole, in any order. Generated records are in order. */
        private Duration disorder() {
            boolean ends = source instanceof SourceSpec.Files files && !files.follow()
                    || source instanceof SourceSpec.Stdin
                    || source instanceof SourceSpec.Kafka kafka && kafka.toEnd();
            return ends ? TimeSpec.ANY_DISORDER : Duration.ZERO;
        }

        /** Returns the time in a field, or, if it is null, the source's own time. */
        private static TimeSpec time(String field, KeyTable.TimeKeys keys) {
            TimeSpec.Origin origin = field == null ? TimeSpec.Origin.SOURCE : TimeSpec.Origin.EVENT;
            return new TimeSpec(origin, field, keys.disorder(), keys.idle(), keys.ahead());
        }

        private TimeSpec standard(String field) {
            return time(field, keys(spec.empty("time")));
        }

        private TimeSpec defaultTime() {
            if (source instanceof SourceSpec.Kafka) {
                return standard(null);
            }
            if (source instanceof SourceSpec.Http) {
                return standard("measure_time");
            }
            if (source instanceof SourceSpec.Generator generator) {
                return standard(generator.time());
            }
            List<String> declared = declaredTimes();
            List<String> candidates = declared.isEmpty() ? decodes.sample().timeCandidates() : declared;
            if (candidates.size() != 1 && source != null) {
                spec.map("aggregate")
                        .mistake(
                                "every",
                                "'every' needs the time of a record: "
                                        + (candidates.isEmpty()
                                                ? "no field looks like a time; name the field as 'time: {field: ...}'"
                                                : "it could be " + String.join(" or ", candidates)
                                                        + "; name the field as 'time: {field: " + candidates.get(0)
                                                        + "}'")
                                        + ", or use the clock with 'time: processing'");
            }
            return candidates.size() == 1 ? standard(candidates.get(0)) : TimeSpec.PROCESSING;
        }

        private List<String> declaredTimes() {
            YamlMap fields = spec.map("flatten").map("fields");
            return fields.names().stream()
                    .filter(name -> {
                        YamlNode node = fields.get(name);
                        return node != null
                                && (node.isScalar()
                                                ? node.text()
                                                : fields.of(name, node).text("type", ""))
                                        .equalsIgnoreCase("time");
                    })
                    .toList();
        }
    }
}
