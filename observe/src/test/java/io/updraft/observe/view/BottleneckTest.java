package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

class BottleneckTest {

    @Test
    void shouldNameTheJammedComponentThatIsNotHeldBackItself() {
        assertThat(Bottleneck.of(sample(Snapshots.jammed())))
                .get()
                .extracting(Bottleneck::componentId)
                .isEqualTo("count");
    }

    @Test
    void shouldNameABusyComponentWhereNothingJams() {
        EngineSnapshot now =
                Snapshots.snapshot(2 * Snapshots.SECOND, List.of(busy("lines", true, 950), busy("split", false, 100)));
        assertThat(Bottleneck.of(sample(now))).get().isEqualTo(new Bottleneck("lines", "lines: 95% busy in nextTuple"));
    }

    @Test
    void shouldNameNothingWhereEverythingHasTime() {
        assertThat(Bottleneck.of(sample(Snapshots.troubled()))).isEmpty();
    }

    @Test
    void shouldNameTheConsumerOfAFanOutThatIsBelowItsMarkInThisSample() {
        ComponentSnapshot src = Loaded.spout("lines").millis(1).throttled().build();
        ComponentSnapshot split =
                Loaded.bolt("split").millis(30).queued(292).backPressured().build();
        ComponentSnapshot sink = Loaded.bolt("count").millis(980).queued(150).build();
        assertThat(Bottleneck.of(of(src, split, sink)))
                .hasValue(new Bottleneck("count", "count: 98% busy, holds back lines, split, 150 queued"));
    }

    @Test
    void shouldNameWhatABoltWithALongQueueWaitsFor() {
        ComponentSnapshot split =
                Loaded.bolt("split").millis(30).queued(292).backPressured().build();
        ComponentSnapshot sink = Loaded.bolt("count").millis(600).queued(150).build();
        assertThat(Bottleneck.of(of(Loaded.spout("lines").build(), split, sink)))
                .get()
                .extracting(Bottleneck::componentId)
                .isEqualTo("count");
    }

    @Test
    void shouldNameABusyBoltBeforeItsConsumerWhoseQueueSwings() {
        ComponentSnapshot split =
                Loaded.bolt("split").millis(990).queued(64).backPressured().build();
        ComponentSnapshot sink =
                Loaded.bolt("count").millis(450).queued(300).backPressured().build();
        assertThat(Bottleneck.of(of(Loaded.spout("lines").build(), split, sink)))
                .get()
                .extracting(Bottleneck::componentId)
                .isEqualTo("split");
    }

    @Test
    void shouldNameTheBoltThatIsNotHeldBackAmongBusyOnes() {
        ComponentSnapshot split = Loaded.bolt("split")
                .millis(1000)
                .queued(64)
                .backPressured()
                .throttled()
                .build();
        ComponentSnapshot sink =
                Loaded.bolt("count").millis(960).queued(300).backPressured().build();
        assertThat(Bottleneck.of(of(Loaded.spout("lines").build(), split, sink)))
                .get()
                .extracting(Bottleneck::componentId)
                .isEqualTo("count");
    }

    @Test
    void shouldTellABusyExecutorFromTheAverage() {
        ComponentSnapshot sink = Loaded.bolt("count")
                .executors(990, 100, 90, 20)
                .queued(215)
                .backPressured()
                .build();
        assertThat(Bottleneck.of(of(
                        Loaded.spout("lines").throttled().build(),
                        Loaded.bolt("split").build(),
                        sink)))
                .hasValue(
                        new Bottleneck("count", "count: one executor 99% busy, all 30%, holds back lines, 215 queued"));
    }

    @Test
    void shouldTellCallsThatWaitFromCallsThatCompute() {
        ComponentSnapshot sink = Loaded.bolt("count")
                .millis(1000)
                .waiting(0.97)
                .queued(64)
                .backPressured()
                .build();
        assertThat(Bottleneck.of(of(Loaded.spout("lines").throttled().build(), sink)))
                .hasValue(new Bottleneck(
                        "count", "count: 100% of its time in calls that wait, holds back lines, 64 queued"));
    }

    @Test
    void shouldNotBlameASpoutThatWaitsForItsSource() {
        ComponentSnapshot spout =
                Loaded.spout("lines").millis(1000).waiting(0.99).build();
        assertThat(Bottleneck.of(of(spout, Loaded.bolt("count").millis(10).build())))
                .isEmpty();
    }

    private static TopologySample of(ComponentSnapshot... components) {
        return sample(Snapshots.snapshot(2 * Snapshots.SECOND, List.of(components)));
    }

    private static TopologySample sample(EngineSnapshot now) {
        return new TopologySample("t", "running", Snapshots.atStart(), now, List.of());
    }

    private static ComponentSnapshot busy(String id, boolean spout, long millis) {
        return (spout ? Loaded.spout(id) : Loaded.bolt(id)).millis(millis).build();
    }
}
