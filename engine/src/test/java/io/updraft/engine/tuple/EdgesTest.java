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
    void shouldFindTheComponentOfAnEdge() {
        EdgeOrigins origins = new EdgeOrigins();
        SplittableRandom random = new SplittableRandom(7);
        List<Long> seeds = random.longs(100).boxed().toList();
        seeds.forEach(seed -> origins.add("of " + seed, new long[] {~seed, seed}));
        for (long seed : seeds) {
            EdgeIds ids = new EdgeIds(seed);
            int length = 1 + random.nextInt(2_000);
            for (int number = 1; number <= length; number++) {
                long id = ids.next();
                assertThat(EdgeIds.numberOf(id, seed)).isEqualTo(number);
                assertThat(origins.componentOf(id)).isEqualTo("of " + seed);
            }
        }
    }

    /** A number is found by chance with a probability of 2 to the minus 24 for each seed: the seeds here do not. */
    @Test
    void shouldNotFindAComponentOfOtherNumbers() {
        EdgeOrigins origins = new EdgeOrigins();
        EdgeIds a = new EdgeIds(EdgeIds.seedFor(1, 2));
        EdgeIds b = new EdgeIds(EdgeIds.seedFor(1, 3));
        origins.add("a", new long[] {EdgeIds.seedFor(1, 2)});
        origins.add("b", new long[] {EdgeIds.seedFor(1, 3)});
        for (int i = 0; i < 50_000; i++) {
            assertThat(origins.componentOf(a.next() ^ b.next())).isNull();
            assertThat(origins.componentOf(EdgeIds.first(2, 100 + i))).isNull();
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
