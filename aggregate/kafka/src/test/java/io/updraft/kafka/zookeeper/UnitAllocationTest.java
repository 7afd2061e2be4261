package io.updraft.kafka.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnitAllocationTest {

    @Test
    void shouldGiveNothingWithoutMembers() {
        assertThat(UnitAllocation.next(4, List.of(), Map.of(0, "gone"))).isEmpty();
    }

    @Test
    void shouldMoveOneUnitWhereOneTooManyIsHeld() {
        assertThat(UnitAllocation.next(4, List.of("a", "b"), Map.of(0, "a", 1, "a", 2, "a", 3, "b")))
                .isEqualTo(Map.of(0, "a", 1, "a", 2, "b", 3, "b"));
    }

    @Test
    void shouldLeaveABalancedAllocationAsItIs() {
        Map<Integer, String> present = Map.of(0, "b", 1, "a", 2, "b");
        assertThat(UnitAllocation.next(3, List.of("a", "b"), present)).isEqualTo(present);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldStayBalancedAndMoveAsFewAsPossibleWhateverComesAndGoes(long seed) {
        Random random = new Random(seed);
        int units = 1 + random.nextInt(40);
        List<String> members = new ArrayList<>();
        Map<Integer, String> present = new TreeMap<>();
        for (int step = 0; step < 300; step++) {
            if (members.isEmpty() || members.size() < 12 && random.nextBoolean()) {
                members.add("m" + random.nextInt(1_000_000));
            } else {
                members.remove(random.nextInt(members.size()));
            }
            if (random.nextInt(20) == 0) {
                units = 1 + random.nextInt(40);
            }
            Collections.shuffle(members, random);
            Map<Integer, String> next = UnitAllocation.next(units, members, present);
            checkBalanced(next, units, members);
            assertThat(moved(present, next)).isEqualTo(fewestMoves(units, members, present));
            Collections.shuffle(members, random);
            assertThat(UnitAllocation.next(units, members, new HashMap<>(present)))
                    .isEqualTo(next);
            present = next;
        }
    }

    private static void checkBalanced(Map<Integer, String> next, int units, List<String> members) {
        if (members.isEmpty()) {
            assertThat(next).isEmpty();
            return;
        }
        assertThat(next).hasSize(units);
        for (String member : members) {
            long count = next.values().stream().filter(member::equals).count();
            assertThat(count).isBetween((long) units / members.size(), (long) -Math.floorDiv(-units, members.size()));
        }
    }

    private static int moved(Map<Integer, String> present, Map<Integer, String> next) {
        return (int) next.entrySet().stream()
                .filter(entry -> !entry.getValue().equals(present.get(entry.getKey())))
                .count();
    }

    /** By trying every set of members that may have one more: for each, all that is over its share must move. */
    private static int fewestMoves(int units, List<String> members, Map<Integer, String> present) {
        if (members.isEmpty()) {
            return 0;
        }
        int fewest = Integer.MAX_VALUE;
        int total = units;
        for (int set = 0; set < 1 << members.size(); set++) {
            if (Integer.bitCount(set) != units % members.size()) {
                continue;
            }
            int kept = 0;
            for (int i = 0; i < members.size(); i++) {
                String member = members.get(i);
                int held = (int) present.entrySet().stream()
                        .filter(e -> e.getKey() < total && e.getValue().equals(member))
                        .count();
                kept += Math.min(held, units / members.size() + (set >> i & 1));
            }
            fewest = Math.min(fewest, units - kept);
        }
        return fewest;
    }
}
