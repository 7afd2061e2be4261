package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.local.ExitReason.LeftFiles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ExitReasonTest {
    private static final LeftFiles NONE = new LeftFiles(null, "", null);
    private static final Path HEAP = Path.of("/heap");

    @Test
    void shouldNameASignal() {
        assertThat(ExitReason.of(143, NONE)).isEqualTo("was killed by signal 15 (SIGTERM, exit code 143)");
        assertThat(ExitReason.of(128 + 31, NONE)).startsWith("was killed by signal 31 (see kill -l");
        assertThat(ExitReason.brief(139)).isEqualTo("killed by SIGSEGV");
    }

    @Test
    void shouldSayThatTheKernelKillsForWantOfMemory() {
        assertThat(ExitReason.of(137, NONE))
                .isEqualTo("was killed by signal 9 (SIGKILL, exit code 137),"
                        + " by a user or by the kernel because memory ran out (see 'dmesg')");
    }

    @Test
    void shouldNameAnExitCode() {
        assertThat(ExitReason.of(3, NONE)).isEqualTo("exited with code 3");
        assertThat(ExitReason.brief(3)).isEqualTo("exit code 3");
    }

    @Test
    void shouldNotTakeAnExitCodeForASignalThatThereIsNot() {
        assertThat(ExitReason.of(255, NONE)).isEqualTo("exited with code 255");
        assertThat(ExitReason.brief(128 + 65)).isEqualTo("exit code 193");
        assertThat(ExitReason.isUsers(255)).isTrue();
        assertThat(ExitReason.brief(128 + 64)).startsWith("killed by");
    }

    @Test
    void shouldNameTheHeapThatWasLeft() {
        assertThat(ExitReason.of(WorkerExitCode.OUT_OF_MEMORY, NONE)).isEqualTo("ran out of memory (no heap dump)");
        assertThat(ExitReason.of(WorkerExitCode.OUT_OF_MEMORY, new LeftFiles(HEAP, "", null)))
                .isEqualTo("ran out of memory (heap dump: /heap)");
        assertThat(ExitReason.of(3, new LeftFiles(HEAP, "", null)))
                .isEqualTo("exited with code 3; it had run out of memory before (heap dump: /heap)");
    }

    @Test
    void shouldSayWhyThereIsNoHeapDumpOrOnlyAPartOfIt() {
        assertThat(ExitReason.of(
                        WorkerExitCode.OUT_OF_MEMORY,
                        new LeftFiles(HEAP, "Dump file is incomplete: No space left on device", null)))
                .isEqualTo(
                        "ran out of memory" + " (heap dump: /heap; Dump file is incomplete: No space left on device)");
        assertThat(ExitReason.of(
                        WorkerExitCode.OUT_OF_MEMORY,
                        new LeftFiles(null, "Unable to create /heap: Permission denied", null)))
                .isEqualTo("ran out of memory (no heap dump; Unable to create /heap: Permission denied)");
    }

    @Test
    void shouldNameTheReportOfACrash() {
        assertThat(ExitReason.of(134, new LeftFiles(null, "", Path.of("/hs_err_pid7.log"))))
                .isEqualTo(
                        "was killed by signal 6 (SIGABRT, exit code 134), the JVM crashed (report: /hs_err_pid7.log)");
    }
}
