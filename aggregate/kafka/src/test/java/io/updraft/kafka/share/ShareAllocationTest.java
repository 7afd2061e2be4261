package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("one-jdk")
class ShareAllocationTest {

    @Test
    void shouldGiveNothingWithoutMembers() {
        assertThat(ShareAllocation.next(4, List.of(), Map.of(0, "gone"))).isEmpty();
    }

    @Test
    void shouldMoveOneShareWhereOneTooManyIsHeld() {
        assertThat(ShareAllocation.next(4, List.of("a", "b"), Map.of(0, "a", 1, "a", 2, "a", 3, "b")))
                .isEqualTo(Map.of(0, "a", 1, "a", 2, "b", 3, "b"));
    }

    @Test
    void shouldLeaveABalancedAllocationAsItIs() {
        Map<Integer, String> present = Map.of(0, "b", 1, "a", 2, "b");
        assertThat(ShareAllocation.next(3, List.of("a", "b"), present)).isEqualTo(present);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldStayBalancedAndMoveAsFewAsPossibleWhateverComesAndGoes(long seed) {
        Random random = new Random(seed);
        int shares = 1 + random.nextInt(40);
        List<String> members = new ArrayList<>();
        Map<Integer, String> present = new TreeMap<>();
        for (int step = 0; step < 300; step++) {
            if (members.isEmpty() || members.size() < 12 && random.nextBoolean()) {
                members.add("m" + random.nextInt(1_000_000));
            } else {
                members.remove(random.nextInt(members.size()));
            }
            if (random.nextInt(20) == 0) {
                shares = 1 + random.nextInt(40);
            }
            Collections.shuffle(members, random);
            Map<Integer, String> next = ShareAllocation.next(shares, members, present);
            checkBalanced(next, shares, members);
            assertThat(moved(present, next)).isEqualTo(fewestMoves(shares, members, present));
            Collections.shuffle(members, random);
            assertThat(ShareAllocation.next(shares, members, new HashMap<>(present)))
                    .isEqualTo(next);
            present = next;
        }
    }

    private static void checkBalanced(Map<Integer, String> next, int shares, List<String> members) {
        if (members.isEmpty()) {
            assertThat(next).isEmpty();
            return;
        }
        assertThat(next).hasSize(shares);
        for (String member : members) {
            long count = next.values().stream().filter(member::equals).count();
            assertThat(count).isBetween((long) shares / members.size(), (long) -Math.floorDiv(-shares, members.size()));
        }
    }

    private static int moved(Map<Integer, String> present, Map<Integer, String> next) {
        return (int) next.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(present.get(entry.getKey())))
                .count();
    }

    /** By trying every set of members that may have one more: for each, all that is over its share must move. */
    private static int fewestMoves(int shares, List<String> members, Map<Integer, String> present) {
        if (members.isEmpty()) {
            return 0;
        }
        int fewest = Integer.MAX_VALUE;
        int total = shares;
        for (int set = 0; set < 1 << members.size(); set++) {
            if (Integer.bitCount(set) != shares % members.size()) {
                continue;
            }
            int kept = 0;
            for (int i = 0; i < members.size(); i++) {
                String member = members.get(i);
                int held = (int) present.entrySet().stream()
                        .filter(e -> e.getKey() < total && e.getValue().equals(member))
                        .count();
                kept += Math.min(held, shares / members.size() + (set >> i & 1));
            }
            fewest = Math.min(fewest, shares - kept);
        }
        return fewest;
    }
}
