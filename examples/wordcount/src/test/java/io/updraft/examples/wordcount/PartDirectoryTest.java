package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void shouldAddUpTheParts() throws IOException {
        PartDirectory parts = PartDirectory.createBeside(directory.resolve("counts.txt"));
        PartFile.start(parts.directory(), 1).writeAll(Map.of("a", new long[] {2}, "b", new long[] {1}));
        assertThat(parts.complete()).isEqualTo(1);
        PartFile.start(parts.directory(), 2).writePartial(Map.of("c", new long[] {5}));
        assertThat(parts.complete()).isEqualTo(1);
        assertThat(parts.written()).isEqualTo(2);
        assertThat(parts.anyLost()).isFalse();
        assertThat(parts.counts()).isEqualTo(Map.of("a", 2L, "b", 1L, "c", 5L));
    }

    @Test
    void shouldNeverCallThePartOfARestartedCounterComplete() throws IOException {
        PartDirectory parts = PartDirectory.createBeside(directory.resolve("counts.txt"));
        PartFile.start(parts.directory(), 1);
        PartFile restarted = PartFile.start(parts.directory(), 1);
        assertThat(parts.anyLost()).isTrue();
        restarted.writeAll(Map.of());
        assertThat(parts.complete()).isZero();
    }

    @Test
    void shouldLeaveNothingBehind() throws IOException {
        PartDirectory parts = PartDirectory.createBeside(directory.resolve("counts.txt"));
        PartFile.start(parts.directory(), 1).writeAll(Map.of());
        parts.delete();
        assertThat(Files.exists(parts.directory())).isFalse();
    }
}
