package io.updraft.bench.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProgramListTest {
    private static final Path FILES = Path.of("/data");

    @TempDir
    private Path directory;

    private Path list(String content) throws IOException {
        return Files.writeString(directory.resolve("list.yaml"), content);
    }

    private List<ComparedProgram> read(String content) throws IOException {
        return ProgramList.read(list(content), FILES);
    }

    private void shouldRefuse(String content, String complaint) throws IOException {
        Path list = list(content);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramList.read(list, FILES))
                .withMessage(list + complaint);
    }

    @Test
    void shouldTakeTheClassForTheName() throws IOException {
        ComparedProgram program = read("- main: org.example.Words").get(0);
        assertThat(program)
                .isEqualTo(new ComparedProgram(
                        "Words",
                        "org.example.Words",
                        List.of(),
                        Map.of(),
                        List.of(),
                        List.of(),
                        "",
                        0,
                        false,
                        List.of(),
                        false,
                        ""));
    }

    @Test
    void shouldReadAllThatAnEntryCanSay() throws IOException {
        ComparedProgram program = read("""
                - name: words
                  main: org.example.Words
                  args: [10, '${files}/words.txt']
                  conf: {input: '"${files}/words.txt"', n: 3}
                  same: ['^a']
                  both: b+
                  without: Kafka
                  seconds: 40
                  alone: true
                  before: [cp, '${files}/words.txt', .]
                  overload: true
                  note: slow
                """).get(0);
        assertThat(program.name()).isEqualTo("words");
        assertThat(program.args()).containsExactly("10", "/data/words.txt");
        assertThat(program.conf()).containsExactly(Map.entry("input", "\"/data/words.txt\""), Map.entry("n", "3"));
        assertThat(program.awaited()).extracting(Pattern::pattern).containsExactly("^a", "b+");
        assertThat(program.without()).isEqualTo("Kafka");
        assertThat(program.seconds()).isEqualTo(40);
        assertThat(program.alone()).isTrue();
        assertThat(program.before()).containsExactly("cp", "/data/words.txt", ".");
        assertThat(program.overload()).isTrue();
        assertThat(program.note()).isEqualTo("slow");
    }

    @Test
    void shouldNameTheKeysThatThereAre() throws IOException {
        shouldRefuse(
                "- main: a.B\n- main: a.C\n  secunds: 3",
                ":3: unknown key 'secunds'; the keys are name, main, args, conf, same, both, without, seconds, alone,"
                        + " before, overload, note");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "seconds: soon; 'seconds' must be a whole number above 0, not 'soon'",
                "seconds: 0; 'seconds' must be a whole number above 0, not '0'",
                "alone: 1; 'alone' must be true or false, not '1'",
                "conf: fast; 'conf' must be a map",
                "args: {a: b}; 'args' must be a list",
                "note: [a, b]; 'note' must be a text",
                "same: '(a'; 'same': Unclosed group near index 2"
            })
    void shouldSayInWhichLineAValueIsWrong(String line, String complaint) throws IOException {
        shouldRefuse("# some\n- main: a.B\n\n- main: a.C\n  " + line, ":5: " + complaint);
    }

    @Test
    void shouldRefuseAnEntryWithoutAClass() throws IOException {
        shouldRefuse("- main: a.B\n- name: c\n", ":2: expected a map with 'main: <class>' and optional keys");
        shouldRefuse("- a.B\n", ":1: expected a map with 'main: <class>' and optional keys");
    }

    @Test
    void shouldRefuseTwoProgramsOfOneName() throws IOException {
        shouldRefuse("- main: a.B\n- main: c.B\n", ":2: there is another program 'B'; set a different 'name'");
        assertThat(read("- main: a.B\n- main: c.B\n  name: C")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main: a.B", "", "just words"})
    void shouldRefuseWhatIsNoList(String content) throws IOException {
        shouldRefuse(content, ":1: expected a list of programs");
    }

    @Test
    void shouldSayInWhichLineTheYamlIsBroken() throws IOException {
        Path list = list("- main: a.B\n  args: [a\n- main: c.D\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramList.read(list, FILES))
                .withMessageStartingWith(list + ":3: ");
    }

    @Test
    void shouldSayWhichFileIsNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramList.read(directory.resolve("none.yaml"), FILES))
                .withMessageContaining("none.yaml: cannot be read: java.nio.file.NoSuchFileException");
    }

    @ParameterizedTest
    @ValueSource(strings = {"storm-starter", "storm-perf", "dspbench", "stormcrawler"})
    void shouldReadTheListsBehindTheDocumentation(String name) {
        assertThat(ProgramList.read(Path.of("compat", name + ".yaml"), FILES)).isNotEmpty();
    }
}
