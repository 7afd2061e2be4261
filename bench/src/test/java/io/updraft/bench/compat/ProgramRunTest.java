package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With shells that write what the probe would. */
class ProgramRunTest {
    private static final String RUNS = "printf 'topology\\tt\\t1\\nemitted\\ts\\tdefault\\t5\\n' > probed.txt; ";

    @TempDir
    private Path directory;

    private ProgramRun trial(String... awaited) {
        return new ProgramRun(
                directory,
                Duration.ofMillis(1),
                List.of(awaited).stream().map(Pattern::compile).toList());
    }

    private static List<String> shell(String script) {
        return List.of("sh", "-c", script);
    }

    @Test
    void shouldKeepWhatWasSeenBeforeTheProgramWasStopped() throws IOException, InterruptedException {
        String failsAtItsEnd = "trap \"printf 'failed\\ts\\tdefault\\t9\\n' >> probed.txt; exit 143\" TERM; ";
        BehaviourObservation seen = trial().run(shell(failsAtItsEnd + RUNS + "while :; do sleep 0.05; done"));
        assertThat(seen.end()).isEqualTo(BehaviourObservation.STOPPED);
        assertThat(seen.counts()).isEqualTo(Map.of("topology\tt", 1L, "emitted\ts\tdefault", 5L));
        assertThat(Files.readString(directory.resolve("probed.txt"))).contains("failed");
        assertThat(trial().isSaved()).isTrue();
        assertThat(trial().savedObservation()).isEqualTo(seen);
    }

    @Test
    void shouldWaitForWhatIsToBePrinted() throws IOException, InterruptedException {
        BehaviourObservation seen = trial("^late \\d").run(shell(RUNS + "sleep 0.5; echo late 1; exec sleep 60"));
        assertThat(seen.end()).isEqualTo(BehaviourObservation.STOPPED);
        assertThat(seen.found(Pattern.compile("^late \\d"))).containsExactly("late 1");
    }

    @Test
    void shouldNotTakeZeroTuplesForTheFirst() throws IOException, InterruptedException {
        String idle = "printf 'topology\\tt\\t1\\nemitted\\ts\\tdefault\\t0\\n' > probed.txt; sleep 0.5; ";
        BehaviourObservation seen = trial().run(shell(idle + RUNS + "exec sleep 60"));
        assertThat(seen.total("emitted")).isEqualTo(5);
    }

    @Test
    void shouldSayWhyWhatAProgramUsesCannotBeMadeReady() throws IOException, InterruptedException {
        trial().prepare(List.of());
        trial().prepare(List.of("true"));
        assertThatThrownBy(() -> trial().prepare(shell("echo no such server; exit 3")))
                .isInstanceOf(IOException.class)
                .hasMessage("'sh -c echo no such server; exit 3' ended with status 3: no such server");
    }

    @Test
    void shouldSayHowAProgramEndedByItself() throws IOException, InterruptedException {
        BehaviourObservation seen = trial("never").run(shell("echo 'Error: none'; exit 3"));
        assertThat(seen.end()).isEqualTo("ended with status 3");
        assertThat(seen.ran()).isFalse();
        assertThat(seen.complaint()).isEqualTo("Error: none");
    }
}
