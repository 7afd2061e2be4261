package io.updraft.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.death.DeathDirectory;
import io.updraft.observe.death.DeathRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DeathAnswersTest {
    private static final long STARTED = 1_000_000_000_000L;

    @TempDir
    private Path state;

    private DeathAnswers answers;

    @BeforeEach
    void open() {
        answers = new DeathAnswers(state, ProcessHandle.current().pid(), STARTED);
    }

    private Path death(long pid, String run, long secondsAfterStart) throws IOException {
        Path file = new DeathRecord("worker-0", pid, STARTED, "worker 0 (pid " + pid + ") ended", null, null)
                .writeTo(DeathDirectory.in(state));
        if (run != null) {
            Files.writeString(file, Files.readString(file).replaceFirst("run: \\d+", "run: " + run));
        }
        Files.setLastModifiedTime(file, FileTime.fromMillis(STARTED + 1_000 * secondsAfterStart));
        return file;
    }

    private List<?> listed() throws IOException {
        return (List<?>) Json.readObject(Json.write(answers.list())).get("deaths");
    }

    @Test
    void shouldListTheDeathsOfThisRunFirstAndTheNewestFirst() throws Exception {
        death(11, null, 10);
        death(12, "999999999", 40);
        death(13, null, 30);
        death(14, null, -5);
        death(15, "none", 20);
        assertThat(listed())
                .extracting(death -> ((Map<?, ?>) death).get("pid").toString())
                .containsExactly("13", "11", "12", "15", "14");
        assertThat(listed())
                .extracting(death -> ((Map<?, ?>) death).get("ofThisRun").toString())
                .containsExactly("true", "true", "false", "false", "false");
    }

    @Test
    void shouldGiveTheTextOfAFileThatTheListNames() throws Exception {
        Path file = death(11, null, 10);
        assertThat(answers.text(JsonObject.of("file", file.toString())).get("text"))
                .asString()
                .startsWith("worker 0 (pid 11) ended\nrun: ");
    }

    @Test
    void shouldGiveTheEndOfALongFile() throws Exception {
        Path file = death(11, null, 10);
        Files.writeString(file, "x".repeat(DeathAnswers.MOST_BYTES) + "the end");
        JsonObject answer = answers.text(JsonObject.of("file", file.toString()));
        assertThat(answer.get("omittedBytes")).isEqualTo(7L);
        assertThat(answer.get("text"))
                .asString()
                .hasSize(DeathAnswers.MOST_BYTES)
                .endsWith("xthe end");
    }

    @Test
    void shouldGiveNoOtherFile() throws Exception {
        Path file = death(11, null, 10);
        Path other = Files.writeString(file.resolveSibling("secret.txt"), "secret");
        for (String name : List.of(
                "/etc/passwd",
                other.toString(),
                file.getParent() + "/../deaths/" + file.getFileName(),
                file.getFileName().toString(),
                "")) {
            assertThatThrownBy(() -> answers.text(JsonObject.of("file", name)))
                    .as(name)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        Files.delete(file);
        assertThatThrownBy(() -> answers.text(JsonObject.of("file", file.toString())))
                .hasMessageContaining("no death has the file");
    }
}
