package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.RunDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bash completes words with the script of {@code updraft generate-completion}. */
class CompletionTest {
    @TempDir
    Path directory;

    private Path script;

    @BeforeEach
    void generate() throws Exception {
        assumeThat(Path.of("/bin/bash")).exists();
        InProcessCommand generated = InProcessCommand.run("generate-completion");
        assertThat(generated.exitCode()).isZero();
        script = Files.write(directory.resolve("completion"), generated.out());
    }

    @Test
    void shouldCompleteFixedWords() throws Exception {
        assertThat(complete("run", "--view", "p")).containsExactly("plain");
        assertThat(complete("aggregate", "--view", "")).containsExactlyInAnyOrder("auto", "live", "plain", "none");
        assertThat(complete("run", "--transport", "z")).containsExactly("zeromq");
        assertThat(complete("profile", "--event", "a")).containsExactly("alloc");
        assertThat(complete("log-level", "com.acme", "de")).containsExactlyInAnyOrder("debug", "default");
    }

    @Test
    void shouldCompleteNamesOfWhatRuns() throws Exception {
        run(ProcessHandle.current().pid(), List.of("shop", "words#2"), List.of("count", "split"));
        run(endedProcess(), List.of("sheep"), List.of("copy"));
        assertThat(complete("kill", "s")).containsExactly("shop");
        assertThat(complete("top", "--run", "")).containsExactly("shop", "words#2");
        assertThat(complete("stack", "c")).containsExactly("count");
        assertThat(complete("history", "")).containsExactly("count", "split");
    }

    @Test
    void shouldNotExpandNames() throws Exception {
        Path touched = directory.resolve("touched");
        run(ProcessHandle.current().pid(), List.of("$(touch " + touched + ")", "`id`", "a b", "shop"), List.of());
        assertThat(complete("kill", "")).containsExactly("shop");
        assertThat(touched).doesNotExist();
    }

    @Test
    void shouldCompleteNothingWhenNothingRuns() throws Exception {
        assertThat(complete("kill", "")).isEmpty();
    }

    private void run(long pid, List<String> names, List<String> components) throws Exception {
        RunDirectory.create(
                        directory.resolve("updraft"),
                        new RunDescription(
                                pid, 0, 1, "run", "com.acme.Main", directory, directory.resolve("log"), null))
                .writeNames(names, components);
    }

    private static long endedProcess() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    private List<String> complete(String... words) throws Exception {
        String line = ". '" + script + "'; COMP_WORDS=(updraft '" + String.join("' '", words) + "'); COMP_CWORD="
                + words.length + "; _complete_updraft; printf '%s\n' \"${COMPREPLY[@]}\"";
        ProcessBuilder bash = new ProcessBuilder("/bin/bash", "-c", line);
        bash.redirectError(ProcessBuilder.Redirect.DISCARD); // compopt complains outside of a completion
        bash.environment().put("XDG_STATE_HOME", directory.toString());
        Process process = bash.start();
        List<String> lines =
                new String(process.getInputStream().readAllBytes()).lines().toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return lines.stream().filter(each -> !each.isEmpty()).toList();
    }
}
