package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExitReasonTest {

    @Test
    void shouldNameASignal() {
        assertThat(ExitReason.of(137, null))
                .startsWith("was killed by signal 9 (SIGKILL")
                .endsWith("exit code 137)");
        assertThat(ExitReason.of(143, null)).startsWith("was killed by signal 15 (SIGTERM");
        assertThat(ExitReason.of(128 + 31, null)).startsWith("was killed by signal 31 (see kill -l");
    }

    @Test
    void shouldNameAnExitCode() {
        assertThat(ExitReason.of(3, null)).isEqualTo("exited with code 3");
    }

    @Test
    void shouldNameTheHeapThatWasLeft() {
        assertThat(ExitReason.of(WorkerExit.OUT_OF_MEMORY, null)).isEqualTo("ran out of memory (no heap dump)");
        assertThat(ExitReason.of(WorkerExit.OUT_OF_MEMORY, Path.of("/heap")))
                .isEqualTo("ran out of memory (heap dump: /heap)");
        assertThat(ExitReason.of(3, Path.of("/heap")))
                .isEqualTo("exited with code 3; it had run out of memory before (heap dump: /heap)");
    }
}
