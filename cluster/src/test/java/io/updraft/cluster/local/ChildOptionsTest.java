package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.cluster.local.WorkerCommand.ChildOptions;
import io.updraft.storm.program.ProgramFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class ChildOptionsTest {
    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());

    @Test
    void shouldLeaveOutStormsOwnDefault() {
        assertThat(ChildOptions.of(conf, Map.of())).isEmpty();
    }

    @Test
    void shouldPutThemInStormsOrder() {
        conf.put(Config.WORKER_CHILDOPTS, "-Xmx1g  -Da=1");
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, "-Xmx2g");
        conf.put(Config.WORKER_GC_CHILDOPTS, "-XX:+UseG1GC");
        assertThat(ChildOptions.of(conf, Map.of())).containsExactly("-Xmx1g", "-Da=1", "-Xmx2g", "-XX:+UseG1GC");
    }

    @Test
    void shouldTakeTheTopologysCollectorInPlaceOfTheClusters() {
        conf.put(Config.WORKER_GC_CHILDOPTS, "-XX:+UseG1GC");
        conf.put(Config.TOPOLOGY_WORKER_GC_CHILDOPTS, "-XX:+UseZGC");
        assertThat(ChildOptions.of(conf, Map.of())).containsExactly("-XX:+UseZGC");
    }

    @Test
    void shouldTakeTheItemsOfAListAsTheyAre() {
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, List.of("-Dgreeting=hello world", "-Dquote=\"x y\""));
        assertThat(ChildOptions.of(conf, Map.of())).containsExactly("-Dgreeting=hello world", "-Dquote=\"x y\"");
    }

    @Test
    void shouldSplitAStringWithoutRegardToQuotesAsStormDoes() {
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, "-Dquote=\"x y\"");
        assertThat(ChildOptions.of(conf, Map.of())).containsExactly("-Dquote=\"x", "y\"");
    }

    @Test
    void shouldRefuseWhatIsNeitherStringNorList() {
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, 7);
        assertThatThrownBy(() -> ChildOptions.of(conf, Map.of()))
                .hasMessage("topology.worker.childopts is '7': it must be a string or a list of strings");
    }

    @Test
    void shouldReplaceStormsNamesOnTheCommandLine() {
        conf.put(
                Config.TOPOLOGY_WORKER_CHILDOPTS,
                "-Dw=%WORKER-ID% -Dt=%TOPOLOGY-ID% -Dp=%WORKER-PORT%,%ID% -Xmx%HEAP-MEM%m");
        assertThat(command().words())
                .containsSequence("-Dw=words-1-worker-2", "-Dt=words-1", "-Dp=6702,6702", "-Xmx768m");
    }

    @Test
    void shouldNotNameASecondCollector() {
        assertThat(command().words()).contains("-XX:+UseParallelGC");
        conf.put(Config.TOPOLOGY_WORKER_GC_CHILDOPTS, "-XX:+UseG1GC");
        assertThat(command().words()).contains("-XX:+UseG1GC").doesNotContain("-XX:+UseParallelGC");
    }

    @Test
    void shouldKnowWhereTheUserWantsHeapDumps() {
        assertThat(command().heapDumps()).isEqualTo(Path.of("dumps"));
        conf.put(Config.TOPOLOGY_WORKER_CHILDOPTS, "-XX:HeapDumpPath=elsewhere");
        assertThat(command().heapDumps()).isEqualTo(Path.of("elsewhere"));
    }

    @Test
    void shouldPutWhatATopologyAddsToTheClassPathUnlessItsProgramHasALoader() {
        conf.put(Config.TOPOLOGY_CLASSPATH, "more/*");
        assertThat(classPath(command())).endsWith(":more/*");
        ProgramFiles jar = new ProgramFiles(Optional.of(Path.of("my.jar")), List.of(Path.of("more/a.jar")));
        assertThat(classPath(command(jar))).doesNotContain("more/");
    }

    private static String classPath(WorkerCommand command) {
        return command.words().get(command.words().indexOf("-cp") + 1);
    }

    private WorkerCommand command() {
        return command(ProgramFiles.NONE);
    }

    private WorkerCommand command(ProgramFiles program) {
        WorkerSettings settings = new WorkerSettings(program, List.of(), Path.of("dumps"), null);
        return WorkerCommand.of(settings, conf, "words-1", 2, 3);
    }
}
