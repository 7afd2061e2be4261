package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputFilesTest {
    @TempDir
    Path directory;

    @Test
    void shouldReadTheShippedTextWhenNothingIsNamed() throws IOException {
        assertThat(InputFiles.resolve(List.of(), Path.of("out"))).containsExactly(InputFiles.SHIPPED);
        try (LineSource lines = InputFiles.open(List.of(InputFiles.SHIPPED))) {
            assertThat(lines.poll()).startsWith("Produced by");
        }
    }

    @Test
    void shouldFindTheFilesBelowADirectoryInOrderButNotItsOwnResult() throws IOException {
        Path deep = Files.createDirectories(directory.resolve("b/c"));
        Path second = Files.writeString(deep.resolve("second.txt"), "2");
        Path first = Files.writeString(directory.resolve("a.txt"), "1");
        Path own = Files.writeString(directory.resolve("counts.txt"), "own");
        assertThat(InputFiles.resolve(List.of(directory.toString()), own))
                .containsExactly(first.toString(), second.toString());
    }

    @Test
    void shouldRefuseWhatDoesNotExist() {
        assertThatThrownBy(() -> InputFiles.resolve(List.of("/no/such"), Path.of("out")))
                .hasMessage("no such file or directory: /no/such");
    }

    @Test
    void shouldReadStandardInputOnlyAlone() {
        assertThatThrownBy(() -> InputFiles.resolve(List.of("-", "a"), Path.of("out")))
                .hasMessageContaining("only input");
    }

    @Test
    void shouldGiveEachInputToOneReader() {
        List<String> inputs = List.of("a", "b", "c", "d", "e");
        assertThat(InputFiles.share(inputs, 0, 2)).containsExactly("a", "c", "e");
        assertThat(InputFiles.share(inputs, 1, 2)).containsExactly("b", "d");
        assertThat(InputFiles.share(inputs, 6, 7)).isEmpty();
    }
}
