package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceSpec;
import java.time.Duration;
import java.util.List;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** Reads the section {@code time}. */
final class TimeReader {

    private static final Duration IDLE = Duration.ofSeconds(10);
    /** How far ahead of the clock a time may lie unless the description says otherwise. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private final YamlMap spec;
    private final SpecMistakes mistakes;
    private final SourceSpec source;
    private final DecodeReader decodes;

    /** Creates a reader. The source is null if its own section has a mistake. */
    TimeReader(YamlMap spec, SourceSpec source, DecodeReader decodes) {
        this.spec = spec;
        this.mistakes = spec.mistakes();
        this.source = source;
        this.decodes = decodes;
    }

    /** Reads the time of the rows that are aggregated. */
    TimeSpec read(boolean allTime) {
        Node node = spec.get("time");
        if (allTime) {
            if (node != null && !spec.map("aggregate").has("every")) {
                mistakes.add(node, "'time' needs windows: set their length with 'aggregate: every'");
            }
            return TimeSpec.NONE;
        }
        if (node == null) {
            return defaultTime();
        }
        if (node instanceof ScalarNode) {
            KindNode word = KindNode.of("'time'", node, List.of("processing", "source"), mistakes);
            return word != null && word.name().equals("processing") ? TimeSpec.PROCESSING : standard(null);
        }
        YamlMap map = spec.map("time");
        boolean ofSource = map.flag("source", false);
        String field = map.text("field", null);
        if (!ofSource && field == null) {
            // The description gives only options such as 'disorder' or 'idle': they apply to the default time.
            TimeSpec found = defaultTime();
            ofSource = found.origin() == TimeSpec.Origin.SOURCE;
            field = found.field() != null || ofSource ? found.field() : "";
        }
        Duration disorder = map.parse("disorder", disorder(), TimeReader::disorder);
        Duration idle = map.duration("idle", IDLE);
        Duration ahead = map.parse("ahead", AHEAD, TimeReader::ahead);
        map.end();
        if (ofSource && field != null) {
            mistakes.add(
                    map.at("field"),
                    "the time comes either from the source or from a field: leave out 'source' or 'field'");
        }
        return new TimeSpec(
                ofSource ? TimeSpec.Origin.SOURCE : TimeSpec.Origin.EVENT,
                ofSource ? null : field,
                disorder,
                idle,
                ahead);
    }

    /** An input with an end is wanted as a whole, in any order. Generated records are in order. */
    private Duration disorder() {
        boolean sorted = source == null || !source.hasEnd() || source instanceof SourceSpec.Generator;
        return sorted ? Duration.ZERO : TimeSpec.ANY_DISORDER;
    }

    private static Duration disorder(String text) {
        return text.equals(QuantityText.ANY) ? TimeSpec.ANY_DISORDER : QuantityText.duration(text);
    }

    private static Duration ahead(String text) {
        Duration ahead = QuantityText.duration(text);
        if (ahead.toMillis() < 1) {
            throw new IllegalArgumentException("'" + text
                    + "' is too short: clocks differ by some moments; 'ahead' is at least 1ms, and 1d by default");
        }
        return ahead;
    }

    /** Returns the time in a field, or, if it is null, the source's own time. */
    private TimeSpec standard(String field) {
        TimeSpec.Origin origin = field == null ? TimeSpec.Origin.SOURCE : TimeSpec.Origin.EVENT;
        return new TimeSpec(origin, field, disorder(), IDLE, AHEAD);
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
        List<String> candidates = declared.isEmpty() ? decodes.guess().timeCandidates() : declared;
        if (candidates.size() != 1 && source != null) {
            mistakes.add(
                    spec.map("aggregate").at("every"),
                    "'every' needs the time of a record: "
                            + (candidates.isEmpty()
                                    ? "no field looks like a time; name the field as 'time: {field: ...}'"
                                    : "it could be " + String.join(" or ", candidates)
                                            + "; name the field as 'time: {field: " + candidates.get(0) + "}'")
                            + ", or use the clock with 'time: processing'");
        }
        return candidates.size() == 1 ? standard(candidates.get(0)) : TimeSpec.PROCESSING;
    }

    private List<String> declaredTimes() {
        YamlMap fields = spec.map("flatten").map("fields");
        return fields.names().stream()
                .filter(name -> {
                    Node node = fields.get(name);
                    if (node instanceof ScalarNode scalar) {
                        return scalar.getValue().equalsIgnoreCase("time");
                    }
                    return node != null
                            && fields.of(name, node).text("type", "").equalsIgnoreCase("time");
                })
                .toList();
    }
}
