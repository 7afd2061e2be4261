package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Circular;
import io.updraft.cli.programs.Idle;
import io.updraft.cli.programs.MissingComponent;
import io.updraft.cli.programs.Unready;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each user error gives one line that says what is wrong, where, and what to do; never a stack trace. */
@Tag("one-jdk")
class BadInputTest {
    @TempDir
    Path directory;

    @Test
    void shouldRefuseAJarThatDoesNotExist() throws Exception {
        refused("nosuch.jar: no such file", "run", file("nosuch.jar"), "com.acme.Main");
    }

    @Test
    void shouldRefuseAFileThatIsNotAJar() throws Exception {
        Files.writeString(directory.resolve("text.jar"), "text");
        refused("text.jar: is not a jar", "run", file("text.jar"), "com.acme.Main");
    }

    @Test
    void shouldRefuseAClassThatIsNotThere() throws Exception {
        refused("there is no class com.acme.Main", "run", programs(), "com.acme.Main");
    }

    @Test
    void shouldRefuseAClassWithoutMain() throws Exception {
        refused(
                "io.updraft.cli.programs.CliPrograms$Sink has no 'public static void main(String[])'",
                "run",
                programs(),
                "io.updraft.cli.programs.CliPrograms$Sink");
    }

    @Test
    void shouldRefuseATopologyWithAMissingComponent() throws Exception {
        refusedByAProcess("nmbers", "run", programs(), MissingComponent.class.getName());
    }

    @Test
    void shouldRefuseAProgramThatSubmitsNothing() throws Exception {
        refusedByAProcess("without submitting a topology", "run", programs(), Idle.class.getName());
    }

    @Test
    void shouldSayWhyAClassCannotBeInitialized() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.run(directory, "run", programs(), Unready.class.getName());
        assertThat(updraft.exitCode()).isEqualTo(1);
        assertThat(updraft.err())
                .singleElement()
                .asString()
                .contains("a static initializer of " + Unready.class.getName())
                .contains("NumberFormatException: For input string: \"no number\"");
    }

    @Test
    void shouldRefuseAConfigurationThatContainsItself() throws Exception {
        Files.writeString(directory.resolve("self.yaml"), "a: &a\n  b: [1, *a]\n");
        refused("self.yaml: 'a.b[1]' contains itself", "run", "--config", file("self.yaml"), programs(), "Any");
        refusedByAProcess("a configuration that contains itself", "run", programs(), Circular.class.getName());
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
        refused("bad.yaml:", "run", "--config", file("bad.yaml"), programs(), Idle.class.getName());
    }

    @Test
    void shouldNameEveryMistakeInTheDescriptionOfATopology() throws Exception {
        Files.writeString(directory.resolve("it.yaml"), "nam: it\nspouts:\n  - {id: words, className: acme.Words}\n");
        InProcessCommand updraft = InProcessCommand.run("run", programs(), file("it.yaml"));
        assertThat(updraft.exitCode()).isEqualTo(2);
        assertThat(updraft.err())
                .containsExactly(
                        file("it.yaml") + ":1: a topology has no 'nam'; did you mean 'name'?",
                        file("it.yaml") + ":1: a topology needs 'name'");
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
        refused("project: there is no jar in", "run", file("project"));
    }

    @Test
    void shouldPrintTheStackTraceWhenAskedFor() throws Exception {
        InProcessCommand updraft = InProcessCommand.run("run", "--stacktrace", "nosuch.jar", "com.acme.Main");
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("\tat io.updraft"));
    }

    private String programs() throws Exception {
        return UpdraftProcess.jarOf(Idle.class, directory).toString();
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private static void refused(String what, String... args) {
        InProcessCommand updraft = InProcessCommand.run(args);
        refused(what, updraft.exitCode(), updraft.err());
    }

    /** As users see it. */
    private void refusedByAProcess(String what, String... args) throws Exception {
        UpdraftProcess updraft = UpdraftProcess.run(directory, args);
        refused(what, updraft.exitCode(), updraft.err());
    }

    private static void refused(String what, int exitCode, List<String> err) {
        assertThat(exitCode).isEqualTo(2);
        assertThat(err).singleElement().asString().startsWith("updraft").contains(what);
    }
}
