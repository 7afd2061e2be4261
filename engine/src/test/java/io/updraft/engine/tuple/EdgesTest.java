package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EdgesTest {

    @Test
    void shouldGiveEqualIdsForEqualSeeds() {
        EdgeIds a = new EdgeIds(EdgeIds.seedFor(1, 2));
        EdgeIds b = new EdgeIds(EdgeIds.seedFor(1, 2));
        for (int i = 0; i < 1_000; i++) {
            assertThat(a.next()).isEqualTo(b.next());
        }
    }

    @Test
    void shouldNeverRepeatAnIdNorGiveZero() {
        Set<Long> seen = new HashSet<>();
        for (int executor = 0; executor < 100; executor++) {
            EdgeIds ids = new EdgeIds(EdgeIds.seedFor(42, executor));
            for (int i = 0; i < 1_000; i++) {
                long id = ids.next();
                assertThat(id).isNotZero();
                assertThat(seen.add(id)).isTrue();
            }
        }
    }

    @Test
    void shouldXorEdgesOfOneTreeAndKeepTreesApart() {
        Anchors trees = new Anchors();
        for (int i = 0; i < 10; i++) {
            trees.add(i % 5, 100, i);
            trees.add(i % 5, 101, i * 7);
        }
        assertThat(trees.size()).isEqualTo(10);
        for (int i = 0; i < trees.size(); i++) {
            int owner = trees.owner(i);
            int factor = trees.root(i) == 100 ? 1 : 7;
            assertThat(trees.edge(i)).isEqualTo(owner * factor ^ (owner + 5) * factor);
        }
    }
}
