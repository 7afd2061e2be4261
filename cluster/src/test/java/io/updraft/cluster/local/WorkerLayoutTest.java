package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.storm.TopologyChange;
import io.updraft.storm.program.ProgramFiles;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

class WorkerLayoutTest {
    private static final EngineOptions OPTIONS =
            new EngineOptions("numbers", "numbers-1", null, EngineClock.SYSTEM, 1, error -> {}, death -> {});
    private static final WorkerSettings SETTINGS =
            new WorkerSettings(ProgramFiles.NONE, List.of(), Path.of("dumps"), new RecordedLines());

    /** Tasks: middle 1 to 4 in two executors, sink 5 and 6, source 7. */
    private final WorkerLayout layout = layout(Map.of(Config.TOPOLOGY_WORKERS, 2));

    @Test
    void shouldChangeExecutorsAndLeaveTasksAsTheyAre() {
        WorkerLayout more = with(Map.of("middle", 3, "sink", 1), OptionalInt.empty());
        assertThat(more.workers()).isEqualTo(2);
        assertThat(more.plan().component("middle").executors()).hasSize(3);
        assertThat(more.plan().component("sink").executors()).hasSize(1);
        for (String component : List.of("middle", "sink", "source")) {
            assertThat(more.plan().component(component).taskIds())
                    .as(component)
                    .isEqualTo(layout.plan().component(component).taskIds());
        }
        assertThat(more.isSameAs(layout)).isFalse();
        WorkerLayout back = more.with(TopologyChange.ofExecutors(Map.of("middle", 2, "sink", 2)), OPTIONS, SETTINGS);
        assertThat(back.isSameAs(layout)).isTrue();
    }

    @Test
    void shouldGiveAComponentNoMoreExecutorsThanTasks() {
        assertThat(with(Map.of("middle", 9), OptionalInt.empty())
                        .plan()
                        .component("middle")
                        .executors())
                .hasSize(4);
    }

    @Test
    void shouldHaveAsManyWorkersAsWereAskedForAsSoonAsThereAreExecutors() {
        WorkerLayout few = with(Map.of("middle", 1, "sink", 1), OptionalInt.of(5));
        assertThat(few.workers()).isEqualTo(3);
        assertThat(few.commands()).hasSize(3);
        WorkerLayout more = few.with(TopologyChange.ofExecutors(Map.of("middle", 4)), OPTIONS, SETTINGS);
        assertThat(more.workers()).isEqualTo(5);
    }

    @Test
    void shouldShareTheCoresAnew() {
        int cores = Runtime.getRuntime().availableProcessors();
        assertThat(with(Map.of(), OptionalInt.of(1)).plan().loops()).isEqualTo(cores);
        WorkerLayout reported = layout(Map.of(Config.TOPOLOGY_WORKERS, 2, EngineSettings.LOOPS, 7));
        assertThat(reported.with(new TopologyChange(Map.of(), OptionalInt.of(1), Map.of()), OPTIONS, SETTINGS)
                        .plan()
                        .loops())
                .isEqualTo(7);
    }

    @Test
    void shouldPutSettingsOverThoseThatItHad() {
        Map<String, Object> conf = new HashMap<>();
        conf.put("acme.colour", null);
        conf.put("acme.size", 3);
        WorkerLayout changed = layout.with(new TopologyChange(Map.of(), OptionalInt.empty(), conf), OPTIONS, SETTINGS);
        assertThat(changed.isSameAs(layout)).isFalse();
        assertThat(changed.plan().conf()).containsEntry("acme.colour", null).containsEntry("acme.size", 3);
        assertThat(changed.plan().component("middle").conf()).containsEntry("acme.size", 3);
    }

    @Test
    void shouldRefuseWhatCannotRun() {
        assertThatThrownBy(() -> with(Map.of("mddle", 1), OptionalInt.empty()))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("there is no component 'mddle' in topology 'numbers'");
        assertThatThrownBy(() -> with(Map.of("middle", 0), OptionalInt.empty()))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("component 'middle' cannot have 0 executors: give it at least 1");
        assertThatThrownBy(() -> with(Map.of(), OptionalInt.of(257)))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("topology.workers is 257: it must be at most 256 on one host");
        Map<String, Object> bad = Map.of(Config.TOPOLOGY_MAX_SPOUT_PENDING, -1);
        assertThatThrownBy(() -> layout.with(new TopologyChange(Map.of(), OptionalInt.empty(), bad), OPTIONS, SETTINGS))
                .isInstanceOf(InvalidTopology.class)
                .hasMessageContaining(Config.TOPOLOGY_MAX_SPOUT_PENDING);
    }

    private WorkerLayout with(Map<String, Integer> executors, OptionalInt workers) {
        return layout.with(new TopologyChange(executors, workers, Map.of()), OPTIONS, SETTINGS);
    }

    private static WorkerLayout layout(Map<String, Object> conf) {
        return WorkerLayout.of(
                new ValueRecords(Path.of("ledger")).topology().createTopology(), conf, OPTIONS, SETTINGS);
    }
}
