package io.updraft.cluster.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cluster.worker.WorkerEngine.RefusedTupleErrors;
import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.LatencySummary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusedTupleErrorsTest {

    @Test
    void shouldCountAllAndKeepTheNewest() {
        List<ErrorReport> reported = new ArrayList<>();
        RefusedTupleErrors refusals = new RefusedTupleErrors(reported::add);
        for (int i = 0; i < 100; i++) {
            refusals.accept(new ErrorReport(i, "source", 1, "transfer to task 2", new Exception(), "the tuple failed"));
        }
        EngineSnapshot snapshot = refusals.addTo(new EngineSnapshot(
                1,
                true,
                List.of(component("source", 3), component("sink", 4)),
                List.of(),
                new long[0],
                0,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of()));
        assertThat(snapshot.components()).extracting(ComponentSnapshot::errors).containsExactly(103L, 4L);
        assertThat(snapshot.recentErrors()).hasSize(16).last().isSameAs(reported.get(99));
        assertThat(reported).hasSize(100);
    }

    private static ComponentSnapshot component(String id, long errors) {
        return new ComponentSnapshot(
                id,
                false,
                1,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                errors,
                0,
                0,
                0,
                false,
                false,
                LatencySummary.EMPTY,
                LatencySummary.EMPTY,
                List.of());
    }
}
