package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.LastSeen;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In the snapshot {@code split} holds 12 tuples of {@code lines}, and {@code count} holds none. */
class TupleHoldersTest {

    private static EngineSnapshot with(LastSeen... places) {
        EngineSnapshot all = Snapshots.troubled();
        return new EngineSnapshot(
                all.uptimeNanos(),
                all.active(),
                all.components(),
                all.edges(),
                all.loopBusyNanos(),
                all.inFlightTrees(),
                all.recentErrors(),
                all.calls(),
                all.keyed(),
                all.moves(),
                List.of(places));
    }

    private static LastSeen inFlight(long seconds, String component, boolean held) {
        return new LastSeen("lines", 0, "17", seconds * Snapshots.SECOND, component, held);
    }

    @Test
    void shouldNameTheSenderAndTheBoltsDownstreamThatHoldTuples() {
        assertThat(TupleHolders.oldest(with(inFlight(45, "lines", false))))
                .containsExactly("of lines is 17, in flight for 45 s: sent by lines, not acked by split");
    }

    @Test
    void shouldNameOnlyTheSenderWhenNoBoltDownstreamHoldsATuple() {
        assertThat(TupleHolders.oldest(with(inFlight(45, "split", false))))
                .containsExactly("of lines is 17, in flight for 45 s: sent by split");
    }

    @Test
    void shouldNameTheBoltThatHasNotAcked() {
        assertThat(TupleHolders.oldest(with(inFlight(45, "split", true))))
                .containsExactly("of lines is 17, in flight for 45 s: received and not acked by split");
    }

    @Test
    void shouldSayThatThereAreSeveralPlaces() {
        assertThat(TupleHolders.oldest(with(inFlight(45, "", false))))
                .containsExactly("of lines is 17, in flight for 45 s: in several places, perhaps split");
    }

    @Test
    void shouldNotNameAYoungMessage() {
        assertThat(TupleHolders.oldest(with(inFlight(4, "lines", false)))).isEmpty();
    }

    @Test
    void shouldCountTheTimedOutMessagesByPlace() {
        LastSeen most = new LastSeen("lines", 69, "17", 1, "lines", false);
        LastSeen other = new LastSeen("lines", 1, "18", 1, "split", true);
        assertThat(TupleHolders.timedOut(with(most, other)))
                .isEqualTo(
                        "lines 70; 69 sent by lines, not acked by split (newest: 17), 1 received and not acked by split"
                                + " (newest: 18)");
    }
}
