package io.updraft.observe.inspection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HeapDumperTest {
    @TempDir
    private Path directory;

    @Test
    void shouldWriteOneDumpAtATime() throws Exception {
        Path file = directory.resolve("a.hprof");
        HeapDumper.FREE.acquire();
        try {
            assertThatThrownBy(() -> HeapDumper.dump(file))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("written already");
        } finally {
            HeapDumper.FREE.release();
        }
        assertThat(HeapDumper.dump(file)).containsEntry("bytes", Files.size(file));
        assertThatThrownBy(() -> HeapDumper.dump(file)).hasMessageContaining("exists already");
        assertThat(HeapDumper.dump(directory.resolve("b.hprof"))).containsKey("millis");
    }
}
