package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Idle;
import io.updraft.cli.programs.MissingComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever the user gets wrong costs one line that says what, where and what to do; never a stack trace. */
class BadInputTest {
    @TempDir
    Path directory;

    @Test
    void shouldRefuseAJarThatDoesNotExist() throws Exception {
        refused("nosuch.jar: no such file", "run", "nosuch.jar", "com.acme.Main");
    }

    @Test
    void shouldRefuseAFileThatIsNotAJar() throws Exception {
        Files.writeString(directory.resolve("text.jar"), "text");
        refused("text.jar: is not a jar", "run", "text.jar", "com.acme.Main");
    }

    @Test
    void shouldRefuseAClassThatIsNotThere() throws Exception {
        refused("there is no class com.acme.Main", "run", programs(), "com.acme.Main");
    }

    @Test
    void shouldRefuseAClassWithoutMain() throws Exception {
        refused(
                "io.updraft.cli.programs.Programs$Sink has no 'public static void main(String[])'",
                "run",
                programs(),
                "io.updraft.cli.programs.Programs$Sink");
    }

    @Test
    void shouldRefuseATopologyWithAMissingComponent() throws Exception {
        refused("nmbers", "run", programs(), MissingComponent.class.getName());
    }

    @Test
    void shouldRefuseAProgramThatSubmitsNothing() throws Exception {
        refused("without submitting a topology", "run", programs(), Idle.class.getName());
    }

    @Test
    void shouldRefuseASettingThatIsNone() throws Exception {
        refused(
                "-c topology.debug: expected key=value",
                "run",
                "-c",
                "topology.debug",
                programs(),
                Idle.class.getName());
    }

    @Test
    void shouldNameTheLineOfBadYaml() throws Exception {
        Files.writeString(directory.resolve("bad.yaml"), "a: 1\nb: [\n");
        refused("bad.yaml:", "run", "--config", "bad.yaml", programs(), Idle.class.getName());
    }

    @Test
    void shouldNameEveryMistakeInTheDescriptionOfATopology() throws Exception {
        Files.writeString(directory.resolve("it.yaml"), "nam: it\nspouts:\n  - {id: words, className: acme.Words}\n");
        Updraft updraft = Updraft.run(directory, "run", programs(), "it.yaml");
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .containsExactly(
                        "it.yaml:1: a topology has no 'nam'; did you mean 'name'?",
                        "it.yaml:1: a topology needs 'name'");
    }

    @Test
    void shouldRefuseADurationThatIsNone() throws Exception {
        refused("'3x' is not a duration", "run", "--for", "3x", programs(), Idle.class.getName());
    }

    @Test
    void shouldRefuseACommandThatDoesNotExist() throws Exception {
        refused("there is no command 'rum', did you mean 'run'?", "rum");
    }

    @Test
    void shouldSayThatADirectoryIsNotBuilt() throws Exception {
        Files.createDirectory(directory.resolve("project"));
        refused("project: there is no jar in", "run", "project");
    }

    @Test
    void shouldPrintTheStackTraceWhenAskedFor() throws Exception {
        Updraft updraft = Updraft.run(directory, "run", "--stacktrace", "nosuch.jar", "com.acme.Main");
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("\tat io.updraft"));
    }

    private String programs() throws Exception {
        return Updraft.jarOf(Idle.class, directory).toString();
    }

    private void refused(String what, String... args) throws Exception {
        Updraft updraft = Updraft.run(directory, args);
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .singleElement()
                .asString()
                .startsWith("updraft")
                .contains(what);
    }
}
