package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
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

    /** In order as from one spout, nearly in order, of several spouts, many times the same. */
    @Test
    void shouldFindTreesAgainHoweverManyThereAre() {
        for (int seed = 0; seed < 200; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Anchors trees = new Anchors(random.nextInt(3));
            Map<List<Long>, Long> model = new HashMap<>();
            int owners = 1 + random.nextInt(3);
            int disorder = 1 + random.nextInt(random.nextBoolean() ? 2 : 300);
            for (int i = random.nextInt(20) * random.nextInt(40); i >= 0; i--) {
                int owner = random.nextInt(owners);
                long root = (1L << 43) - i * 2L + random.nextInt(disorder);
                long edge = random.nextLong();
                trees.add(owner, root, edge);
                model.merge(List.of((long) owner, root), edge, (one, other) -> one ^ other);
            }
            Map<List<Long>, Long> found = new HashMap<>();
            for (int i = 0; i < trees.size(); i++) {
                found.put(List.of((long) trees.owner(i), trees.root(i)), trees.edge(i));
            }
            assertThat(found).as("seed %d", seed).isEqualTo(model).hasSize(trees.size());
        }
    }
}
