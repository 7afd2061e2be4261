package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.cli.programs.Endless;
import io.updraft.cli.programs.Failing;
import io.updraft.cli.programs.Hoarding;
import io.updraft.cli.programs.Holding;
import io.updraft.cli.programs.Quitting;
import io.updraft.cli.programs.ThreadHoarding;
import io.updraft.examples.wordcount.WordCount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code updraft run --workers} in separate processes. */
class WorkersTest {
    private static final String SMALL_JVM = "topology.worker.childopts=-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
            + " -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote -Xmx128m";

    @TempDir
    Path directory;

    private final List<ProcessHandle> workers = new ArrayList<>();

    @AfterEach
    void shouldLeaveNoWorkerBehind() throws Exception {
        for (ProcessHandle worker : workers) {
            awaitEnd(worker);
        }
    }

    @Test
    void shouldCountWordsInTwoWorkersAsInOneProcess() throws Exception {
        assertThat(count("one.txt")).isEqualTo(count("two.txt", "--workers", "2"));
    }

    @Test
    @Tag("long")
    void shouldCountWordsInThreeWorkersAsInOneProcess() throws Exception {
        assertThat(count("one.txt")).isEqualTo(count("three.txt", "--workers", "3", "--transport", "netty"));
    }

    @Test
    @Tag("long")
    void shouldRunOnAHostWhoseOnlyLoopbackAddressIsOfIpv6() throws Exception {
        List<String> ipv6 = List.of(
                "unshare", "-rn", "sh", "-c", "ip link set lo up && ip -4 addr flush dev lo && exec \"$0\" \"$@\"");
        List<String> check = new ArrayList<>(ipv6);
        check.add("true");
        assumeTrue(new ProcessBuilder(check).start().waitFor() == 0, "needs a network of its own: unshare and ip");
        UpdraftProcess updraft =
                UpdraftProcess.startBehind(ipv6, directory, args(Endless.class, "--view", "none", "--for", "1s"));
        assertThat(updraft.awaitExit()).as("%s", updraft.err()).isZero();
        assertThat(updraft.out()).anyMatch(line -> line.endsWith("sink cleaned up"));
    }

    @Test
    void shouldDrainWhenInterrupted() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "--view", "none");
        updraft.awaitOutEnding("] running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).anyMatch(line -> line.matches("\\[worker \\d] spout closed"));
        assertThat(updraft.out()).anyMatch(line -> line.matches("\\[worker \\d] sink cleaned up"));
        assertThat(updraft.err()).singleElement().asString().contains("SIGINT: draining");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "TERM", "HUP"})
    @Tag("long")
    void shouldDrainWhenItsWorkersAreSignalledToo(String signal) throws Exception {
        UpdraftProcess updraft = startGroup(Endless.class, "--view", "none");
        updraft.awaitOutEnding("] running");
        updraft.workers().forEach(workers::add);
        assertThat(workers).hasSize(2);
        updraft.signalAsTimeout(signal);
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).anyMatch(line -> line.endsWith("spout closed"));
        assertThat(updraft.out()).anyMatch(line -> line.endsWith("sink cleaned up"));
        assertThat(updraft.err()).singleElement().asString().contains("SIG" + signal + ": draining");
    }

    @Test
    @Tag("long")
    void shouldStopAtOnceAtTheSecondCtrlC() throws Exception {
        UpdraftProcess updraft = startGroup(Holding.class, "--view", "none");
        updraft.awaitOutEnding("] running");
        updraft.workers().forEach(workers::add);
        updraft.signalGroup("INT");
        updraft.awaitErr("draining");
        updraft.signalGroupUntilExit("INT");
        assertThat(updraft.awaitExit()).isEqualTo(130);
        assertThat(updraft.err()).anyMatch(line -> line.contains("stopped at once"));
    }

    @Test
    @Tag("long")
    void shouldStopAtOnceWhenADrainThatNobodyAskedForIsInterrupted() throws Exception {
        UpdraftProcess updraft = startGroup(Holding.class, "--view", "none", "--for", "3s");
        updraft.awaitErr("--for is over: draining");
        updraft.workers().forEach(workers::add);
        updraft.signalGroup("INT");
        assertThat(updraft.awaitExit()).isEqualTo(130);
    }

    @Test
    @Tag("long")
    void shouldRunInNoMoreWorkersThanThereAreExecutorsAndEndInOrderWhenItsTimeIsOver() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "--workers", "9", "--for", "1s");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.err())
                .contains("updraft: topology 'numbers' has 2 executors; it runs in 2 workers instead of 9");
        assertThat(updraft.err()).anyMatch(line -> line.matches("numbers ran .* tuple trees completed .*, 0 failed"));
    }

    @Test
    @Tag("slow")
    void shouldTellOfARestartInTheEnd() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "--interval=100ms");
        updraft.awaitOutEnding("] running");
        updraft.workers().get(0).destroyForcibly();
        updraft.awaitErr("runs again");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.err()).anyMatch(line -> line.contains(", workers 1 of 2 up"));
        assertThat(updraft.err())
                .anyMatch(line ->
                        line.matches("worker \\d was restarted once, last: killed by SIGKILL at \\d\\d:\\d\\d:\\d\\d"));
    }

    @Test
    @Tag("long")
    void shouldNameTheOneComponentThatCallsExit() throws Exception {
        UpdraftProcess updraft = start(Quitting.class, "--view", "none", "--workers", "1", "--drain=0s");
        updraft.awaitErr("exited with code");
        assertThat(updraft.err())
                .anyMatch(line -> line.contains("exited with code 3 in component 'sink', task 2, execute: System.exit"
                        + " was called at io.updraft.cli.programs.Quitting$Quitter.execute"));
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    @Tag("long")
    void shouldTellInWhichThreadOfTheUsersMemoryRanOut() throws Exception {
        UpdraftProcess updraft = start(ThreadHoarding.class, "--view", "none", "--drain=0s");
        updraft.awaitErr("ran out of memory");
        assertThat(updraft.err())
                .anyMatch(line -> line.contains(" in thread 'hoarder' at ") && line.contains("it ran sink"));
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    @Tag("long")
    void shouldTellWhereTheReportOfACrashIs() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "--view", "none");
        updraft.awaitOutEnding("] running");
        kill("SEGV", updraft.workers().get(0));
        updraft.awaitErr("the JVM crashed");
        String line = updraft.err().stream()
                .filter(each -> each.contains("the JVM crashed"))
                .findFirst()
                .orElseThrow();
        assertThat(Path.of(line.replaceAll(".*report: ([^)]*)\\).*", "$1"))).isNotEmptyFile();
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    @Tag("long")
    void shouldSayThatTheDrainWasCutOff() throws Exception {
        UpdraftProcess updraft = start(Holding.class, "--drain=200ms");
        updraft.awaitOutEnding("] running");
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isEqualTo(3);
        assertThat(updraft.err()).anyMatch(line -> line.contains("100 tuple trees were still in flight"));
    }

    @Test
    @Tag("slow")
    void shouldTakeTheWorkersWithItWhenItIsKilled() throws Exception {
        UpdraftProcess updraft = start(Endless.class, "--view", "none");
        updraft.awaitOutEnding("] running");
        updraft.workers().forEach(workers::add);
        assertThat(workers).hasSize(2);
        updraft.signal("KILL");
        assertThat(updraft.awaitExit()).isEqualTo(137);
    }

    @Test
    @Tag("long")
    void shouldFailWithATopologyThatDies() throws Exception {
        UpdraftProcess updraft = start(Failing.class, "-c", "updraft.on.error=die");
        assertThat(updraft.awaitExit()).isEqualTo(1);
        assertThat(updraft.err())
                .last()
                .asString()
                .contains("topology 'numbers' died: sink[")
                .contains("IllegalStateException: the sink is leaking");
    }

    @Test
    @Tag("long")
    void shouldTellWhereMemoryRanOutAndWhereTheHeapIs() throws Exception {
        UpdraftProcess updraft = start(Hoarding.class, "--view", "none", "--drain=0s");
        updraft.awaitErr("ran out of memory");
        String line = updraft.err().stream()
                .filter(each -> each.contains("ran out of memory"))
                .findFirst()
                .orElseThrow();
        assertThat(line).contains("in component 'sink', task 2, execute", "it restarts in");
        assertThat(Path.of(line.replaceAll(".*heap dump: ([^)]*)\\).*", "$1"))).isNotEmptyFile();
        updraft.signal("INT");
        updraft.awaitExit();
    }

    @Test
    void shouldRefuseOptionsThatMakeNoSense() throws Exception {
        assertThat(refusal("--workers", "0")).contains("--workers must be from 1 to 256");
        assertThat(refusal("--workers", "257")).contains("--workers must be from 1 to 256");
        assertThat(refusal("--workers", "many")).contains("'--workers'", "'many' is not an int");
        assertThat(refusal("--transport", "netty")).contains("--transport is for workers");
    }

    private String refusal(String... options) throws Exception {
        InProcessCommand updraft = InProcessCommand.run(refused(options));
        assertThat(updraft.exitCode()).isEqualTo(2);
        return updraft.err().get(updraft.err().size() - 1);
    }

    @Test
    void shouldRefuseWhatCannotRun() throws Exception {
        assertThat(refusalByAProcess("--transport", "pigeons"))
                .contains("could not start: there is no transport 'pigeons'");
        assertThat(refusalByAProcess("-c", "topology.worker.childopts=-XX:+NoSuchOption"))
                .contains("could not start", "Unrecognized VM option 'NoSuchOption'");
    }

    private String refusalByAProcess(String option, String value) throws Exception {
        UpdraftProcess updraft = UpdraftProcess.run(directory, refused("--workers", "2", option, value));
        assertThat(updraft.exitCode()).isEqualTo(2);
        return updraft.err().get(updraft.err().size() - 1);
    }

    private String[] refused(String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "--view", "none"));
        args.addAll(List.of(options));
        args.addAll(List.of(jar(), Endless.class.getName()));
        return args.toArray(String[]::new);
    }

    private String count(String out, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "--view", "none", "-c", SMALL_JVM));
        args.addAll(List.of(options));
        args.addAll(List.of(
                UpdraftProcess.jarOf(WordCount.class, directory).toString(), WordCount.class.getName(), "--out", out));
        UpdraftProcess updraft = UpdraftProcess.run(directory, args.toArray(String[]::new));
        assertThat(updraft.exitCode()).as("%s", updraft.err()).isZero();
        return Files.readString(directory.resolve(out));
    }

    private UpdraftProcess start(Class<?> program, String... options) throws Exception {
        return UpdraftProcess.start(directory, args(program, options));
    }

    private UpdraftProcess startGroup(Class<?> program, String... options) throws Exception {
        return UpdraftProcess.startGroup(directory, args(program, options));
    }

    private String[] args(Class<?> program, String... options) throws Exception {
        List<String> args = new ArrayList<>(List.of("run", "-c", SMALL_JVM));
        if (!List.of(options).contains("--workers")) {
            args.addAll(List.of("--workers", "2"));
        }
        args.addAll(List.of(options));
        args.addAll(List.of(jar(), program.getName()));
        return args.toArray(String[]::new);
    }

    private static void kill(String signal, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    private String jar() throws Exception {
        return UpdraftProcess.jarOf(Endless.class, directory).toString();
    }

    private static void awaitEnd(ProcessHandle process) throws Exception {
        Optional<ProcessHandle> alive = ProcessHandle.of(process.pid());
        if (alive.isPresent()) {
            alive.get().onExit().get();
        }
    }
}
