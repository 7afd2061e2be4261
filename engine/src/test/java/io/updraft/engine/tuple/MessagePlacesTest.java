package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.snapshot.LastSeen;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Grows random tuple trees until one tuple is left, and compares its place with what the tracker says. */
class MessagePlacesTest {

    private static final int SPOUT = 0;
    private static final int COMPONENTS = 6;
    private static final long AGE = 5_000_000_000L;

    private record Sent(EngineTuple tuple, Sent parent, int sender, int receiver) {

        /** Whether a component sent the tuple, or one that it comes from. */
        private boolean isFrom(String component) {
            return nameOf(sender).equals(component) || parent != null && parent.isFrom(component);
        }
    }

    private static String nameOf(int component) {
        return "c" + component;
    }

    /** One tree of one seed. */
    private static final class RandomTree {
        private final SplittableRandom random;
        private final EdgeIds[] edges = new EdgeIds[COMPONENTS];
        private final TreeTracker tracker = new TreeTracker(16, false, 1, 1);
        private final EdgeOrigins origins = new EdgeOrigins();
        private final MessagePlaces places = new MessagePlaces(tracker, origins);
        private final List<Sent> open = new ArrayList<>();
        private final long root;
        private int turn;
        private int sent;

        private RandomTree(int seed) {
            random = new SplittableRandom(seed);
            for (int i = 0; i < COMPONENTS; i++) {
                long own = EdgeIds.seedFor(seed, i);
                edges[i] = new EdgeIds(own);
                origins.add(nameOf(i), new long[] {own});
            }
            tracker.at(0);
            root = tracker.open("message");
            int targets = random.nextInt(1, 4);
            long xor = 0;
            for (int i = 0; i < targets; i++) {
                long edge = edges[SPOUT].next();
                xor ^= edge;
                add(
                        targets == 1
                                ? EngineTuple.first(null, List.of(), 1, root)
                                : EngineTuple.tracked(null, List.of(), 1, root, edge),
                        null,
                        SPOUT);
            }
            if (targets > 1) {
                tracker.begin(root, xor);
            }
        }

        private void add(EngineTuple tuple, Sent parent, int sender) {
            sent++;
            open.add(new Sent(tuple, parent, sender, random.nextInt(1, COMPONENTS)));
        }

        /** One call of a bolt: emits some tuples for one of the open ones, and acks that or keeps it. */
        private void step() {
            turn++;
            Sent input = open.get(random.nextInt(open.size()));
            int children = sent > 20 ? 0 : random.nextInt(3);
            for (int i = 0; i < children; i++) {
                long edge = edges[input.receiver].next();
                add(input.tuple.child(null, List.of(), edge, turn), input, input.receiver);
            }
            if (open.size() > 1 && random.nextInt(4) > 0) {
                ack(input);
            }
        }

        private void ack(Sent input) {
            if (!input.tuple.passOn(turn)) {
                assertThat(tracker.ack(root, input.tuple.pending())).isFalse();
            }
            input.tuple.settle();
            open.remove(input);
        }

        private LastSeen lastSeen() {
            places.publish(AGE);
            return places.read(nameOf(SPOUT), AGE).findFirst().orElseThrow();
        }
    }

    @Test
    void shouldSayWhereTheOnlyTupleLeftIs() {
        int sentBy = 0;
        int heldBy = 0;
        for (int seed = 0; seed < 5_000; seed++) {
            RandomTree tree = new RandomTree(seed);
            do {
                tree.step();
            } while (tree.open.size() > 1);
            LastSeen seen = tree.lastSeen();
            Sent left = tree.open.get(0);
            assertThat(seen.nanos()).isEqualTo(AGE);
            if (seen.held()) {
                heldBy++;
                assertThat(seen.component()).as("seed %d", seed).isEqualTo(nameOf(left.receiver));
            } else if (!seen.component().isEmpty()) {
                sentBy++;
                assertThat(left.isFrom(seen.component()))
                        .as("seed %d: %s", seed, seen)
                        .isTrue();
            }
        }
        assertThat(sentBy).isGreaterThan(2_000);
        assertThat(heldBy).isGreaterThan(20);
    }
}
