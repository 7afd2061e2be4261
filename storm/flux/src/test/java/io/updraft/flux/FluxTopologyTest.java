package io.updraft.flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.storm.ProgramInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.flux.FluxBuilder;
import org.apache.storm.flux.model.ExecutionContext;
import org.apache.storm.flux.model.TopologyDef;
import org.apache.storm.flux.parser.FluxParser;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FluxTopologyTest {
    private static final String WHOLE = """
            name: "whole"
            config:
              topology.workers: 1
              topology.debug: yes
              mine: [1, two, {three: 3.5}]
            components:
              - id: "plain"
                className: "io.updraft.flux.FluxBeans$Settings"
              - id: "numbers"
                className: "io.updraft.flux.FluxBeans$Settings"
                constructorArgs: ["disk", 5, 2, MB]
                properties:
                  - name: "limit"
                    value: 3
                  - name: "retries"
                    value: 7
                  - name: "parent"
                    ref: "plain"
              - id: "arrays"
                className: "io.updraft.flux.FluxBeans$Settings"
                constructorArgs:
                  - ["a", "b"]
                  - [1, 2, 3]
                configMethods:
                  - name: "withAll"
                    args:
                      - reflist: ["plain", "numbers"]
                      - true
              - id: "made"
                className: "io.updraft.flux.FluxBeans$Settings"
                factory: "named"
                factoryArgs: ["factory"]
            spouts:
              - id: "words"
                className: "org.apache.storm.testing.TestWordSpout"
                parallelism: 2
                numTasks: 4
                onHeapMemoryLoad: 128
                cpuLoad: 20
            bolts:
              - id: "one"
                className: "io.updraft.flux.FluxBeans$Bolt"
                constructorArgs: [{ref: "arrays"}]
                parallelism: 3
              - id: "two"
                className: "io.updraft.flux.FluxBeans$Bolt"
                constructorArgs: [{ref: "made"}]
              - id: "window"
                className: "io.updraft.flux.FluxBeans$Windowed"
                configMethods:
                  - name: "withTumblingWindow"
                    args: [{ref: "count"}]
            streams:
              - {from: words, to: one, grouping: {type: FIELDS, args: ["word"]}}
              - {from: words, to: two, grouping: {type: SHUFFLE}}
              - {from: words, to: one, grouping: {type: LOCAL_OR_SHUFFLE, streamId: "side"}}
              - {from: one, to: two, grouping: {type: ALL}}
              - {from: one, to: two, grouping: {type: GLOBAL, streamId: "a"}}
              - {from: one, to: two, grouping: {type: NONE, streamId: "b"}}
              - {from: one, to: two, grouping: {type: DIRECT, streamId: "c"}}
              - from: words
                to: window
                grouping:
                  type: CUSTOM
                  customClass:
                    className: "io.updraft.flux.FluxBeans$First"
                    constructorArgs: [1]
            """.replace("spouts:\n", """
                              - id: "count"
                                className: "org.apache.storm.topology.base.BaseWindowedBolt$Count"
                                constructorArgs: [5]
                            spouts:
                            """);

    @TempDir
    Path directory;

    @Test
    void shouldFindClassesByTheirNamesInStorm09() throws Exception {
        FluxTopology old = read(write(
                "old.yaml",
                WHOLE.replace("org.apache.storm.testing", "backtype.storm.testing")
                        .replace("org.apache.storm.topology", "backtype.storm.topology")));
        assertThat(old.topology()).isEqualTo(read(write("whole.yaml", WHOLE)).topology());
    }

    @Test
    void shouldMakeTheSameTopologyAsFlux() throws Exception {
        Path file = write("whole.yaml", WHOLE);
        FluxTopology ours = read(file);
        TopologyDef theirs = FluxParser.parseFile(file.toString(), false, true, new Properties(), false);
        assertThat(ours.topology()).isEqualTo(build(theirs));
        assertThat(ours.config()).isEqualTo(theirs.getConfig());
        assertThat(ours.name()).isEqualTo(theirs.getName());
        assertThat(ours.warnings()).isEmpty();
    }

    @Test
    void shouldConfigureObjectsAsDescribed() throws Exception {
        StormTopology topology = read(write("whole.yaml", WHOLE)).topology();
        assertThat(settingsOf(topology, "one"))
                .containsExactly(
                        "a+b 3", "all [()]true", "all [disk 5 2.0 MB, limit 3.0, parent [()]]true", "retries 0");
        assertThat(settingsOf(topology, "two")).containsExactly("factory 1 2.0 KB", "retries 0");
    }

    @Test
    void shouldMergeIncludesAsFluxDoes() throws Exception {
        for (boolean override : List.of(true, false)) {
            write("more.yaml", """
                    name: "other"
                    config: {topology.workers: 3, more: 1}
                    bolts:
                      - {id: "two", className: "io.updraft.flux.FluxBeans$Bolt", constructorArgs: [{ref: "plain"}]}
                      - {id: "three", className: "io.updraft.flux.FluxBeans$Bolt", constructorArgs: [{ref: "plain"}]}
                    streams:
                      - {from: one, to: three, grouping: {type: SHUFFLE, streamId: "d"}}
                    """);
            Path file = write(
                    "whole.yaml",
                    WHOLE + "includes:\n  - {file: \"" + directory.resolve("more.yaml") + "\", override: " + override
                            + "}\n");
            TopologyDef theirs = FluxParser.parseFile(file.toString(), false, true, new Properties(), false);
            FluxTopology ours = read(file);
            assertThat(ours.topology()).isEqualTo(build(theirs));
            assertThat(ours.config()).isEqualTo(theirs.getConfig());
            assertThat(ours.name()).isEqualTo(override ? "other" : "whole");
        }
    }

    @Test
    void shouldFindAnIncludedFileBesideTheOneThatNamesIt() throws Exception {
        write("more.yaml", "config: {more: 1}\n");
        Path file = write("whole.yaml", WHOLE + "includes:\n  - {file: more.yaml}\n");
        assertThat(read(file).config()).containsEntry("more", 1);
    }

    @Test
    void shouldPutInPropertiesAndTheEnvironment() throws Exception {
        String variable = System.getenv().keySet().stream()
                .filter(name -> name.matches("[A-Z]+") && System.getenv(name).matches("[\\w/]+"))
                .findFirst()
                .orElseThrow();
        Properties properties = new Properties();
        properties.setProperty("host", "h1");
        properties.setProperty("hosts", "[\"h2\", \"h3\"]");
        Path file = write(
                "whole.yaml",
                WHOLE.replace(
                        "mine: [", "mine: [\"${host}:${hosts[1]}\", \"${ENV-" + variable + "}\", \"${nothing}\", "));
        FluxTopology with = FluxTopology.read(
                file.toString(), false, properties, true, getClass().getClassLoader());
        assertThat(mine(with)).startsWith("h1:h3", System.getenv(variable), "${nothing}");
        assertThat(with.warnings()).singleElement().asString().contains("whole.yaml:5: ${nothing} is not replaced");
        FluxTopology without = FluxTopology.read(
                file.toString(), false, properties, false, getClass().getClassLoader());
        assertThat(mine(without)).element(1).isEqualTo("${ENV-" + variable + "}");
        assertThat(without.warnings()).anyMatch(line -> line.contains("environment variables need --env-filter"));
    }

    @Test
    void shouldAskAClassForTheTopology() throws Exception {
        Path file = write("source.yaml", """
                name: source
                config: {a: 1, b: 2}
                topologySource:
                  className: "io.updraft.flux.FluxBeans$Source"
                  methodName: make
                  constructorArgs: ["words"]
                """);
        assertThat(read(file).topology().get_spouts().get("words").get_common().get_parallelism_hint())
                .isEqualTo(2);
    }

    @Test
    void shouldNameEveryMistakeWithItsLine() throws Exception {
        Path file = write("wrong.yaml", """
                nam: "x"
                spouts:
                  - id: "words"
                    clasName: "org.apache.storm.testing.TestWordSpout"
                    parallelism: many
                bolts:
                  - id: "count"
                    className: "x"
                  - id: "count"
                    className: "y"
                streams:
                  - {from: word, to: words, grouping: {type: FIELD}}
                  - {from: words, to: conut, grouping: {type: FIELDS}}
                """);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(ProgramInputException.class)
                .extracting(
                        e -> e.getMessage().replace(directory + "/", "").lines().toList())
                .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                .containsExactlyInAnyOrder(
                        "wrong.yaml:1: a topology has no 'nam'; did you mean 'name'?",
                        "wrong.yaml:1: a topology needs 'name'",
                        "wrong.yaml:3: a spout needs 'className'",
                        "wrong.yaml:4: a spout has no 'clasName'; did you mean 'className'?",
                        "wrong.yaml:5: 'parallelism' must be a whole number of at least 1, not 'many'",
                        "wrong.yaml:9: there are two bolts with the id 'count'",
                        "wrong.yaml:12: there is no grouping 'FIELD'; did you mean 'FIELDS'?",
                        "wrong.yaml:13: a FIELDS grouping needs 'args', the names of its fields",
                        "wrong.yaml:13: there is no bolt 'conut'; did you mean 'count'?");
    }

    @Test
    void shouldSayWhyAnObjectCannotBeMade() throws Exception {
        Map<String, String> wrong = Map.of(
                "className: acme.Missing", ":4: there is no class acme.Missing",
                "className: \"io.updraft.flux.FluxBeans$Failing\"",
                        "Failing failed: java.lang.IllegalStateException: no such queue",
                "className: \"io.updraft.flux.FluxBeans$Settings\", constructorArgs: [1]",
                        "has no constructor for (Integer 1); there is () or (String, long, float, Unit) or (String[], int[])",
                "className: \"io.updraft.flux.FluxBeans$Settings\", properties: [{name: limits, value: 1}]",
                        "has neither a public method setLimits nor a public field limits for Integer 1",
                "className: \"io.updraft.flux.FluxBeans$Settings\", configMethods: [{name: withAll, args: [1, true]}]",
                        "has no public method withAll for (Integer 1, Boolean true); there is (List, boolean)",
                "className: \"io.updraft.flux.FluxBeans$Settings\", constructorArgs: [{ref: later}]",
                        "there is no component 'later' above this line");
        for (Map.Entry<String, String> each : wrong.entrySet()) {
            Path file = write(
                    "one.yaml",
                    "name: one\ncomponents:\n  # a comment\n  - {id: it, " + each.getKey() + "}\nspouts:\n"
                            + "  - {id: w, className: org.apache.storm.testing.TestWordSpout}\n");
            assertThatThrownBy(() -> read(file))
                    .isInstanceOf(ProgramInputException.class)
                    .hasMessageStartingWith(file + ":4: ")
                    .hasMessageContaining(each.getValue());
        }
    }

    @Test
    void shouldRefuseWhatIsNoBoltOrNoFile() throws Exception {
        Path file = write("whole.yaml", """
                name: x
                spouts: [{id: w, className: org.apache.storm.testing.TestWordSpout}]
                bolts: [{id: b, className: java.lang.Object}]
                streams: [{from: w, to: b, grouping: {type: SHUFFLE}}]
                """);
        assertThatThrownBy(() -> read(file)).hasMessageContaining(":3: java.lang.Object is not a bolt");
        assertThatThrownBy(() -> read(directory.resolve("none.yaml"))).hasMessageContaining("none.yaml: no such file");
        assertThatThrownBy(() -> read(write("bad.yaml", "name: [x\nspouts: y\n")))
                .hasMessageContaining("not valid YAML");
    }

    @Test
    void shouldRefuseANodeThatContainsItself() throws Exception {
        assertThatThrownBy(() -> read(write("circle.yaml", "name: x\nconfig: {mine: &mine [*mine]}\n")))
                .hasMessageContaining("circle.yaml:1: an alias in the file refers to a node that contains it");
    }

    @Test
    void shouldWarnOfABoltThatNothingIsSentTo() throws Exception {
        Path file = write(
                "whole.yaml",
                WHOLE.replace(
                        "bolts:\n", "bolts:\n  - {id: idle, className: \"io.updraft.flux.FluxBeans$Windowed\"}\n"));
        FluxTopology read = read(file);
        assertThat(read.warnings()).singleElement().asString().contains("bolt 'idle' is left out");
        assertThat(read.topology().get_bolts()).doesNotContainKey("idle");
    }

    private static FluxTopology read(Path file) {
        return FluxTopology.read(
                file.toString(), false, new Properties(), false, FluxTopologyTest.class.getClassLoader());
    }

    private static StormTopology build(TopologyDef definition) throws Exception {
        return FluxBuilder.buildTopology(new ExecutionContext(definition, FluxBuilder.buildConfig(definition)));
    }

    private static List<Object> mine(FluxTopology topology) {
        return List.copyOf((List<?>) topology.config().get("mine"));
    }

    private static List<String> settingsOf(StormTopology topology, String bolt) {
        FluxBeans.Bolt made = Utils.javaDeserialize(
                topology.get_bolts().get(bolt).get_bolt_object().get_serialized_java(), FluxBeans.Bolt.class);
        return made.settings().log();
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }
}
