package io.updraft.pipeline.spec;

import io.updraft.base.text.OneLine;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.pipeline.source.FileFinder;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * Reads descriptions of pipelines and checks them as far as possible without a connection. One call finds all mistakes, each with
 * its position. The checks read the files that the description names. They read the first line of standard input if the
 * description leaves columns or fields to be inferred from it.
 */
public final class SpecReader {

    private static final int MAX_CHARACTERS = 1 << 20;
    private static final int MAX_ALIASES = 20;

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
        return read(file.toString(), text(file), name(file));
    }

    /**
     * Reads the text of a description or a query.
     *
     * @throws SpecException when it cannot be read
     */
    public static String text(Path file) throws SpecException {
        try {
            if (Files.size(file) > MAX_CHARACTERS) {
                throw wrong(
                        file.toString(), "the file is larger than 1 MB, the limit for the description of a pipeline");
            }
            return Files.readString(file);
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
        return new SpecException(List.of(new Mistakes.Mistake(new Position(file, 1, 1), message)));
    }

    private static String name(Path file) {
        String name = file.getFileName().toString().replaceAll("\\.ya?ml$", "");
        return name.matches("[\\w.-]+") ? name : "pipeline";
    }

    /**
     * Reads a text.
     *
     * @param file the name of the description in messages
     * @param name the name of the pipeline if the description has none
     * @throws SpecException when the description has mistakes; it carries all of them
     */
    public PipelineSpec read(String file, String text, String name) throws SpecException {
        Mistakes mistakes = new Mistakes();
        return read(compose(file, text, mistakes), name, mistakes, false);
    }

    /**
     * Reads a description that was made of a query: fields have the types of their first values, also those that are grouped by.
     *
     * @param root the description
     * @param name the name of the pipeline if the description has none
     * @throws SpecException when the description has mistakes; it carries all of them
     */
    public PipelineSpec read(YamlNode root, String name) throws SpecException {
        return read(root, name, new Mistakes(), true);
    }

    /**
     * Reads the nodes of a file.
     *
     * @throws SpecException when the file cannot be read, or is not YAML
     */
    public static YamlNode nodes(Path file) throws SpecException {
        Mistakes mistakes = new Mistakes();
        YamlNode root = compose(file.toString(), text(file), mistakes);
        if (mistakes.any() || root == null) {
            throw new SpecException(mistakes.sorted());
        }
        return root;
    }

    private PipelineSpec read(YamlNode root, String name, Mistakes mistakes, boolean typed) throws SpecException {
        Variables variables = new Variables(environment, mistakes);
        PipelineSpec spec =
                root == null ? null : read(new YamlMap("a pipeline", root, mistakes, variables::replace), name, typed);
        if (mistakes.any() || spec == null) {
            throw new SpecException(mistakes.sorted());
        }
        return spec;
    }

    private static YamlNode compose(String file, String text, Mistakes mistakes) {
        Position start = new Position(file, 1, 1);
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file)
                .setCodePointLimit(MAX_CHARACTERS)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setAllowDuplicateKeys(true)
                .setAllowRecursiveKeys(false)
                .build();
        try {
            Optional<Node> root = new Compose(settings).composeString(text);
            if (root.isEmpty()) {
                mistakes.add(start, "the description is empty; docs/aggregate.md describes the parts of a pipeline");
            }
            return root.map(node -> node(file, node)).orElse(null);
        } catch (MarkedYamlEngineException e) {
            mistakes.add(
                    position(file, e.getProblemMark()),
                    "the description is not YAML: "
                            + OneLine.of(e.getProblem() == null ? e.getContext() : e.getProblem()));
        } catch (YamlEngineException e) {
            mistakes.add(start, "the description is not YAML: " + OneLine.of(e.getMessage()));
        } catch (StackOverflowError e) {
            mistakes.add(start, "the description is nested too deep");
        }
        return null;
    }

    /** Aliases that form a circle end as any nodes that are nested too deep. */
    private static YamlNode node(String file, Node node) {
        Position where = position(file, node.getStartMark());
        if (node instanceof MappingNode mapping) {
            Function<NodeTuple, YamlNode.Entry> entry =
                    each -> new YamlNode.Entry(node(file, each.getKeyNode()), node(file, each.getValueNode()));
            return YamlNode.mapping(
                    where, mapping.getValue().stream().map(entry).toList());
        }
        if (node instanceof SequenceNode list) {
            List<YamlNode> items =
                    list.getValue().stream().map(each -> node(file, each)).toList();
            return new YamlNode(where, YamlNode.Kind.LIST, null, items, List.of(), null);
        }
        ScalarNode scalar = (ScalarNode) node;
        YamlNode.Kind kind = scalar.isPlain() ? YamlNode.Kind.PLAIN : YamlNode.Kind.QUOTED;
        return YamlNode.scalar(where, scalar.getTag().equals(Tag.NULL) ? YamlNode.Kind.NULL : kind, scalar.getValue());
    }

    private static Position position(String file, Optional<Mark> mark) {
        return new Position(
                file,
                mark.map(each -> each.getLine() + 1).orElse(1),
                mark.map(each -> each.getColumn() + 1).orElse(1));
    }

    private PipelineSpec read(YamlMap spec, String otherwise, boolean typed) {
        Mistakes mistakes = spec.mistakes();
        Section<PipelineSpec> section = new Section<>(spec, PipelineSpec.class)
                .otherwise("name", otherwise)
                .otherwise("parallelism", Math.max(1, Runtime.getRuntime().availableProcessors()));
        String name = section.get("name");
        if (!name.matches("[\\w.-]{1,100}")) {
            spec.mistake(
                    "name",
                    "'name' may have up to 100 letters, digits, dots, dashes and underscores, not '" + name + "'");
        }
        SourceSpec source = new SourceReader(spec).read(name);
        DecodeReader decodes = new DecodeReader(spec, source, typed);
        SinkReader sinks = new SinkReader(spec, files(source));
        boolean track = section.get("track");
        Processing rows = spec.has("route")
                ? new RouteReader(spec, spec.map("route")).read(source, decodes)
                : new AggregateReader(spec)
                        .read(source, decodes, () -> sinks.sinks(name, source, track), sinks, section.get("keyed"));
        if (!track && rows.sinks().stream().anyMatch(SinkOptions::keepsPositions)) {
            spec.mistake(
                    "track", "a sink keeps positions, but 'track: false' turns positions off: leave out one of them");
        }
        section.with("deadLetters", sinks.records("dead_letters"))
                .with("source", withHeader(source, decodes.header()))
                .with("decode", rows.decode())
                .with("time", rows.time())
                .with("aggregate", rows.aggregate())
                .with("route", rows.route())
                .with("sinks", rows.sinks())
                .with("late", rows.late())
                .with("keyed", rows.keyed())
                .with("state", state(spec, name, source, section.get("state")));
        if (dependsOnOrder(source, rows)) {
            section.with("parallelism", 1);
        }
        checkGiveUp(spec, section.get("giveUp"));
        spec.end();
        return mistakes.any() || rows.decode() == null ? null : section.record();
    }

    /**
     * Returns whether the order of the records decides which value is the first or last, or, of one file, which rows are late or
     * duplicates. Only a task that has all of them knows this order: several tasks would decide by their progress, which differs
     * from run to run.
     */
    private static boolean dependsOnOrder(SourceSpec source, Processing rows) {
        AggregateSpec aggregate = rows.aggregate();
        if (aggregate == null || rows.keyed()) {
            return false;
        }
        if (aggregate.allTime() && aggregate.measures().stream().anyMatch(SpecReader::isOfOrder)) {
            return true;
        }
        boolean mayBeLate = !aggregate.allTime()
                && rows.time().isOfRecords()
                && !rows.time().disorder().equals(TimeSpec.ANY_DISORDER);
        if (!mayBeLate && aggregate.unique() == null) {
            return false;
        }
        return source instanceof SourceSpec.Stdin
                || source instanceof SourceSpec.Files files && FileFinder.isOneFile(files.paths(), files.follow());
    }

    private static boolean isOfOrder(Measure measure) {
        return measure.function() == AggregateFunction.FIRST || measure.function() == AggregateFunction.LAST;
    }

    /** What a pipeline does with its rows: it aggregates or routes them. The first is null if there is a mistake. */
    record Processing(
            DecodeSpec decode,
            TimeSpec time,
            AggregateSpec aggregate,
            RouteOptions route,
            List<SinkOptions> sinks,
            RejectedRecordSinkOptions late,
            boolean keyed) {}

    private static void checkGiveUp(YamlMap spec, Duration giveUp) {
        if (giveUp != null && giveUp.isZero()) {
            spec.mistake("give_up", "'give_up' must be longer than 0s; leave it out to retry without limit");
        }
    }

    private static SourceSpec withHeader(SourceSpec source, boolean header) {
        if (source instanceof SourceSpec.Files files) {
            return new SourceSpec.Files(
                    files.paths(), files.follow(), files.order(), files.resume(), header, files.maxRecord());
        }
        return source instanceof SourceSpec.Stdin stdin ? new SourceSpec.Stdin(header, stdin.maxRecord()) : source;
    }

    private static List<Path> files(SourceSpec source) {
        try {
            return source instanceof SourceSpec.Files files
                    ? FileFinder.find(files.paths(), files.follow())
                    : List.of();
        } catch (SourceException e) {
            // SourceReader has already reported this mistake.
            return List.of();
        }
    }

    private Path state(YamlMap spec, String name, SourceSpec source, Path given) {
        boolean resume = source instanceof SourceSpec.Files files && files.resume();
        if (spec.has("state") && source != null && !resume) {
            spec.mistake("state", "'state' is only for resumed files: add 'resume: true' to the source");
        }
        return !resume ? null : given != null ? given : defaultState(name);
    }

    private Path defaultState(String name) {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home", "."));
        String base = environment.getOrDefault("XDG_STATE_HOME", home + "/.local/state");
        return Path.of(base, "updraft", "pipelines", name + ".positions");
    }
}
