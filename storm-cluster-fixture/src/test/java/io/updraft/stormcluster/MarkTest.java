package io.updraft.stormcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Finds and kills the processes of a cluster. */
final class MarkTest {

    @TempDir
    private Path home;

    @Test
    void shouldKillAMarkedProcessAndItsChildrenAndNobodyElse() throws Exception {
        Process marked = sleeper(home);
        Process other = sleeper(home.resolveSibling("another"));
        try {
            new Mark(home).killAll();
            assertThat(new Mark(home).processes()).isEmpty();
            assertThat(marked.waitFor()).isNotZero();
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.descendants().forEach(ProcessHandle::destroyForcibly);
            other.destroyForcibly();
        }
    }

    @Test
    void shouldReapWhenThePipeToTheTestBreaks() throws Exception {
        Path cluster = Files.createDirectories(home.resolve("cluster/logs")).getParent();
        Process marked = sleeper(cluster);
        Process reaper = new ProcessBuilder(List.of(
                        Path.of(Jvm.javaHome(), "bin", "java").toString(),
                        "-cp",
                        Jars.of(Reaper.class).toString(),
                        Reaper.class.getName(),
                        cluster.toString(),
                        "false"))
                .inheritIO()
                .redirectInput(ProcessBuilder.Redirect.PIPE)
                .start();
        assertThat(marked.isAlive()).isTrue();
        reaper.getOutputStream().close();
        assertThat(reaper.waitFor()).isZero();
        assertThat(marked.waitFor()).isNotZero();
        assertThat(cluster).doesNotExist();
    }

    /** A shell with a child, which both last longer than any test. */
    private static Process sleeper(Path mark) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", "sleep 1000; true");
        builder.environment().put(Mark.VARIABLE, mark.toString());
        return builder.start();
    }
}
