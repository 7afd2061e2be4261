package io.updraft.observe.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.ComponentSnapshot;
import io.updraft.engine.snapshot.EdgeSnapshot;
import io.updraft.engine.snapshot.EngineSnapshot;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FlowOrderTest {

    @Test
    void shouldFollowTheStreamsAndNotTheAlphabet() {
        assertThat(order("a<-m m<-z", "z")).containsExactly("z", "m", "a");
    }

    @Test
    void shouldTakeTheLongestWayWhereAShorterOneExists() {
        assertThat(order("split<-lines count<-split count<-lines", "lines")).containsExactly("lines", "split", "count");
    }

    @Test
    void shouldEndInATopologyWithACycle() {
        assertThat(order("b<-s c<-b b<-c", "s")).containsExactly("s", "b", "c");
    }

    private static List<String> order(String subscriptions, String spout) {
        List<EdgeSnapshot> edges = Stream.of(subscriptions.split(" "))
                .map(edge -> edge.split("<-"))
                .map(edge -> new EdgeSnapshot(edge[1], "default", edge[0], false))
                .toList();
        List<ComponentSnapshot> components = edges.stream()
                .flatMap(edge -> Stream.of(edge.from(), edge.to()))
                .distinct()
                .sorted()
                .map(id -> Snapshots.component(id, id.equals(spout)))
                .toList();
        EngineSnapshot snapshot = new EngineSnapshot(
                1, true, components, edges, new long[0], 0, List.of(), List.of(), List.of(), List.of(), List.of());
        return FlowOrder.of(snapshot).stream().map(ComponentSnapshot::id).toList();
    }
}
