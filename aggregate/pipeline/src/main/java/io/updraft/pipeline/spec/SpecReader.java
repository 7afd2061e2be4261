package io.updraft.pipeline.spec;

import io.updraft.pipeline.sink.RecordSinkOptions;
import io.updraft.pipeline.sink.SinkOptions;
import io.updraft.pipeline.sink.Sinks;
import io.updraft.pipeline.source.FileFinder;
import io.updraft.pipeline.source.SourceException;
import io.updraft.pipeline.source.SourceSpec;
import io.updraft.timeseries.aggregate.Function;
import io.updraft.timeseries.aggregate.Measure;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.FieldType;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads descriptions of pipelines and checks them as far as possible without a connection. One call finds all mistakes, each with
 * its position. The checks read the files that the description names. They read the first line of standard input if the
 * description leaves columns or fields to be inferred from it.
 */
public final class SpecReader {

    private static final int MOST_CHARACTERS = 1 << 20;
    private static final int MOST_ALIASES = 20;
    /** How long a record may be missing in the results before it is reported. */
    static final Duration ALARM = Duration.ofMinutes(2);

    private static final Duration IDLE = Duration.ofSeconds(10);
    private static final Set<Function> NUMERIC = Set.of(Function.SUM, Function.AVG, Function.STDDEV, Function.QUANTILE);

    private final Map<String, String> environment;

    /** Creates a reader that replaces <code>${NAME}</code> with values of the environment. */
    public SpecReader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * Reads a file.
     *
     * @throws SpecException when the description has mistakes; it carries all of them
     */
    public PipelineSpec read(Path file) throws SpecException {
        try {
            if (Files.size(file) > MOST_CHARACTERS) {
                throw wrong(
                        file.toString(), "the file is larger than 1 MB, the limit for the description of a pipeline");
            }
            return read(file.toString(), Files.readString(file), name(file));
        } catch (NoSuchFileException e) {
            throw wrong(file.toString(), "no such file");
        } catch (MalformedInputException e) {
            throw wrong(file.toString(), "the file is not UTF-8 text");
        } catch (IOException e) {
            throw wrong(file.toString(), "cannot be read: " + reason(e));
        }
    }

    /** The message of most file system exceptions is only the name of the file. */
    private static String reason(IOException e) {
        return e instanceof AccessDeniedException ? "permission denied" : e.toString();
    }

    private static SpecException wrong(String file, String message) {
        return new SpecException(List.of(new Mistake(file, 1, 1, message)));
    }

    private static String name(Path file) {
        String name = file.getFileName().toString().replaceAll("\\.ya?ml$", "");
        return name.matches("[\\w.-]+") ? name : "pipeline";
    }

    /**
     * Reads a text.
     *
     * @param file the name of the description in messages
     * @param text the description
     * @param name the name of the pipeline if the description has none
     * @throws SpecException when the description has mistakes; it carries all of them
     */
    public PipelineSpec read(String file, String text, String name) throws SpecException {
        Mistakes mistakes = new Mistakes(file);
        Node root = compose(file, text, mistakes);
        PipelineSpec spec = root == null
                ? null
                : read(new YamlMap("a pipeline", root, mistakes, new Substitution(environment)), name);
        if (mistakes.any() || spec == null) {
            throw mistakes.exception();
        }
        return spec;
    }

    private static Node compose(String file, String text, Mistakes mistakes) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setCodePointLimit(MOST_CHARACTERS)
                .setMaxAliasesForCollections(MOST_ALIASES)
                .setAllowDuplicateKeys(true)
                .setAllowRecursiveKeys(false)
                .build();
        try {
            Optional<Node> root = new Compose(settings).composeString(text);
            if (root.isEmpty()) {
                mistakes.add(1, 1, "the description is empty; docs/aggregate.md describes the parts of a pipeline");
            }
            return root.orElse(null);
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            int column = e.getProblemMark().map(mark -> mark.getColumn() + 1).orElse(1);
            mistakes.add(
                    line,
                    column,
                    "the description is not YAML: "
                            + oneLine(e.getProblem() == null ? e.getContext() : e.getProblem()));
        } catch (YamlEngineException e) {
            mistakes.add(1, 1, "the description is not YAML: " + oneLine(e.getMessage()));
        } catch (StackOverflowError e) {
            mistakes.add(1, 1, "the description is nested too deep");
        }
        return null;
    }

    private static String oneLine(String text) {
        return String.valueOf(text).replaceAll("\\s+", " ").strip();
    }

    private PipelineSpec read(YamlMap spec, String otherwise) {
        Mistakes mistakes = spec.mistakes();
        String name = spec.text("name", otherwise);
        if (!name.matches("[\\w.-]{1,100}")) {
            mistakes.add(
                    spec.at("name"),
                    "'name' may have up to 100 letters, digits, dots, dashes and underscores, not '" + name + "'");
        }
        SourceSpec source = new SourceReader(spec).read(name);
        if (spec.has("route")) {
            return new RouteReader(spec)
                    .read(
                            name,
                            source,
                            new DecodeReader(spec, source),
                            new SinkReader(spec, files(source)),
                            state(spec, name, source));
        }
        AggregateReader aggregates = new AggregateReader(spec);
        AggregateSpec aggregate = aggregates.read();
        DecodeReader decodes = new DecodeReader(spec, source);
        if (source != null) {
            decodes.readFormat();
        }
        TimeSpec time = time(spec, source, aggregate, decodes);
        DecodeSpec decode = source == null
                ? null
                : decodes.read(Set.copyOf(aggregate.groupBy()), used(aggregate, time), field(time));
        if (source == null) {
            skipDecode(spec);
        }
        SinkReader sinkReader = new SinkReader(spec, files(source));
        boolean track = spec.flag("track", true);
        List<SinkOptions> sinks = sinkReader.sinks(name, source, track);
        RecordSinkOptions late = sinkReader.records("late");
        RecordSinkOptions dead = sinkReader.records("dead_letters");
        int parallelism = (int)
                spec.number("parallelism", Math.max(1, Runtime.getRuntime().availableProcessors()), 1, 1024);
        boolean keyed = spec.flag("keyed", false);
        if (!track && sinks.stream().anyMatch(Sinks::keepsPositions)) {
            mistakes.add(
                    spec.at("track"),
                    "a sink keeps positions, but 'track: false' turns positions off: leave out one of them");
        }
        Duration alarm = spec.duration("alarm", ALARM);
        Duration giveUp = giveUp(spec);
        Path state = state(spec, name, source);
        spec.end();
        if (decode != null) {
            checkFields(spec, aggregates.map(), aggregate, time, decode, decodes);
        }
        return mistakes.any() || decode == null
                ? null
                : new PipelineSpec(
                        name,
                        withHeader(source, decodes.header()),
                        decode,
                        time,
                        aggregate,
                        null,
                        sinks,
                        late,
                        dead,
                        parallelism,
                        keyed,
                        track,
                        alarm,
                        giveUp,
                        state);
    }

    /** Returns how long to retry before the run fails; null for no limit. */
    static Duration giveUp(YamlMap spec) {
        Duration giveUp = spec.duration("give_up", null);
        if (giveUp != null && giveUp.isZero()) {
            spec.mistakes()
                    .add(spec.at("give_up"), "'give_up' must be longer than 0s; leave it out to retry without limit");
        }
        return giveUp;
    }

    // The sections that depend on the source cannot be checked; reading them marks them as known.
    private static void skipDecode(YamlMap spec) {
        spec.get("format");
        spec.get("flatten");
    }

    static SourceSpec withHeader(SourceSpec source, boolean header) {
        if (source instanceof SourceSpec.Files files) {
            return new SourceSpec.Files(
                    files.paths(), files.follow(), files.order(), files.resume(), header, files.maxRecord());
        }
        return source instanceof SourceSpec.Stdin stdin ? new SourceSpec.Stdin(header, stdin.maxRecord()) : source;
    }

    private static List<Path> files(SourceSpec source) {
        try {
            return source instanceof SourceSpec.Files files ? FileFinder.find(files.paths()) : List.of();
        } catch (SourceException e) {
            // SourceReader has already reported this mistake.
            return List.of();
        }
    }

    private Path state(YamlMap spec, String name, SourceSpec source) {
        boolean resume = source instanceof SourceSpec.Files files && files.resume();
        if (spec.has("state") && source != null && !resume) {
            spec.mistakes()
                    .add(spec.at("state"), "'state' is only for resumed files: add 'resume: true' to the source");
        }
        Path given = spec.parse("state", null, Path::of);
        return !resume ? null : given != null ? given : defaultState(name);
    }

    private Path defaultState(String name) {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        String base = environment.getOrDefault("XDG_STATE_HOME", home + "/.local/state");
        return Path.of(base, "updraft", "pipelines", name + ".positions");
    }

    private static Set<String> used(AggregateSpec aggregate, TimeSpec time) {
        Set<String> used = new LinkedHashSet<>(aggregate.groupBy());
        aggregate.measures().stream()
                .map(Measure::field)
                .filter(name -> name != null)
                .forEach(used::add);
        if (field(time) != null) {
            used.add(field(time));
        }
        if (used.isEmpty() && time instanceof TimeSpec.None) {
            return used;
        }
        return used;
    }

    private static String field(TimeSpec time) {
        return time instanceof TimeSpec.Event event ? event.field() : null;
    }

    private static TimeSpec time(YamlMap spec, SourceSpec source, AggregateSpec aggregate, DecodeReader decodes) {
        Node node = spec.get("time");
        Mistakes mistakes = spec.mistakes();
        if (aggregate.allTime()) {
            if (node != null && !spec.map("aggregate").has("every")) {
                mistakes.add(node, "'time' needs windows: set their length with 'aggregate: every'");
            }
            return new TimeSpec.None();
        }
        if (node == null) {
            return defaultTime(spec, source, decodes);
        }
        Kind word = node instanceof org.snakeyaml.engine.v2.nodes.ScalarNode
                ? Kind.of("'time'", node, List.of("processing", "source"), mistakes)
                : null;
        if (word != null && word.name().equals("processing")) {
            return new TimeSpec.Processing();
        }
        if (node instanceof org.snakeyaml.engine.v2.nodes.ScalarNode) {
            return new TimeSpec.Source(disorder(source), IDLE, TimeSpec.DEFAULT_AHEAD);
        }
        YamlMap map = spec.map("time");
        boolean ofSource = map.flag("source", false);
        String field = map.text("field", null);
        if (!ofSource && field == null) {
            // The description gives only options such as 'disorder' or 'idle': they apply to the default time.
            TimeSpec found = defaultTime(spec, source, decodes);
            ofSource = found instanceof TimeSpec.Source;
            field = found instanceof TimeSpec.Event event ? event.field() : ofSource ? null : "";
        }
        Duration disorder = map.parse("disorder", disorder(source), SpecReader::disorder);
        Duration idle = map.duration("idle", IDLE);
        Duration ahead = map.parse("ahead", TimeSpec.DEFAULT_AHEAD, SpecReader::ahead);
        map.end();
        if (ofSource && field != null) {
            mistakes.add(
                    map.at("field"),
                    "the time comes either from the source or from a field: leave out 'source' or 'field'");
        }
        return ofSource ? new TimeSpec.Source(disorder, idle, ahead) : new TimeSpec.Event(field, disorder, idle, ahead);
    }

    /** An input with an end is wanted as a whole, in any order. Generated records are in order. */
    private static Duration disorder(SourceSpec source) {
        boolean sorted = source == null || !source.hasEnd() || source instanceof SourceSpec.Generator;
        return sorted ? Duration.ZERO : TimeSpec.ANY_DISORDER;
    }

    private static Duration disorder(String text) {
        return text.equals(Units.ANY) ? TimeSpec.ANY_DISORDER : Units.duration(text);
    }

    private static Duration ahead(String text) {
        Duration ahead = Units.duration(text);
        if (ahead.toMillis() < 1) {
            throw new IllegalArgumentException("'" + text
                    + "' is too short: clocks differ by some moments; 'ahead' is at least 1ms, and 1d by default");
        }
        return ahead;
    }

    private static TimeSpec defaultTime(YamlMap spec, SourceSpec source, DecodeReader decodes) {
        if (source instanceof SourceSpec.Kafka) {
            return new TimeSpec.Source(disorder(source), IDLE, TimeSpec.DEFAULT_AHEAD);
        }
        if (source instanceof SourceSpec.Http) {
            return new TimeSpec.Event("measure_time", disorder(source), IDLE, TimeSpec.DEFAULT_AHEAD);
        }
        if (source instanceof SourceSpec.Generator generator) {
            return new TimeSpec.Event(generator.time(), disorder(source), IDLE, TimeSpec.DEFAULT_AHEAD);
        }
        List<String> declared = declaredTimes(spec);
        List<String> candidates = declared.isEmpty() ? decodes.guess().timeCandidates() : declared;
        if (candidates.size() != 1 && source != null) {
            spec.mistakes()
                    .add(
                            spec.map("aggregate").at("every"),
                            "'every' needs the time of a record: "
                                    + (candidates.isEmpty()
                                            ? "no field looks like a time; name the field as 'time: {field: ...}'"
                                            : "it could be " + String.join(" or ", candidates)
                                                    + "; name the field as 'time: {field: " + candidates.get(0) + "}'")
                                    + ", or use the clock with 'time: processing'");
        }
        return candidates.size() == 1
                ? new TimeSpec.Event(candidates.get(0), disorder(source), IDLE, TimeSpec.DEFAULT_AHEAD)
                : new TimeSpec.Processing();
    }

    private static List<String> declaredTimes(YamlMap spec) {
        YamlMap fields = spec.map("flatten").map("fields");
        return fields.names().stream()
                .filter(name -> {
                    Node node = fields.get(name);
                    if (node instanceof org.snakeyaml.engine.v2.nodes.ScalarNode scalar) {
                        return scalar.getValue().equalsIgnoreCase("time");
                    }
                    return node != null
                            && fields.of(name, node).text("type", "").equalsIgnoreCase("time");
                })
                .toList();
    }

    private static void checkFields(
            YamlMap spec,
            YamlMap aggregates,
            AggregateSpec aggregate,
            TimeSpec time,
            DecodeSpec decode,
            DecodeReader decodes) {
        Mistakes mistakes = spec.mistakes();
        FieldCheck check = FieldCheck.of(spec, decode, decodes);
        if (check == null) {
            return;
        }
        for (String name : aggregate.groupBy()) {
            Field field = check.find(aggregates.at("group_by"), name);
            if (field != null && field.type() == FieldType.DOUBLE) {
                mistakes.add(
                        aggregates.at("group_by"),
                        name
                                + " is a floating-point number, which cannot be grouped by; make it text or long in"
                                + " 'flatten: fields'");
            }
        }
        YamlMap measures = aggregates.map("measures");
        for (Measure measure : aggregate.measures()) {
            Field field = measure.field() == null ? null : check.find(measures.at(measure.name()), measure.field());
            if (field != null && NUMERIC.contains(measure.function()) && !isNumber(field.type())) {
                mistakes.add(
                        measures.at(measure.name()),
                        measure.field() + " is of type " + Choices.write(field.type()) + ", and "
                                + Choices.write(measure.function()) + " needs type long or double");
            }
        }
        if (time instanceof TimeSpec.Event event) {
            Node where = spec.has("time") ? spec.map("time").at("field") : spec.at("aggregate");
            Field field = event.field().isEmpty() ? null : check.find(where, event.field());
            if (field != null && field.type() != FieldType.TIME) {
                mistakes.add(
                        where,
                        event.field() + " is of type " + Choices.write(field.type())
                                + "; the time of a record needs type time");
            }
        }
    }

    private static boolean isNumber(FieldType type) {
        return type == FieldType.LONG || type == FieldType.DOUBLE;
    }
}
