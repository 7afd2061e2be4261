package io.updraft.cluster.supervised;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.cluster.supervised.ClusterConnection.WorkerArguments;
import io.updraft.cluster.supervised.Schedule.SupervisorSlot;
import org.junit.jupiter.api.Test;

class WorkerArgumentsTest {

    @Test
    void shouldReadWhatASupervisorSays() {
        WorkerArguments arguments = WorkerArguments.parse(new String[] {"wc-1-2", "node", "6628", "6700", "id"});
        assertThat(arguments).isEqualTo(new WorkerArguments("wc-1-2", "node", 6628, 6700, "id"));
        assertThat(arguments.slot()).isEqualTo(new SupervisorSlot("node", 6700));
    }

    @Test
    void shouldRefuseWhatNoSupervisorSays() {
        assertThatThrownBy(() -> WorkerArguments.parse(new String[] {"wc"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a Storm Supervisor starts this worker, with 5 arguments")
                .hasMessageEndingWith("there are 1");
        assertThatThrownBy(() -> WorkerArguments.parse(new String[] {"wc", "node", "x", "6700", "id"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("a port is not a number");
    }
}
