package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Exiting;
import io.updraft.cli.programs.Failing;
import io.updraft.cli.programs.Hanging;
import io.updraft.cli.programs.Holding;
import io.updraft.cli.programs.Later;
import io.updraft.cli.programs.OwnCluster;
import io.updraft.cli.programs.Quitting;
import io.updraft.cli.programs.Skewed;
import io.updraft.cli.programs.ThreadHoarding;
import io.updraft.cli.programs.Throwing;
import io.updraft.cli.programs.Windowing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.storm.StormSubmitter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("one-jdk")
class RunTest {
    @TempDir
    Path directory;

    @Test
    void shouldEndInOrderWhenItsTimeIsOver() throws Exception {
        UpdraftProcess updraft = run("--for", "2s", Endless.class);
        assertThat(updraft.exitCode()).isZero();
        // Whether it has come as far as «running» by then depends on the machine.
        assertThat(updraft.out())
                .contains("submitted", "spout closed", "sink cleaned up")
                .isSubsetOf("submitted", "running", "spout closed", "sink cleaned up")
                .doesNotHaveDuplicates();
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("numbers ran "));
    }

    @Test
    void shouldWatchWhatRunsInAClusterOfTheProgramsOwn() throws Exception {
        UpdraftProcess updraft = start("--interval", "100ms", OwnCluster.class);
        updraft.awaitOut("running");
        updraft.awaitErr("numbers running");
        updraft.write("enough");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).endsWith("the result").contains("sink cleaned up");
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("numbers ran "));
    }

    @Test
    @Tag("long")
    void shouldEndWithAProgramThatExitsFromAClusterOfItsOwn() throws Exception {
        UpdraftProcess updraft =
                UpdraftProcess.start(directory, "run", "--view=plain", jar(), OwnCluster.class.getName(), "and exits");
        updraft.awaitErr("numbers running");
        updraft.write("enough");
        assertThat(updraft.awaitExit()).isEqualTo(7);
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("numbers ran "));
    }

    @Test
    @Tag("long")
    void shouldEndAClusterOfTheProgramsOwnWhenItsTimeIsOver() throws Exception {
        UpdraftProcess updraft =
                UpdraftProcess.start(directory, "run", "--for=1s", "--view=none", jar(), OwnCluster.class.getName());
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).endsWith("the result").contains("spout closed", "sink cleaned up");
        assertThat(updraft.err()).singleElement().asString().contains("--for is over: draining");
    }

    @Test
    void shouldRunATopologyDescribedInYaml() throws Exception {
        Files.writeString(directory.resolve("it.yaml"), """
                name: "${name}"
                spouts:
                  - {id: words, className: org.apache.storm.testing.TestWordSpout}
                bolts:
                  - {id: count, className: org.apache.storm.testing.TestWordCounter, parallelism: 2}
                streams:
                  - {from: words, to: count, grouping: {type: FIELDS, args: [word]}}
                """);
        Files.writeString(directory.resolve("it.properties"), "name=described\n");
        UpdraftProcess updraft =
                UpdraftProcess.run(directory, "run", "--for", "2s", "it.yaml", "--filter", "it.properties");
        assertThat(updraft.exitCode()).isZero();
        assertThat(updraft.err())
                .anyMatch(line -> line.startsWith("described ran "))
                .anyMatch(line -> line.contains("count"));
    }

    @Test
    @Tag("long")
    void shouldFindBlobsWhereAnOptionSaysThatTheyLie() throws Exception {
        Files.writeString(Files.createDirectory(directory.resolve("blobs")).resolve("k"), "blob");
        UpdraftProcess updraft = UpdraftProcess.run(
                directory,
                "run",
                "--view=none",
                "--for=1s",
                "-c",
                "topology.blobstore.map={\"k\": {\"localname\": \"it.txt\"}}",
                "-c",
                "updraft.blobs.dir=" + directory.resolve("blobs"),
                jar(),
                Endless.class.getName());
        assertThat(updraft.err()).singleElement().asString().contains("--for is over");
        assertThat(updraft.exitCode()).isZero();
    }

    @Test
    void shouldDrainWhenInterrupted() throws Exception {
        UpdraftProcess updraft = start("--view", "none", Endless.class);
        updraft.awaitOut("running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).contains("spout closed", "sink cleaned up");
        assertThat(updraft.err()).singleElement().asString().contains("SIGINT: draining");
    }

    @Test
    void shouldSayThatTheDrainWasCutOff() throws Exception {
        UpdraftProcess updraft = start("--view=plain", "--drain=200ms", Holding.class);
        updraft.awaitOut("running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isEqualTo(3);
        assertThat(updraft.out()).contains("sink cleaned up");
        assertThat(updraft.err()).anyMatch(line -> line.contains("100 tuple trees were still in flight"));
        assertThat(updraft.err())
                .anyMatch(line -> line.startsWith("  spouts: numbers 100; their tuples may be in: sink (100 executed,"
                        + " neither acked nor failed"));
    }

    @Tag("long")
    @Test
    void shouldNameABoltThatNeverAcks() throws Exception {
        UpdraftProcess updraft = start("--view=plain", "--drain=200ms", Holding.class);
        updraft.awaitErr(", NEVER ACKED: sink holds 100; the oldest message of numbers is 0, in flight for ");
        updraft.awaitErr(" s: sent by numbers, not acked by sink");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isEqualTo(3);
    }

    @Tag("long")
    @Test
    void shouldNameACallThatDoesNotReturnWhileItLasts() throws Exception {
        UpdraftProcess updraft = start("--view=plain", "--drain=200ms", Hanging.class);
        updraft.awaitErr(" held by 'holder'");
        assertThat(updraft.err())
                .anyMatch(line -> line.matches("stuck: sink task \\d+ in execute\\(\\) for \\ds at Hanging.java:\\d+,"
                        + " waiting for java.lang.Object@\\w+ held by 'holder'"));
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    void shouldNameTheKeyThatMostTuplesHave() throws Exception {
        UpdraftProcess updraft = startSkewed("80");
        updraft.awaitErr("hot key: ");
        assertThat(updraft.err())
                .anyMatch(line -> line.matches("hot key: \\d\\d% of words's tuples for count have word, day = the, 3;"
                        + " task \\d \\([1-4] of 4\\) is \\d+% busy, the others \\d+%"));
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
    }

    @Test
    void shouldNameNoKeyWhenTheKeysAreEven() throws Exception {
        UpdraftProcess updraft = startSkewed("0");
        updraft.awaitOut("counted");
        updraft.awaitMoreErr("skewed running", 2);
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.err()).noneMatch(line -> line.startsWith("hot key"));
    }

    private UpdraftProcess startSkewed(String percent) throws Exception {
        return UpdraftProcess.start(
                directory, "run", "--view=plain", "--interval=300ms", jar(), Skewed.class.getName(), percent);
    }

    @Test
    void shouldSayWhatIsLostWithoutAViewToo() throws Exception {
        UpdraftProcess updraft = start("--view=none", "--drain=200ms", Holding.class);
        updraft.awaitOut("running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isEqualTo(3);
        assertThat(updraft.err())
                .anyMatch(line -> line.startsWith("updraft: topology 'numbers': 100 tuple trees were still in flight"))
                .noneMatch(line -> line.startsWith("numbers ran "));
    }

    @Test
    void shouldWaitForAThreadOfTheProgramThatSubmitsAfterMainHasReturned() throws Exception {
        UpdraftProcess updraft = start("--view", "none", Later.class);
        updraft.awaitErr("waiting for its thread 'submitter'");
        updraft.awaitOut("running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).contains("submitted", "spout closed");
    }

    @Test
    void shouldSayThatTheDrainWaitsForAWindow() throws Exception {
        UpdraftProcess updraft = start("--view=none", "--drain=2s", Windowing.class);
        updraft.awaitOut("running");
        updraft.signal("INT");
        updraft.awaitErr("'numbers' waits for tuples that are held in count windows: 'sink' (");
        assertThat(updraft.awaitExit()).isEqualTo(3);
    }

    @Test
    void shouldStopAtOnceAtTheSecondSignal() throws Exception {
        UpdraftProcess updraft = start("--view", "none", Holding.class);
        updraft.awaitOut("running");
        updraft.signal("TERM");
        updraft.awaitErr("draining");
        updraft.signalUntilExit("TERM");
        assertThat(updraft.awaitExit()).isEqualTo(130);
        assertThat(updraft.err()).anyMatch(line -> line.contains("stopped at once"));
    }

    @Test
    void shouldGoOnWhenTheProgramExitsAfterItHasSubmitted() throws Exception {
        UpdraftProcess updraft = start("--view", "none", Exiting.class);
        updraft.awaitOut("running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).contains("submitted", "spout closed");
    }

    @Test
    void shouldEndWithTheComponentThatCallsExit() throws Exception {
        UpdraftProcess updraft = run("--view", "none", Quitting.class);
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .last()
                .asString()
                .contains("topology 'numbers' died: sink[2] execute: System.exit was called at io.updraft.cli.programs."
                        + "Quitting$Quitter.execute(Quitting.java:");
    }

    @Test
    @Tag("long")
    void shouldEndWithTheComponentWhoseThreadCallsExitAfterMainHasDoneSo() throws Exception {
        UpdraftProcess updraft =
                UpdraftProcess.run(directory, "run", "--view", "none", jar(), Quitting.class.getName(), "on a thread");
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .last()
                .asString()
                .contains("topology 'numbers' died: sink thread 'quitter': System.exit was called at ");
    }

    @Test
    @Tag("long")
    void shouldEndWithOneLineWhenAThreadOfTheUsersRunsOutOfMemory() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.runWith(
                List.of("-Xmx64m"), directory, "run", "--view", "none", jar(), ThreadHoarding.class.getName());
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .last()
                .asString()
                .contains("out of memory in thread 'hoarder' at io.updraft.cli.programs.ThreadHoarding$Hoarder.hoard(");
        assertThat(updraft.err()).noneMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void shouldFailWithTheProgram() throws Exception {
        UpdraftProcess updraft = run("--view", "none", Throwing.class);
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err()).singleElement().asString().contains("no broker");
    }

    @Test
    void shouldFailWithATopologyThatDies() throws Exception {
        UpdraftProcess updraft = run("-c", "updraft.on.error=die", Failing.class);
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .last()
                .asString()
                .contains("topology 'numbers' died: sink[")
                .contains("the sink is leaking");
        assertThat(updraft.err()).noneMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void shouldTellARepeatedErrorOnceAndKeepItsTraceInTheLog() throws Exception {
        UpdraftProcess updraft = start("--drain=0s", "--interval=100ms", Failing.class);
        updraft.awaitErr("IllegalStateException: the sink is leaking");
        updraft.awaitErr("stack traces go to ");
        // It goes on failing, and is looked at again and again.
        updraft.awaitMoreErr("numbers running", 10);
        updraft.signal("INT");
        updraft.awaitExit();
        assertThat(updraft.err().stream().filter(line -> line.startsWith("error ")))
                .singleElement()
                .asString()
                .contains("sink[", "IllegalStateException: the sink is leaking");
        assertThat(updraft.err()).anyMatch(line -> line.contains("stack traces go to "));
        assertThat(log())
                .contains(
                        "IllegalStateException: the sink is", "\tat io.updraft.cli.programs.CliPrograms$Sink.execute");
    }

    @Test
    @Tag("long")
    void shouldTellAnErrorOnceWithoutAViewToo() throws Exception {
        UpdraftProcess updraft = start("--view=none", "--interval=100ms", Failing.class);
        updraft.awaitErr("IllegalStateException: the sink is leaking");
        updraft.signal("INT");
        updraft.awaitErr("draining");
        updraft.signalUntilExit("INT");
        updraft.awaitExit();
        assertThat(updraft.err().stream().filter(line -> line.startsWith("error ")))
                .singleElement()
                .asString()
                .contains("sink[");
    }

    @Test
    void shouldSayWhatItIs() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.run(directory, "--version");
        assertThat(updraft.exitCode()).isZero();
        assertThat(updraft.out()).hasSize(3).first().asString().startsWith("updraft ");
        // Compares with the version of the jar, not with the version that the test was compiled with.
        String api = StormSubmitter.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        assertThat(updraft.out().get(1)).startsWith("Storm API ");
        assertThat(api).endsWith("-" + updraft.out().get(1).substring("Storm API ".length()) + ".jar");
        assertThat(updraft.err()).isEmpty();
    }

    private UpdraftProcess run(String option, String second, Class<?> program) throws Exception {
        return UpdraftProcess.run(directory, "run", option, second, jar(), program.getName());
    }

    private UpdraftProcess start(String option, String value, Class<?> program) throws Exception {
        return UpdraftProcess.start(directory, "run", option, value, jar(), program.getName());
    }

    private String jar() throws Exception {
        return UpdraftProcess.jarOf(Endless.class, directory).toString();
    }

    private String log() throws Exception {
        try (Stream<Path> logs = Files.list(directory.resolve("state/logs"))) {
            return Files.readString(logs.findFirst().orElseThrow());
        }
    }
}
