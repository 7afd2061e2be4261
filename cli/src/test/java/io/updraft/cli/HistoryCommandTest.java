package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Sleeping;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONArray;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the history of a run in a second process. */
@Tag("long")
@Tag("one-jdk")
class HistoryCommandTest {
    @TempDir
    Path directory;

    private UpdraftProcess run;

    @AfterEach
    void kill() throws Exception {
        if (run != null && run.isAlive()) {
            run.signal("KILL");
            run.awaitExit();
        }
    }

    @Test
    void shouldShowWhyABoltMovedToAThreadOfItsOwn() throws Exception {
        start(Sleeping.class);
        run.awaitOut("slept");
        List<String> moves = onceAny(line -> line.contains("a thread of its own"), "history", "--moves");
        assertThat(moves.get(0)).isEqualTo("numbers");
        assertThat(moves)
                .anyMatch(line -> line.matches(
                        "\\d\\d:\\d\\d:\\d\\d > sink, task \\d+ moved from loop \\d+ to a thread of" + " its own: .*"));
        List<String> sink = onceAny(line -> line.endsWith(" 1 on own threads"), "history", "sink", "--step", "1s");
        assertThat(sink.get(0)).isEqualTo("numbers, sink");
        assertThat(sink.get(1)).matches("time +exec/s +emit/s +ack/s .*");
    }

    @Test
    void shouldShowTotalsAndRefuseWhatItDoesNotKnow() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        List<String> lines = onceAny(line -> line.matches("\\d\\d:\\d\\d:\\d\\d .*"), "history", "--last", "1m");
        assertThat(lines.get(1)).matches("time +emit/s +exec/s +done/s .* busiest");
        JSONObject numbers = topology("history", "--json");
        assertThat((JSONArray) numbers.get("components")).containsExactly("numbers", "sink");
        assertThat((JSONArray) numbers.get("steps"))
                .extracting(step -> (Number) ((JSONObject) step).get("spoutEmittedPerSecond"))
                .anyMatch(rate -> rate.doubleValue() > 0);
        assertRefused(1, "no component 'nothing' in this time; there are: numbers, sink", "history", "nothing");
        assertRefused(2, "--last must be from 1s to 1h", "history", "--last", "2h");
        assertRefused(2, "--step must be whole seconds", "history", "--step", "0s");
        assertRefused(2, "--step must be whole seconds", "history", "--last", "5s", "--step", "10s");
        assertRefused(2, "is not a duration", "history", "--last", "yesterday");
    }

    @Test
    void shouldShowWhyAWorkerRunsInANewProcess() throws Exception {
        start(Sleeping.class, "--workers", "2");
        run.awaitOutEnding("slept");
        onceAny(line -> line.contains("of worker ") && line.contains("a thread of its own"), "history", "--moves");
        long killed = run.workers().iterator().next().pid();
        ProcessHandle.of(killed).orElseThrow().destroyForcibly();
        String worker = "[\\d:]+ > worker \\d \\((numbers|sink)\\) moved from ";
        List<String> moves = onceAny(line -> line.contains("after the end of process " + killed), "history", "--moves");
        assertThat(moves)
                .anyMatch(line -> line.matches(worker + "process " + killed + " to no process: killed by SIGKILL"))
                .anyMatch(line -> line.matches(
                        worker + "no process to process \\d+: restarted after the end of process " + killed));
        // The figures of the process of the run would look like those of an idle topology.
        assertThat(topology("history", "--json", "--step", "1s").toString())
                .contains("cutedPerSecond")
                .doesNotContainPattern("heapUsedBytes\"?[:=]\\d");
    }

    @Test
    void shouldShowTheFiguresOfAWorkerAndItsRestart() throws Exception {
        start(Sleeping.class, "--workers", "2");
        run.awaitOutEnding("slept");
        List<String> lines =
                onceAny(line -> line.matches("[\\d:]{8} +[\\d.]+[kM] +\\d.*%.*"), "history", "--worker", "1");
        assertThat(lines.get(0)).isEqualTo("numbers, worker 1");
        assertThat(lines.get(1)).matches("time +heap +cpu +gc");
        JSONObject worker = topology("history", "--worker", "1", "--json", "--step", "1s");
        assertThat((JSONArray) worker.get("steps"))
                .filteredOn(step -> ((JSONObject) step).containsKey("heapUsedBytes"))
                .isNotEmpty()
                .allSatisfy(step -> {
                    assertThat(number(step, "heapUsedBytes")).isBetween(1e5, 1e12);
                    assertThat(number(step, "cpuCores")).isBetween(0.0, 1_000.0);
                    assertThat(number(step, "gcShare")).isBetween(0.0, 1.0);
                });
        assertThat((JSONArray) topology("top", "--json").get("workers"))
                .allSatisfy(each -> assertThat(number(each, "heapUsedBytes")).isBetween(1e5, 1e12));
        run.workers().forEach(ProcessHandle::destroyForcibly);
        List<String> moves =
                onceAny(line -> line.contains("worker 1 ("), "history", "--worker", "1", "--last", "1h", "--moves");
        assertThat(moves).noneMatch(line -> line.contains("worker 0 (") || line.contains(", task "));
        assertRefused(1, "no worker 2 in this time; there are: 0, 1", "history", "--worker", "2");
        assertRefused(2, "give a component or --worker, not both", "history", "sink", "--worker", "1");
    }

    @Test
    void shouldShowTheFiguresOfAPipeline() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "t,k,v\n1000,a,1\n2000,a,1\n");
        Path yaml = Files.writeString(directory.resolve("p.yaml"), """
                name: hosts
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1s}
                state: %s
                """.formatted(
                        data, directory.resolve("out"), directory.resolve("positions")));
        run = UpdraftProcess.start(directory, "aggregate", yaml.toString());
        List<String> lines = onceAny(line -> line.matches("\\d\\d:\\d\\d:\\d\\d .*"), "history");
        assertThat(lines.get(0)).isEqualTo("hosts");
        assertThat(lines.get(1)).matches("time +records/s +rows/s .*");
        JSONArray steps =
                (JSONArray) topology("history", "--json", "--step", "1s").get("steps");
        assertThat(steps.stream()
                        .mapToDouble(step -> number(step, "recordsPerSecond") * number(step, "seconds"))
                        .sum())
                .isCloseTo(2, within(0.01));
        assertRefused(1, "no component 'count'", "history", "count");
    }

    private static double number(Object step, String key) {
        return ((Number) ((JSONObject) step).get(key)).doubleValue();
    }

    private void assertRefused(int exitCode, String why, String... command) throws Exception {
        UpdraftProcess asked = UpdraftProcess.run(directory, command);
        assertThat(asked.err()).singleElement().asString().contains(why);
        assertThat(asked.exitCode()).isEqualTo(exitCode);
    }

    private JSONObject topology(String... command) throws Exception {
        UpdraftProcess asked = UpdraftProcess.run(directory, command);
        assertThat(asked.exitCode()).as("%s", asked.err()).isZero();
        JSONObject answer = (JSONObject) JSONValue.parse(asked.out().get(0));
        return (JSONObject) ((JSONArray) answer.get("topologies")).get(0);
    }

    /** Asks until a line is there: the run samples once a second. */
    private List<String> onceAny(Predicate<String> line, String... command) throws Exception {
        while (true) {
            UpdraftProcess asked = UpdraftProcess.run(directory, command);
            assertThat(run.isAlive()).isTrue();
            if (asked.exitCode() == 0 && asked.out().stream().anyMatch(line)) {
                return asked.out();
            }
        }
    }

    private void start(Class<?> program, String... options) throws Exception {
        List<String> words = Stream.of(
                        Stream.of("run"),
                        Stream.of(options),
                        Stream.of(UpdraftProcess.jarOf(program, directory).toString(), program.getName()))
                .flatMap(part -> part)
                .toList();
        run = UpdraftProcess.start(directory, words.toArray(String[]::new));
    }
}
