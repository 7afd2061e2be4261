package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import io.updraft.cli.programs.Idle;
import io.updraft.cli.programs.Loads;
import io.updraft.cli.programs.Quitting;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Asks for advice as a user would. */
@Tag("one-jdk")
class AdviseTest {
    @TempDir
    Path directory;

    @Tag("long")
    @Test
    void shouldNameTheLimitAndWhatWouldHelp() throws Exception {
        UpdraftProcess advised = UpdraftProcess.run(
                directory, advise("--warm-up 1s --for 2s", "src parse,from=src,sleep=2000,out=1 count,from=parse"));
        assertThat(advised.exitCode()).as("%s", advised.err()).isZero();
        assertThat(advised.out())
                .anyMatch(line -> line.matches("loads: [\\d,]+ messages/s over \\d s; \\d+ event loops, .* cores used"))
                .anyMatch(line -> line.matches(" +parse +1 .*"))
                .anyMatch(line -> line.matches("limit: parse, \\d+% busy"))
                .anyMatch(line ->
                        line.matches("1\\. parse 1 -> \\d executors: about \\d\\.\\dx in all, .* messages/s; then .*"));
    }

    @Tag("long")
    @Test
    void shouldNameTheConsumerOfAFanOut() throws Exception {
        UpdraftProcess advised = UpdraftProcess.run(
                directory, advise("--warm-up 2s --for 3s", "src count,from=src,out=2000 sink,from=count,sleep=50"));
        assertThat(advised.exitCode()).as("%s", advised.err()).isZero();
        assertThat(advised.out())
                .anyMatch(line -> line.matches("limit: sink, \\d+% .*"))
                .anyMatch(line -> line.matches("1\\. sink 1 -> \\d+ executors: about .*"));
    }

    @Tag("long")
    @Test
    void shouldSayThatNothingLimits() throws Exception {
        UpdraftProcess advised =
                UpdraftProcess.run(directory, advise("--warm-up 1s --for 2s", "src,every=5 count,from=src"));
        assertThat(advised.exitCode()).as("%s", advised.err()).isZero();
        assertThat(advised.out()).anyMatch(line -> line.startsWith("nothing limits the topology: its spouts have no"));
    }

    @Test
    void shouldRefuseWhatCannotBeMeasured() throws Exception {
        assertThat(oneLine(2, "advise", "--for", "1s", "x.jar")).contains("--for must be at least 2s");
        assertThat(oneLine(2, "advise", "--loops", "0", "x.jar")).contains("--loops must be at least 1");
        String jar = UpdraftProcess.jarOf(Idle.class, directory).toString();
        assertThat(oneLine(2, "advise", jar, Idle.class.getName())).contains("without submitting a topology");
    }

    @Tag("slow")
    @Test
    void shouldFailWithATopologyThatDies() throws Exception {
        UpdraftProcess advised = UpdraftProcess.run(
                directory,
                "advise",
                UpdraftProcess.jarOf(Quitting.class, directory).toString(),
                Quitting.class.getName());
        assertThat(advised.exitCode()).isEqualTo(1);
        assertThat(advised.err()).anyMatch(line -> line.contains("System.exit was called"));
    }

    private String oneLine(int exitCode, String... words) throws Exception {
        UpdraftProcess asked = UpdraftProcess.run(directory, words);
        assertThat(asked.exitCode()).as("%s", asked.out()).isEqualTo(exitCode);
        assertThat(asked.err()).hasSize(1);
        return asked.err().get(0);
    }

    /** Ten topologies: the throughput that is forecast for the first step is within 15% of what is measured after it. */
    @ParameterizedTest
    @Tag("long")
    @ValueSource(
            strings = {
                "| src parse,from=src,sleep=2000,n=2,out=1 count,from=parse,sleep=500",
                "| src a,from=src,sleep=1000,n=2,out=1 b,from=a,sleep=3000,n=4,out=1 c,from=b,sleep=200",
                "| src parse,from=src,spin=200,out=1 count,from=parse,spin=50",
                "| src parse,from=src,compute=40000,out=1 count,from=parse,compute=2000",
                "| src split,from=src,out=10 count,from=split,sleep=300,n=2",
                "-c topology.max.spout.pending=8 | src a,from=src,sleep=2000,n=16,out=1 b,from=a,sleep=1000,n=16",
                "| src,sleep=1000 a,from=src,sleep=300",
                "| src,hot=60 count,from=src,keyed=1,n=2,sleep=1000",
                "--loops 1 | src a,from=src,compute=500,out=1,n=2 b,from=a,compute=500,n=2",
                "-c topology.max.spout.pending=100 | src a,from=src,sleep=2000,n=2,out=1 b,from=src,sleep=500,out=1"
                        + " c,from=a+b,sleep=100"
            })
    void shouldForecastWhatIsMeasuredThen(String topology) throws Exception {
        String options = topology.substring(0, topology.indexOf('|')).strip();
        String components = topology.substring(topology.indexOf('|') + 1).strip();
        Map<?, ?> before = measure(options, components);
        Map<?, ?> step = (Map<?, ?>) ((List<?>) before.get("steps")).get(0);
        Map<?, ?> after = measure(options(options, step), changed(components, (Map<?, ?>) step.get("executors")));
        double forecast = rate(step);
        System.out.printf(
                "%s: %.0f/s, %s: forecast %.0f/s, measured %.0f/s%n",
                topology, rate(before), step.get("change"), forecast, rate(after));
        assertThat(forecast / rate(after)).isBetween(0.85, 1.15);
    }

    private Map<?, ?> measure(String options, String components) throws Exception {
        UpdraftProcess advised =
                UpdraftProcess.run(directory, advise("--json --warm-up 5s --for 6s " + options, components));
        assertThat(advised.exitCode()).as("%s", advised.err()).isZero();
        Map<?, ?> document = Json.readObject(String.join("\n", advised.out()));
        return (Map<?, ?>) ((Map<?, ?>) document.get("topologies")).get("loads");
    }

    private static double rate(Map<?, ?> json) {
        return ((Number) json.get("messagesPerSecond")).doubleValue();
    }

    private static String options(String options, Map<?, ?> step) {
        String change = step.get("change").toString();
        if (change.startsWith("updraft.loops")) {
            return "--loops " + step.get("loops");
        }
        return change.startsWith("topology.max.spout.pending")
                ? "-c topology.max.spout.pending=" + step.get("maxPending")
                : options;
    }

    private static String changed(String components, Map<?, ?> executors) {
        return Arrays.stream(components.split(" "))
                .map(component -> component.replaceAll(",n=\\d+", "") + ",n="
                        + executors.get(component.split(",")[0]))
                .collect(Collectors.joining(" "));
    }

    private String[] advise(String options, String components) throws Exception {
        List<String> words = new ArrayList<>(List.of("advise"));
        words.addAll(List.of(options.strip().split(" ")));
        words.add(UpdraftProcess.jarOf(Loads.class, directory).toString());
        words.add(Loads.class.getName());
        words.addAll(List.of(components.split(" ")));
        return words.toArray(String[]::new);
    }
}
