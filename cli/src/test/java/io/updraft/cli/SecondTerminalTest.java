package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.cli.programs.Deadlocking;
import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Failing;
import io.updraft.cli.programs.Mending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.shade.net.minidev.json.JSONArray;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Asks a run from a second process, as an operator does in a second terminal. */
@Tag("one-jdk")
class SecondTerminalTest {
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
    void shouldSayThatNothingRuns() throws Exception {
        for (String command : List.of("ps", "stack")) {
            UpdraftProcess asked = ask(command);
            assertThat(asked.exitCode()).isEqualTo(1);
            assertThat(asked.out()).isEmpty();
            assertThat(asked.err()).singleElement().asString().startsWith("updraft: no run is alive");
        }
    }

    @Test
    void shouldListARunUntilItsEnd() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        UpdraftProcess ps = ask("ps");
        assertThat(ps.exitCode()).as("%s", ps.err()).isZero();
        assertThat(ps.out().get(0)).contains(run.pid() + "  run " + Endless.class.getName());
        assertThat(ps.out().get(1)).contains("numbers  running ", "2 components", "0 errors");
        JSONObject found = (JSONObject) ((JSONArray) json("ps", "--json").get("runs")).get(0);
        assertThat(found).containsEntry("alive", true).containsEntry("command", "run");
        run.signal("TERM");
        assertThat(run.awaitExit()).isZero();
        assertThat(ask("ps").out()).isEmpty();
        try (Stream<Path> left = Files.list(directory.resolve("state/runs"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldShowARunThatWasKilledAsEnded() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        run.signal("KILL");
        run.awaitExit();
        UpdraftProcess ps = ask("ps");
        assertThat(ps.exitCode()).isEqualTo(1);
        assertThat(ps.out().get(0)).startsWith(run.pid() + "  run ").contains("ended, was started");
        assertThat(ps.err()).containsExactly("updraft: no run is alive");
    }

    @Test
    void shouldNameTheDeadlockOfAComponent() throws Exception {
        start(Deadlocking.class);
        run.awaitOut("hangs");
        assertThat(stackOnceDeadlocked("stack", "sink"))
                .anyMatch(line -> line.matches(" +DEADLOCK: 2 threads wait for each other:"))
                .anyMatch(
                        line -> line.matches(" +sink: 'updraft-.*' waits for java.lang.Object@\\w+, held by 'flusher'"))
                .anyMatch(line -> line.contains("'flusher' waits for java.lang.Object"))
                .anyMatch(line -> line.contains("at " + Deadlocking.class.getName() + "$Hanging.execute("))
                .noneMatch(line -> line.contains("$Numbers."));
    }

    @Tag("long")
    @Test
    void shouldNameTheDeadlockInAWorker() throws Exception {
        start(Deadlocking.class, "--workers", "2");
        run.awaitOutEnding("hangs");
        assertThat(stackOnceDeadlocked("stack"))
                .anyMatch(line -> line.matches("process " + run.pid() + " \\(run\\)"))
                .anyMatch(line -> line.matches("process \\d+ \\(worker 0\\)"))
                .anyMatch(line -> line.matches("process \\d+ \\(worker 1\\)"))
                .anyMatch(line ->
                        line.matches(" +sink: 'updraft-.*' waits for java.lang.Object@\\w+, held by 'flusher'"));
        run.signal("KILL");
    }

    @Test
    void shouldControlATopology() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        assertThat(answer("deactivate"))
                .containsExactly("topology 'numbers' is inactive: its spouts do not emit; tuples"
                        + " in flight are still processed");
        assertThat(ask("ps").out().get(1)).contains("numbers  inactive ");
        assertThat(answer("activate", "--run", "numbers"))
                .containsExactly("topology 'numbers' is active: its spouts emit");
        assertThat(refusal("rebalance", "nothing=2")).contains("nothing");
        assertThat(answer("rebalance", "sink=5"))
                .containsExactly("topology 'numbers' is rebalanced: sink has 1 executors for 1 tasks");
        assertThat(refusal("debug", "sink")).contains("topology.eventlogger.executors");
        assertThat(refusal("debug", "other")).contains("no component 'other'");
        assertThat(refusal("stack", "--run", "other"))
                .contains("no topology or pipeline 'other' is alive; alive: " + run.pid() + " (numbers)");
        assertThat(refusal("stack", "other")).contains("there is no component 'other'; the components are ", "sink");
        assertThat(answer("log-level", "com.acme", "debug", "--for", "5m"))
                .containsExactly("process " + run.pid() + ": com.acme has the level debug for 300 s");
        assertThat(refusal("log-level", "com.acme", "loud")).contains("there is no level 'loud'");
        List<String> killed = answer("kill", "numbers", "--wait", "2s");
        assertThat(run.isAlive()).isFalse();
        assertThat(killed).hasSize(2).first().asString().contains("drained for at most 2 s");
        assertThat(killed.get(1))
                .matches("topology 'numbers' has ended after [\\d.]+ s, and its run \\(process \\d+\\) with it");
        assertThat(run.awaitExit()).isZero();
        assertThat(run.err()).anyMatch(line -> line.startsWith("numbers ran "));
    }

    @Test
    void shouldShowTheLiveViewAndItsFigures() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        assertThat(answer("top", "--once"))
                .anyMatch(line -> line.startsWith("numbers  running "))
                .anyMatch(line -> line.matches("[>! ] sink .*"))
                .anyMatch(line -> line.matches("since the start: [\\d,]+ acked, 0 failed, 0 errors"));
        JSONObject numbers = (JSONObject) ((JSONArray) json("top", "--json").get("topologies")).get(0);
        assertThat((JSONArray) numbers.get("rates"))
                .extracting(rates -> ((JSONObject) rates).get("component"))
                .containsExactly("numbers", "sink");
        JSONObject sink = (JSONObject) ((JSONArray) numbers.get("rates")).get(1);
        assertThat(((Number) sink.get("executed")).longValue()).isPositive();
        assertThat((JSONArray) sink.get("byExecutor"))
                .singleElement()
                .extracting(executor -> ((JSONObject) executor).keySet())
                .asInstanceOf(InstanceOfAssertFactories.ITERABLE)
                .contains("firstTask", "busy", "executedPerSecond", "executed");
    }

    @Test
    void shouldListErrors() throws Exception {
        start(Failing.class);
        run.awaitErr("user code failed");
        List<String> errors = answer("errors");
        while (errors.size() < 2) { // the sample before the first error
            errors = answer("errors");
        }
        assertThat(errors.get(0)).startsWith("numbers: errors: sink ");
        assertThat(errors.get(1)).contains(" sink", "execute: IllegalStateException");
    }

    @Test
    void shouldShowDeadLetters() throws Exception {
        start(Endless.class, "-c", "updraft.dead.letter.file=dead.json");
        run.awaitOut("running");
        Files.writeString(
                directory.resolve("dead.json"), "{\"component\":\"old\"}\n{\"component\":\"numbers\",\"task\":1}\n");
        UpdraftProcess letters = ask("dead-letters", "--newest", "1");
        assertThat(letters.exitCode()).isZero();
        assertThat(letters.out()).containsExactly("{\"component\":\"numbers\",\"task\":1}");
        assertThat(letters.err())
                .containsExactly(
                        "updraft: topology 'numbers' has given up 0 messages; the newest 1 in dead.json are shown");
    }

    @Test
    void shouldSayHowDeadLettersAreKept() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        UpdraftProcess letters = ask("dead-letters");
        assertThat(letters.exitCode()).isZero();
        assertThat(letters.out()).isEmpty();
        assertThat(letters.err()).singleElement().asString().contains("start it with -c updraft.dead.letter.file=FILE");
    }

    @Test
    void shouldReplayDeadLettersOnceTheirCauseIsMended() throws Exception {
        start(Mending.class, "-c", "updraft.max.replays=1");
        run.awaitOut("90 acked, 90 numbers");
        awaitReplays("possible");
        assertThat(refusal("dead-letters", "--replay", "3,11")).contains("there is no dead letter 11");
        assertThat(answer("dead-letters", "--replay", "3,4"))
                .containsExactly("topology 'numbers' replays 2 dead letters; 'updraft dead-letters' shows the results");
        awaitReplays("failed again", 3, 4);
        answer("deactivate");
        assertThat(refusal("dead-letters", "--replay", "all"))
                .contains("topology 'numbers' is inactive: its spouts do not emit");
        answer("activate");

        Files.createFile(directory.resolve("mended"));
        assertThat(answer("dead-letters", "--replay", "all"))
                .containsExactly(
                        "topology 'numbers' replays 10 dead letters; 'updraft dead-letters' shows the results");
        run.awaitOut("100 acked, 100 numbers");
        awaitReplays("completed");
        assertThat(answer("dead-letters", "--replay", "all"))
                .containsExactly("topology 'numbers' replays 0 dead letters; 'updraft dead-letters' shows the results");
        assertThat(ask("dead-letters", "--newest", "1").err())
                .containsExactly("updraft: topology 'numbers' has given up 10 messages; the newest 1 are shown; of the"
                        + " newest 10, 0 can be replayed (--replay N or all), 0 are being replayed, 10 have completed");
        assertThat(ask("dead-letters", "--replay", "1,x").exitCode()).isEqualTo(2);
        assertThat(run.out()).endsWith("100 acked, 100 numbers");
    }

    @Test
    @Tag("slow")
    void shouldReplayDeadLettersOfWorkers() throws Exception {
        start(Mending.class, "--workers", "2", "-c", "updraft.max.replays=1");
        run.awaitOutEnding("90 acked, 90 numbers");
        awaitReplays("possible");
        assertThat(refusal("dead-letters", "--replay", "99")).contains("there is no dead letter 99");
        answer("deactivate");
        assertThat(refusal("dead-letters", "--replay", "all"))
                .contains("topology 'numbers' is inactive: its spouts do not emit");
        answer("activate");
        Files.createFile(directory.resolve("mended"));
        assertThat(answer("dead-letters", "--replay", "all"))
                .containsExactly(
                        "topology 'numbers' replays 10 dead letters; 'updraft dead-letters' shows the results");
        run.awaitOutEnding("100 acked, 100 numbers");
        awaitReplays("completed");
        assertThat(answer("dead-letters", "--replay", "all"))
                .containsExactly("topology 'numbers' replays 0 dead letters; 'updraft dead-letters' shows the results");
        assertThat(answer("kill", "--wait", "10s")).hasSize(2);
        assertThat(run.awaitExit()).isZero();
    }

    /** Waits until the replays of some of ten letters, or of all, are in a state. */
    private void awaitReplays(String state, Integer... numbers) throws Exception {
        Await.until("the replays are " + state, () -> {
            JSONArray letters = (JSONArray) json("dead-letters", "--json").get("letters");
            return letters.size() >= 10
                    && letters.stream()
                            .map(JSONObject.class::cast)
                            .filter(letter -> numbers.length == 0
                                    || List.of(numbers).contains(((Number) letter.get("number")).intValue()))
                            .allMatch(letter -> state.equals(letter.get("replay")));
        });
    }

    @Tag("long")
    @Test
    void shouldDumpHeapsOfWorkersAndRefuseToOverwrite() throws Exception {
        start(Endless.class, "--workers", "2");
        run.awaitOutEnding("running");
        List<String> dumps = answer("heap", "-o", "it.hprof");
        assertThat(dumps)
                .hasSize(3)
                .allMatch(line -> line.matches("process \\d+: .*/it-\\d+\\.hprof \\(\\d+ bytes, .*"));
        assertThat(directory.resolve("it-" + run.pid() + ".hprof")).isNotEmptyFile();
        assertThat(refusal("heap", "-o", "it.hprof")).contains("exists already");
        assertThat(ask("ps").out().get(1)).containsPattern("workers 0 \\(process \\d+, running\\), 1 \\(");
        assertThat(answer("log-level", "com.acme", "debug")).hasSize(3);
        assertThat(answer("kill", "--wait", "10s")).hasSize(2);
        assertThat(run.awaitExit()).isZero();
    }

    @Tag("long")
    @Test
    void shouldAskForAChoiceAmongSeveralRuns() throws Exception {
        start(Endless.class);
        run.awaitOut("running");
        UpdraftProcess first = run;
        try {
            start(Endless.class);
            run.awaitOut("running");
            UpdraftProcess stack = ask("stack");
            assertThat(stack.exitCode()).isEqualTo(2);
            assertThat(stack.err())
                    .singleElement()
                    .asString()
                    .contains("add --pid N or --run NAME", first.pid() + " (numbers)", run.pid() + " (numbers)");
            assertThat(answer("errors", "--pid", "" + first.pid())).containsExactly("numbers: no errors");
        } finally {
            first.signal("KILL");
            first.awaitExit();
        }
    }

    @Test
    void shouldStopAPipelineInOrder() throws Exception {
        startPipeline("1000,a,1\n");
        UpdraftProcess ps = ask("ps");
        assertThat(ps.out().get(0)).contains(run.pid() + "  aggregate ");
        assertThat(answer("stack").get(0)).isEqualTo("process " + run.pid() + " (aggregate)");
        assertThat(refusal("deactivate")).contains("is a pipeline");
        List<String> killed = answer("kill", "hosts");
        assertThat(run.isAlive()).isFalse();
        assertThat(killed).hasSize(2).first().asString().contains("writes and commits its complete results");
        assertThat(killed.get(1)).startsWith("pipeline 'hosts' has ended after ");
        assertThat(run.awaitExit()).isZero();
        assertThat(run.err()).anyMatch(line -> line.contains("'updraft kill': writing complete results"));
    }

    @Test
    void shouldPrintTheBadAndLateRecordsOfAPipelineAndItsWatermark() throws Exception {
        startPipeline("1000,a,1\n9500,a,1\nnever,b,2\n1500,c,3\n");
        List<String> errors = answer("errors");
        while (errors.size() < 3) {
            errors = answer("errors");
        }
        String data = directory.resolve("data.csv").toString();
        assertThat(errors)
                .hasSize(3)
                .startsWith("hosts: errors: records that could not be used 1, late rows 1")
                .anyMatch(line -> line.contains(" rejected record, " + data + " line 4 (byte 24): ")
                        && line.endsWith(": never,b,2"))
                .anyMatch(line -> line.contains(
                                " late row, " + data + " line 5 (byte 34): late: windows of 1970-01-01T00:00:01.500Z")
                        && line.endsWith(": {\"t\":\"1970-01-01T00:00:01.500Z\",\"k\":\"c\",\"v\":3}"));
        JSONObject watermark = watermark();
        while (watermark.get("watermark") == null) {
            watermark = watermark();
        }
        assertThat(watermark)
                .containsEntry("watermark", "1970-01-01T00:00:09.500Z")
                .containsEntry("completeUntil", "1970-01-01T00:00:09Z")
                .containsEntry("latest", "1970-01-01T00:00:09.500Z");
    }

    private JSONObject watermark() throws Exception {
        JSONObject run = (JSONObject) ((JSONArray) json("ps", "--json").get("runs")).get(0);
        return (JSONObject) ((JSONObject) ((JSONArray) run.get("topologies")).get(0)).get("watermark");
    }

    /** Starts a pipeline that follows a file, and waits until it answers. */
    private void startPipeline(String rows) throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), "t,k,v\n" + rows);
        Path yaml = Files.writeString(directory.resolve("p.yaml"), """
                name: hosts
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: millis}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1s}
                sinks: [{csv: "%s/{window_start}.csv"}]
                time: {field: t, idle: 1s}
                keyed: true
                state: %s
                """.formatted(
                        data, directory.resolve("out"), directory.resolve("positions")));
        run = UpdraftProcess.start(directory, "aggregate", yaml.toString());
        while (ask("ps").exitCode() != 0) {
            assertThat(run.isAlive()).as("%s", run.err()).isTrue();
        }
    }

    private List<String> answer(String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s: %s", asked.out(), asked.err()).isZero();
        assertThat(asked.err()).isEmpty();
        return asked.out();
    }

    private String refusal(String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s", asked.out()).isEqualTo(1);
        assertThat(asked.err()).hasSize(1);
        return asked.err().get(0);
    }

    /** The second thread reaches its lock some time after the first. */
    private List<String> stackOnceDeadlocked(String... command) throws Exception {
        while (true) {
            UpdraftProcess stack = ask(command);
            assertThat(stack.exitCode()).as("%s", stack.err()).isZero();
            if (stack.out().stream().anyMatch(line -> line.contains("DEADLOCK"))) {
                return stack.out();
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

    private UpdraftProcess ask(String... command) throws IOException, InterruptedException {
        return UpdraftProcess.run(directory, command);
    }

    private JSONObject json(String... command) throws IOException, InterruptedException {
        UpdraftProcess asked = ask(command);
        assertThat(asked.exitCode()).as("%s", asked.err()).isZero();
        return (JSONObject) JSONValue.parse(asked.out().get(0));
    }
}
