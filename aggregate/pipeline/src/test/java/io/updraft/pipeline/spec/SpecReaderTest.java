package io.updraft.pipeline.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.sink.ConsoleSinkOptions;
import io.updraft.pipeline.sink.FileSinkOptions;
import io.updraft.pipeline.sink.PostgresSinkOptions;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.storm.yaml.Mistakes.Mistake;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.TimeFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpecReaderTest {

    private static final String FLIGHTS = """
            time_hour,carrier,origin,dep_delay,distance
            2013-01-01T05:00:00Z,UA,EWR,2,1400.5
            2013-01-01T05:00:00Z,AA,JFK,NA,1089
            2013-01-01T06:00:00Z,"B6, Inc",JFK,-1,1576
            """;

    @TempDir
    Path directory;

    private Path flights;

    @BeforeEach
    void writeFlights() throws Exception {
        flights = Files.writeString(directory.resolve("flights.csv"), FLIGHTS);
    }

    @Test
    void shouldReadAShortDescriptionAndFindTheRestInTheData() throws Exception {
        PipelineSpec spec = read("""
                source: {file: %s}
                aggregate:
                  group_by: [carrier, origin]
                  measures:
                    total: sum(dep_delay)
                    far: max(distance)
                    n: count()
                  every: 5m
                """.formatted(flights));
        assertThat(spec.name()).isEqualTo("test");
        assertThat(spec.decode().format()).isEqualTo(DecodeSpec.Format.CSV);
        assertThat(spec.decode().csv().names())
                .containsExactly("time_hour", "carrier", "origin", "dep_delay", "distance");
        assertThat(spec.decode().csv().nullText()).isEmpty();
        assertThat(spec.decode().columns())
                .filteredOn(column -> column.nullText() != null)
                .singleElement()
                .satisfies(column ->
                        assertThat(column.name() + " " + column.nullText()).isEqualTo("dep_delay NA"));
        assertThat(types(spec))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "carrier", FieldType.TEXT,
                        "origin", FieldType.TEXT,
                        "dep_delay", FieldType.LONG,
                        "distance", FieldType.DOUBLE,
                        "time_hour", FieldType.TIME));
        assertThat(spec.time())
                .isEqualTo(new TimeSpec(
                        TimeSpec.Origin.EVENT,
                        "time_hour",
                        TimeSpec.ANY_DISORDER,
                        Duration.ofSeconds(10),
                        Duration.ofDays(1)));
        assertThat(spec.aggregate().window().size()).isEqualTo(Duration.ofMinutes(5));
        assertThat(spec.aggregate().measures())
                .containsExactly(
                        new Measure("total", AggregateFunction.SUM, "dep_delay", 0),
                        new Measure("far", AggregateFunction.MAX, "distance", 0),
                        new Measure("n", AggregateFunction.COUNT, null, 0));
        assertThat(spec.sinks()).containsExactly(ConsoleSinkOptions.table());
        assertThat(((SourceSpec.Files) spec.source()).header()).isTrue();
        assertThat(spec.state()).isNull();
    }

    @Test
    void shouldTakeHowFarAheadATimeMayLie() throws Exception {
        String pipeline = """
                source: {file: %s}
                time: {%s}
                aggregate: {measures: {n: count()}, every: 5m}
                """;
        TimeSpec ofField = read(pipeline.formatted(flights, "ahead: 2d")).time();
        assertThat(ofField.origin()).isEqualTo(TimeSpec.Origin.EVENT);
        assertThat(ofField.ahead()).isEqualTo(Duration.ofDays(2));
        TimeSpec ofSource =
                read(pipeline.formatted(flights, "source: true, ahead: 90s")).time();
        assertThat(ofSource.origin()).isEqualTo(TimeSpec.Origin.SOURCE);
        assertThat(ofSource.ahead()).isEqualTo(Duration.ofSeconds(90));
        assertThat(mistakes(pipeline.formatted(flights, "field: time_hour, ahead: 0s")))
                .singleElement()
                .asString()
                .startsWith("test.yaml:2:33: 'ahead': '0s' is too short");
        assertThat(mistakes(pipeline.formatted(flights, "ahead: -1d")))
                .singleElement()
                .asString()
                .contains("'ahead': '-1d' is not a duration");
    }

    @Test
    void shouldTakeAllTimeAsOneWindowWithoutEvery() throws Exception {
        PipelineSpec spec = read("""
                source: {file: %s}
                aggregate: {measures: {n: count()}}
                """.formatted(flights));
        assertThat(spec.aggregate().allTime()).isTrue();
        assertThat(spec.time()).isEqualTo(TimeSpec.NONE);
    }

    @Test
    void shouldRefuseExactlyOnceWithoutAKafkaSource() {
        assertThat(mistakes("""
                source: {file: %s}
                aggregate: {measures: {n: count()}}
                sinks: [{kafka: {bootstrap: "a:9092", topic: out, exactly_once: true}}]
                """.formatted(flights)))
                .singleElement()
                .asString()
                .contains("it needs a source of one Kafka cluster");
    }

    @Test
    void shouldReportAllMistakesAtOnceEachWithItsPosition() {
        assertThat(mistakes("""
                name: two words
                source: {file: %s, folow: true}
                agregate: 5
                aggregate:
                  group_by: [carier, origin]
                  measures:
                    total: sum(origin)
                    p: quantile(dep_delay)
                    q: medain(dep_delay)
                  every: 5 parsecs
                sinks:
                  - cvs: out.csv
                  - csv: %s
                parallelism: 0
                """.formatted(flights, flights)))
                .containsExactly(
                        "test.yaml:1:7: 'name' may have up to 100 letters, digits, dots, dashes and underscores, not 'two words'",
                        "test.yaml:2:" + (18 + flights.toString().length())
                                + ": 'file' has no 'folow'; did you mean 'follow'?",
                        "test.yaml:3:1: a pipeline has no 'agregate'; did you mean 'aggregate'?",
                        "test.yaml:5:13: there is no field 'carier'; did you mean 'carrier'?",
                        "test.yaml:7:12: origin is of type text, and sum needs type long, double or decimal",
                        "test.yaml:8:8: 'p': approx_quantile needs a field and a fraction from 0 to 1, such as"
                                + " approx_quantile(field, 0.99), at character 1 of: approx_quantile(dep_delay)",
                        "test.yaml:9:8: 'q': there is no function medain; did you mean median?, at character 1 of: medain(dep_delay)",
                        "test.yaml:10:10: 'every': '5 parsecs' is not a duration; write a number and a unit:"
                                + " 250ms, 30s, 5m, 2h, 1d",
                        "test.yaml:12:5: a sink cannot be 'cvs'; did you mean 'csv'?",
                        "test.yaml:13:10: " + flights
                                + " is written to by this and used by the source too; give each its own file",
                        "test.yaml:14:14: 'parallelism' must be from 1 to 1024, not 0");
    }

    @Test
    void shouldNameFieldsThatDoNotExistOrAreOfTheWrongType() {
        assertThat(mistakes("""
                source: {file: %s}
                aggregate:
                  group_by: [carier, distance]
                  measures: {total: sum(origin), n: avg(nothing_like_it)}
                flatten:
                  infer: true
                  fields: {distance: double}
                """.formatted(flights)))
                .containsExactly(
                        "test.yaml:3:13: there is no field 'carier'; did you mean 'carrier'?",
                        "test.yaml:3:13: distance is a floating-point number, which cannot be grouped by; make"
                                + " it text or long in 'flatten: fields'",
                        "test.yaml:4:21: origin is of type text, and sum needs type long, double or decimal",
                        "test.yaml:4:37: there is no field 'nothing_like_it'; there is time_hour, carrier,"
                                + " origin, dep_delay, distance");
    }

    @Test
    void shouldNameMistakesInExpressionsOfMeasuresWithoutASectionOfFields() {
        assertThat(mistakes("""
                source: {file: %s}
                aggregate:
                  measures:
                    a: sum(carrier + 1)
                    b: sum(nothing_like_it + 1)
                """.formatted(flights)))
                .containsExactly(
                        "test.yaml:4:8: '+' does not apply to text and a number, at character 1 of: carrier + 1",
                        "test.yaml:5:8: there is no column nothing_like_it, at character 1 of: nothing_like_it + 1");
    }

    @Test
    void shouldRefuseTheNamesOfTheBoundsOfWindows() {
        assertThat(mistakes("""
                source: {file: %s}
                flatten:
                  fields: {window_start: {type: text, path: carrier}}
                aggregate:
                  group_by: window_start
                  measures: {window_end: count(*)}
                """.formatted(flights)))
                .containsExactly(
                        "test.yaml:5:13: each result has a column window_start already, that of its window: give it another"
                                + " name with 'path' in 'flatten: fields'",
                        "test.yaml:6:14: each result has a column window_end already, that of its window: rename the measure");
    }

    @Test
    void shouldSayOfAFieldWhoseTypeIsWrongOnlyThat() {
        assertThat(mistakes("""
                source: {file: %s}
                flatten:
                  fields: {carrier: txt, dep_delay: {type: lung}, time_hour: time}
                  derive: {late: dep_delay > 15}
                aggregate:
                  group_by: [carrier, late]
                  measures: {total: sum(dep_delay)}
                  every: 5m
                """.formatted(flights)))
                .containsExactly(
                        "test.yaml:3:21: 'carrier': 'txt' is not one of text, long, double, decimal, boolean, time; did you mean 'text'?",
                        "test.yaml:3:44: 'type': 'lung' is not one of text, long, double, decimal, boolean, time; did you mean 'long'?");
    }

    @Test
    void shouldGoOnWithAFileOfResultsWhereTheSourceDoes() throws Exception {
        String text = """
                source: {%s}
                format: {type: csv, names: [time_hour, carrier]}
                flatten: {fields: {carrier: text, time_hour: time}}
                aggregate: {group_by: carrier, measures: {n: count()}, every: 1h}
                sinks: [{csv: %s}]
                """;
        String file = "file: " + flights;
        String kafka = "kafka: {bootstrap: \"a:1\", topic: t}";
        for (String source : List.of(
                "file: {path: " + flights + ", resume: true}", "file: {path: " + flights + ", follow: true}", kafka)) {
            assertThat(anew(text.formatted(source, "all.csv"))).as(source).isFalse();
            assertThat(anew(text.formatted(source, "{path: all.csv, anew: true}")))
                    .isTrue();
            assertThat(anew(text.formatted(source, "all.csv") + "track: false\n"))
                    .isTrue();
        }
        for (String source : List.of(file, "stdin: {}", "generator: {time: time_hour, dimensions: {carrier: 1}}")) {
            assertThat(anew(text.formatted(source, "all.csv"))).as(source).isTrue();
        }
        assertThat(anew(text.formatted(file, "'{window_start}.csv'"))).isFalse();
    }

    private boolean anew(String text) throws Exception {
        return ((FileSinkOptions) read(text).sinks().get(0)).replaces();
    }

    @Test
    void shouldRefuseToAddToResultsOfASourceThatStartsOver() {
        String text = """
                source: {file: %s}
                format: {type: csv, names: [time_hour, carrier]}
                aggregate: {group_by: carrier, measures: {n: count()}}
                sinks: [{csv: {path: all.csv, %s}}]
                """;
        assertThat(mistakes(text.formatted(flights, "anew: false")))
                .containsExactly("test.yaml:4:37: 'anew: false' appends to the results of an earlier run, but this"
                        + " source starts over with each"
                        + " run, so the file would have all results twice: set 'resume: true' in a file"
                        + " source, or leave out"
                        + " 'anew'");
        assertThat(mistakes(text.formatted(flights, "resume: true")))
                .containsExactly("test.yaml:4:31: 'resume' is no longer needed: a file continues where the source does."
                        + " Leave it out, or set"
                        + " 'anew: true' to overwrite the file in each run");
    }

    @Test
    void shouldRefuseWindowsThatMakeNoSense() {
        assertThat(mistakes("""
                source: {file: %s}
                aggregate:
                  measures: {n: count()}
                  every: 5m
                  slide: 10m
                  early: 5m
                """.formatted(flights)))
                .containsExactly(
                        "test.yaml:5:10: windows that slide by more than their size would leave records out",
                        "test.yaml:6:10: 'early' must be longer than 0s and shorter than 'every'");
        assertThat(mistakes("""
                source: {file: %s}
                aggregate: {measures: {n: count()}, slide: 1s}
                """.formatted(flights)))
                .containsExactly("test.yaml:2:44: 'slide' needs windows: set their length with 'every'");
    }

    @Test
    void shouldNameFilesThatDoNotExistAndFilesWrittenTwice() {
        assertThat(mistakes("""
                source: {file: %1$s/nothing.csv}
                format: csv
                aggregate: {measures: {n: count()}}
                sinks:
                  - csv: %1$s/out.csv
                  - json: {path: %1$s/../%2$s/out.csv}
                """.formatted(directory, directory.getFileName())))
                .anyMatch(line -> line.contains(":1:") && line.contains("nothing.csv: no such file or directory"))
                .hasSize(2)
                .anyMatch(line -> line.contains("test.yaml:6:") && line.contains("used by another sink too"));
        assertThat(mistakes("""
                source: {file: %1$s}
                aggregate: {measures: {n: count()}}
                sinks: [{csv: %1$s}]
                """.formatted(flights)))
                .singleElement()
                .asString()
                .contains("test.yaml:3:", "used by the source too");
    }

    @Test
    void shouldKeepPositionsInPostgresUnlessTheyAreInKafka() throws Exception {
        String kafka = """
                source: {kafka: {bootstrap: "localhost:1", topic: in}}
                format: json
                flatten: {fields: {k: text}}
                aggregate: {group_by: k, measures: {n: count()}, every: 1m}
                sinks: [{postgres: {url: "jdbc:postgresql://localhost/x", table: t%s}}]
                """;
        assertThat(mistakes(kafka.formatted(", positions: true")))
                .singleElement()
                .asString()
                .startsWith("test.yaml:5:")
                .contains("'positions' cannot be kept in PostgreSQL if the source is Kafka");
        assertThat(read(kafka.formatted("")).sinks())
                .singleElement()
                .extracting(sink -> ((PostgresSinkOptions) sink).pipeline())
                .isNull();
        PipelineSpec ofFile = read("""
                source: {file: %s}
                aggregate: {measures: {n: count()}}
                sinks: [{postgres: {url: "jdbc:postgresql://localhost/x", table: t}}]
                """.formatted(flights));
        assertThat(ofFile.sinks())
                .singleElement()
                .extracting(sink -> ((PostgresSinkOptions) sink).pipeline())
                .isEqualTo("test");
    }

    @Test
    void shouldPutTheEnvironmentIn() throws Exception {
        String text = """
                source: {file: "${DATA}"}
                aggregate: {measures: {n: count()}}
                sinks: [{csv: "${OUT:%s/here.csv}"}]
                """.formatted(directory);
        PipelineSpec spec = new SpecReader(Map.of("DATA", flights.toString())).read("test.yaml", text, "test");
        assertThat(spec.sinks()).containsExactly(new FileSinkOptions(ResultFormat.CSV, directory + "/here.csv", true));
        assertThat(mistakes(text))
                .anyMatch(line -> line.equals("test.yaml:1:16: the environment has no variable DATA; set it, or give a"
                        + " default: ${DATA:value}"));
    }

    @Test
    void shouldAskForTheTimeOnlyWhenItCannotInferIt() throws Exception {
        Path two = Files.writeString(
                directory.resolve("two.csv"), "created_at,updated_at,x\n2026-01-01,2026-01-02T10:00:00Z,1\n");
        assertThat(mistakes("""
                source: {file: %s}
                aggregate: {measures: {n: count()}, every: 1h}
                """.formatted(two)))
                .singleElement()
                .asString()
                .contains("it could be created_at or updated_at", "time: {field: created_at}");
        Path epoch = Files.writeString(
                directory.resolve("epoch.json"), "{\"ts\":1700000000123,\"deep\":{\"v\":1.5,\"k\":\"a\"}}\n");
        PipelineSpec spec = read("""
                source: {file: %s}
                aggregate: {group_by: deep.k, measures: {v: sum(deep.v)}, every: 1h}
                """.formatted(epoch));
        assertThat(spec.time().origin()).isEqualTo(TimeSpec.Origin.EVENT);
        assertThat(spec.time().field()).isEqualTo("ts");
        assertThat(spec.decode().columns())
                .filteredOn(column -> column.name().equals("ts"))
                .singleElement()
                .satisfies(column -> assertThat(column.time()).isEqualTo(TimeFormat.epoch(TimeFormat.Kind.MILLIS)));
        assertThat(types(spec)).containsEntry("deep.v", FieldType.DOUBLE).containsEntry("deep.k", FieldType.TEXT);
    }

    @Test
    void shouldTellWhatIsNoYaml() {
        assertThat(mistakes("source: [1, 2\nname: x\n"))
                .singleElement()
                .asString()
                .startsWith("test.yaml:2:")
                .contains("not YAML");
        assertThat(mistakes("")).singleElement().asString().contains("empty");
        assertThat(mistakes("- a\n- b\n")).first().asString().contains("a pipeline must be a mapping");
        assertThat(mistakes("source: generator\nsource: generator\naggregate: {measures: {n: count()}}\n"))
                .containsExactly("test.yaml:2:1: 'source' comes twice in a pipeline");
    }

    @Test
    void shouldNotBeBlownUpByDepth() throws Exception {
        assertThat(mistakes("source: " + "[".repeat(100_000)))
                .containsExactly("test.yaml:1:1: the description is nested too deep");
        Path deep = Files.writeString(
                directory.resolve("deep.json"),
                "{\"a\": 1, \"deep\": " + "[".repeat(30_000) + "]".repeat(30_000) + "}\n{\"a\": 2}\n");
        PipelineSpec spec = read("{source: {file: %s}, aggregate: {measures: {s: sum(a)}}}".formatted(deep));
        assertThat(types(spec)).containsExactly(Map.entry("a", FieldType.LONG));
    }

    /** In YAML 1.1, a flow list cannot have such a pattern, strings have no such escape, and {@code ~} is no text. */
    @Test
    void shouldReadYaml12() throws Exception {
        PipelineSpec spec = read("""
                {
                \t"source": {"file": [%s/flight?.csv]},
                \t"aggregate": {"group_by": ["c\\/d"], "measures": {"n": "count()"}},
                \t"format": {"type": "csv", "names": [~, "c\\/d"]}
                }
                """.formatted(directory));
        assertThat(spec.aggregate().groupBy()).containsExactly("c/d");
        assertThat(spec.decode().csv().names()).containsExactly("~", "c/d");
    }

    @Test
    void shouldTellWhatIsWrongWithAFilter() {
        assertThat(mistakes("""
                source: {file: %s}
                flatten:
                  filter: distance >
                aggregate: {measures: {n: count()}}
                """.formatted(flights)))
                .containsExactly("test.yaml:3:11: expected a value but it ends, at character 11 of: distance >");
    }

    @Test
    void shouldTellAllMistakesOfExpressions() {
        assertThat(mistakes("""
                source: {file: %s}
                flatten:
                  derive:
                    far: distnce > 1000
                    twice: if(far, 2, 1)
                    name: lowr(carrier)
                  filter: distance > 'x'
                aggregate: {measures: {n: count()}}
                """.formatted(flights)))
                .hasSize(3)
                .anySatisfy(line -> assertThat(line).startsWith("test.yaml:4:10: there is no column distnce"))
                .anySatisfy(line -> assertThat(line).contains("there is no function lowr; did you mean lower?"))
                .anySatisfy(line -> assertThat(line).startsWith("test.yaml:7:11: '>' takes values of one type"));
    }

    @Test
    void shouldNotBeBlownUpByAliases() {
        StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
        for (int i = 1; i < 30; i++) {
            bomb.append("a%d: &a%d [*a%d,*a%d,*a%d,*a%d]\n".formatted(i, i, i - 1, i - 1, i - 1, i - 1));
        }
        assertThat(mistakes(bomb.toString())).isNotEmpty();
    }

    @Test
    void shouldNotListenWhereOthersCanReachWithoutAToken() throws Exception {
        String text = """
                source: {http: {listen: "0.0.0.0:8080"%s}}
                aggregate: {group_by: [name, source], measures: {v: sum(value)}, every: 1m}
                """;
        assertThat(mistakes(text.formatted(""))).singleElement().asString().contains("give a 'token'");
        PipelineSpec spec = read(text.formatted(", token: secret"));
        assertThat(spec.source())
                .hasToString("Http[host=0.0.0.0, port=8080, token=***, maxBody=1048576, queue=16777216, idle=PT30S,"
                        + " connections=1000, tls=null]");
        assertThat(spec.time().origin()).isEqualTo(TimeSpec.Origin.EVENT);
        assertThat(spec.time().field()).isEqualTo("measure_time");
    }

    @Test
    void shouldNameACertificateThatIsNotThereOrHasNoKey() {
        assertThat(mistakes("""
                source: {http: {listen: "127.0.0.1:0", tls: {certificate: /not/there.pem}}}
                aggregate: {group_by: [name], measures: {v: sum(value)}, every: 1m}
                """))
                .anySatisfy(line -> assertThat(line).contains("'tls' needs 'key'"))
                .anySatisfy(line -> assertThat(line).contains("'certificate': /not/there.pem is not there"));
    }

    @Test
    void shouldReadDurationsAndSizes() {
        assertThat(QuantityText.duration("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThat(QuantityText.duration("1.5h")).isEqualTo(Duration.ofMinutes(90));
        assertThat(QuantityText.size("64MB")).isEqualTo(64L << 20);
        assertThat(List.of("5m", "90s", "1h", "1d", "3ms", "0s"))
                .allSatisfy(text -> assertThat(QuantityText.write(QuantityText.duration(text)))
                        .isEqualTo(text));
        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> QuantityText.duration("999999999999d")))
                .hasMessageContaining("too long");
        assertThat(catchThrowableOfType(IllegalArgumentException.class, () -> QuantityText.size("64XB")))
                .hasMessageContaining("not a size");
    }

    @Test
    void shouldSayWhichSignsNumbersMayHave() {
        String text = """
                source: {stdin: {}}
                format: json
                flatten:
                  fields:
                    a: {type: double, decimal: ";"}
                    b: {type: double, decimal: ",", thousands: ","}
                    c: {type: text, decimal: ","}
                    d: {type: long, thousands: "-"}
                    e: decimal(19)
                    f: {type: long, scale: 2}
                    g: {type: decimal, scale: 19}
                aggregate: {measures: {n: count()}}
                """;
        assertThat(mistakes(text))
                .containsExactly(
                        "test.yaml:5:8: 'decimal' must be . or , not ';'",
                        "test.yaml:6:8: 'decimal' and 'thousands' must differ, but both are ,",
                        "test.yaml:7:8: 'decimal' and 'thousands' are only for fields of type long, double or decimal",
                        "test.yaml:8:8: 'thousands' must be . , ' ’ _ a blank, U+00A0 or U+202F, not '-'",
                        "test.yaml:9:8: 'e': field e of type DECIMAL cannot have 19 digits after the point",
                        "test.yaml:10:28: 'scale' is only for fields of type decimal",
                        "test.yaml:11:31: 'scale' must be from 0 to 18, not 19");
    }

    @Test
    void shouldSayWhatASourceKnowsOfRecords() {
        String fields = """
                format: json
                flatten:
                  fields:
                    n: long
                    a: {from: line, path: n}
                    b: {from: lines}
                    c: {type: text, from: line}
                    d: {type: long, from: file}
                    e: {from: line, decimal: ","}
                aggregate: {measures: {n: count()}}
                """;
        assertThat(mistakes("source: {file: %s}\n".formatted(flights) + fields))
                .containsExactly(
                        "test.yaml:6:27: 'path' and 'from' exclude each other: leave out one of them",
                        "test.yaml:7:15: 'from': 'lines' is not known of the records of this source; possible: file, line",
                        "test.yaml:8:8: column c from line must be of type long, not text",
                        "test.yaml:9:8: column d from file must be of type text, not long",
                        "test.yaml:10:8: 'decimal' is for values in text, and the line is none");
        assertThat(mistakes("source: {stdin: {}}\n" + fields))
                .contains("test.yaml:9:27: 'from': 'file' is not known of the records of this source; possible: line");
        assertThat(mistakes("source: {generator: {}}\n" + fields))
                .contains(
                        "test.yaml:9:27: 'from': 'file' is not known of the records of this source; they have only their"
                                + " content");
    }

    @Test
    void shouldSayWhatKafkaKnowsOfRecords() {
        assertThat(mistakes("""
                source: {kafka: {bootstrap: "a:1", topic: x}}
                format: json
                flatten:
                  fields:
                    a: {from: line}
                    b: {type: text, from: offset}
                    c: {type: long, from: timestamp}
                    d: {from: timestamp, format: seconds}
                    e: {from: "header "}
                    f: {type: double, from: header x, decimal: ","}
                    g: {type: boolean, from: key}
                aggregate: {measures: {n: count()}}
                """))
                .containsExactly(
                        "test.yaml:5:15: 'from': 'line' is not known of the records of this source; possible: header NAME,"
                                + " key, partition, offset, topic, timestamp",
                        "test.yaml:6:8: column b from offset must be of type long, not text",
                        "test.yaml:7:8: column c from timestamp must be of type time, not long",
                        "test.yaml:8:8: 'format' is for values in text, and the timestamp is none",
                        "test.yaml:9:15: 'from': 'header ' is not known of the records of this source; possible: header NAME,"
                                + " key, partition, offset, topic, timestamp");
    }

    private static Map<String, FieldType> types(PipelineSpec spec) {
        Map<String, FieldType> types = new HashMap<>();
        spec.decode().columns().forEach(column -> types.put(column.name(), column.type()));
        return types;
    }

    private static PipelineSpec read(String text) throws SpecException {
        return new SpecReader(Map.of()).read("test.yaml", text, "test");
    }

    private static List<String> mistakes(String text) {
        SpecException e = catchThrowableOfType(SpecException.class, () -> read(text));
        assertThat(e).as("no mistake found").isNotNull();
        return e.mistakes().stream().map(Mistake::toString).toList();
    }
}
