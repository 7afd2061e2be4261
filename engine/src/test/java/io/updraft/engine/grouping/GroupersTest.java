package io.updraft.engine.grouping;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.plan.StreamPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.snapshot.HotKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.grouping.PartialKeyGrouping;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupersTest {

    private static final int[] FOUR = {11, 12, 13, 14};
    private static final NullStruct NONE = new NullStruct();

    private static Grouper grouper(Grouping grouping, int[] targets, Load load, String... fields) {
        StreamPlan stream = new StreamPlan("source", "default", new Fields(fields), false, List.of());
        return Groupers.create(
                stream,
                new SubscriptionPlan("target", targets, grouping),
                new Emitter(3, new int[] {3}, false),
                null,
                load,
                new SplittableRandom(1),
                new KeySamplers(EngineClock.SYSTEM));
    }

    private static Grouper grouper(Grouping grouping, int[] targets) {
        return grouper(grouping, targets, Load.NONE, "v");
    }

    private static Map<Integer, Integer> counts(Grouper grouper, int times, Function<Integer, List<Object>> values) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (int i = 0; i < times; i++) {
            counts.merge(grouper.target(grouper.choose(values.apply(i))), 1, Integer::sum);
        }
        return counts;
    }

    @Test
    void shouldNoteTheKeysThatItSendsToEachTask() {
        KeySamplers keys = new KeySamplers(EngineClock.SYSTEM);
        Grouper grouper = Groupers.create(
                new StreamPlan("source", "default", new Fields("n", "user", "day"), false, List.of()),
                new SubscriptionPlan("target", FOUR, Grouping.fields(List.of("user", "day"))),
                new Emitter(3, new int[] {3}, false),
                null,
                Load.NONE,
                new SplittableRandom(1),
                keys);
        int[] counts = new int[4];
        for (int i = 0; i < 200_000; i++) {
            counts[grouper.choose(new Values(i, i % 4 == 0 ? i : 17, "2026-11-25"))]++;
        }
        int busiest = IntStream.range(0, 4)
                .boxed()
                .max(Comparator.comparing(i -> counts[i]))
                .orElseThrow();
        HotKey hot = keys.read(EngineClock.SYSTEM.nanoTime(), task -> false)
                .get(0)
                .skewedKeys()
                .get(0);
        assertThat(hot.fields() + " = " + hot.key()).isEqualTo("user, day = 17, 2026-11-25");
        assertThat(hot.permille()).isBetween(650L, 850L);
        assertThat(hot.taskPermille()).isBetween(counts[busiest] / 200 - 100L, counts[busiest] / 200 + 100L);
        assertThat(hot.task()).isEqualTo(FOUR[busiest]);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldChooseTheTaskThatStormChoosesForAnyKey(long seed) {
        Keys keys = new Keys(seed);
        for (int i = 0; i < 5_000; i++) {
            int width = 1 + keys.random.nextInt(4);
            String[] declared = new String[width + 2];
            Arrays.setAll(declared, f -> "f" + f);
            List<Object> values = new Values();
            for (int f = 0; f < declared.length; f++) {
                values.add(keys.any(0));
            }
            // Some of the fields, in any order.
            List<String> chosen = keys.some(declared, width);
            int[] targets = new int[1 + keys.random.nextInt(9)];
            Arrays.setAll(targets, t -> 100 + t);
            Grouper ours = grouper(Grouping.fields(chosen), targets, Load.NONE, declared);
            List<Object> key = new Fields(declared).select(new Fields(chosen), values);
            assertThat(ours.choose(values))
                    .as("key %s of %s over %s", chosen, values, targets.length)
                    .isEqualTo(TupleUtils.chooseTaskIndex(key, targets.length));
        }
    }

    /** Random values of all kinds that somebody may group by. */
    private static final class Keys {
        private final SplittableRandom random;

        private Keys(long seed) {
            random = new SplittableRandom(seed);
        }

        private List<String> some(String[] of, int count) {
            List<String> left = new java.util.ArrayList<>(List.of(of));
            List<String> some = new java.util.ArrayList<>();
            for (int i = 0; i < count; i++) {
                some.add(left.remove(random.nextInt(left.size())));
            }
            return some;
        }

        private Object any(int depth) {
            return switch (random.nextInt(depth > 2 ? 8 : 19)) {
                case 0 -> null;
                case 1 -> random.nextInt();
                case 2 -> random.nextLong();
                case 3 -> random.nextDouble();
                case 4 -> random.nextBoolean();
                case 5 -> "word-" + random.nextInt(1_000);
                case 6 -> (char) random.nextInt(1 << 16);
                case 7 -> Thread.State.values()[random.nextInt(6)].name();
                case 8 -> random.ints(random.nextInt(4)).toArray();
                case 9 -> random.longs(random.nextInt(4)).toArray();
                case 10 -> random.doubles(random.nextInt(4)).toArray();
                case 11 -> bytes();
                case 12 -> new boolean[] {random.nextBoolean(), random.nextBoolean()};
                case 13 -> new char[] {(char) random.nextInt(99)};
                case 14 -> new short[] {(short) random.nextInt(), 1};
                case 15 -> new float[] {(float) random.nextDouble()};
                case 16 -> objects(depth);
                case 17 -> Arrays.asList(objects(depth));
                default -> new HashSet<>(List.of("a" + random.nextInt(9), "b"));
            };
        }

        private byte[] bytes() {
            byte[] bytes = new byte[random.nextInt(5)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt();
            }
            return bytes;
        }

        private Object[] objects(int depth) {
            Object[] objects = new Object[random.nextInt(4)];
            Arrays.setAll(objects, i -> any(depth + 1));
            return objects;
        }
    }

    @Test
    void shouldSendEqualKeysToOneTask() {
        Grouper grouper = grouper(Grouping.fields(List.of("v")), FOUR);
        for (int i = 0; i < 100; i++) {
            assertThat(grouper.choose(new Values(new byte[] {1, (byte) i})))
                    .isEqualTo(grouper.choose(new Values(new byte[] {1, (byte) i})));
            assertThat(grouper.choose(new Values((Object) new String[][] {{"a" + i}, {null}})))
                    .isEqualTo(grouper.choose(new Values((Object) new String[][] {{"a" + i}, {null}})));
        }
    }

    @Test
    void shouldSendEverythingOfAGlobalGroupingToTheFirstTask() {
        Grouper grouper = grouper(Grouping.fields(List.of()), FOUR);
        assertThat(counts(grouper, 100, Values::new)).isEqualTo(Map.of(11, 100));
    }

    /** Tasks on loops; the emitters are 3 and 4, the targets 11 to 14. */
    private static final class Loops implements Load {
        private final Map<Integer, Integer> loopOf = new HashMap<>();
        private final Set<Integer> overloaded = new HashSet<>();
        private final Set<Integer> slow = new HashSet<>();
        private int placement;

        private Loops place(int loop, int... tasks) {
            for (int task : tasks) {
                loopOf.put(task, loop);
            }
            placement++;
            return this;
        }

        @Override
        public boolean isOverloaded(int task) {
            return overloaded.contains(task);
        }

        @Override
        public boolean isQuick(int task) {
            return !slow.contains(task);
        }

        @Override
        public int loopOf(int task) {
            return loopOf.get(task);
        }

        @Override
        public int placement() {
            return placement;
        }
    }

    private static Map<Integer, Integer> shuffle(Loops loops, int... siblings) {
        return counts(shuffler(loops, siblings), 100, Values::new);
    }

    private static Grouper shuffler(Loops loops, int... siblings) {
        return Groupers.create(
                new StreamPlan("source", "default", new Fields("v"), false, List.of()),
                new SubscriptionPlan("target", FOUR, Grouping.shuffle(NONE)),
                new Emitter(3, siblings, false),
                null,
                loops,
                new SplittableRandom(1),
                new KeySamplers(EngineClock.SYSTEM));
    }

    @Test
    void shouldShuffleOnTheOwnLoopWhereTargetsAreDividedAsEmittersAre() {
        Loops loops = new Loops().place(0, 3, 11, 12).place(1, 4, 13, 14);
        assertThat(shuffle(loops, 3, 4)).isEqualTo(Map.of(11, 50, 12, 50));
    }

    @Test
    void shouldShuffleOverAllLoopsWhereOneWouldGetMoreThanItsShare() {
        Loops loops = new Loops().place(0, 3, 11, 12).place(1, 13, 14);
        assertThat(shuffle(loops, 3)).isEqualTo(Map.of(11, 25, 12, 25, 13, 25, 14, 25));
        Loops crowded = new Loops().place(0, 3, 11, 12, 13).place(1, 4, 14);
        assertThat(shuffle(crowded, 3, 4)).isEqualTo(Map.of(11, 25, 12, 25, 13, 25, 14, 25));
    }

    @Test
    void shouldShuffleOverAllLoopsWhenTheNearAreSlow() {
        Loops loops = new Loops().place(0, 3, 11, 12).place(1, 4, 13, 14);
        loops.slow.addAll(List.of(11, 12, 13, 14));
        assertThat(shuffle(loops, 3, 4)).isEqualTo(Map.of(11, 25, 12, 25, 13, 25, 14, 25));
    }

    @Test
    void shouldShuffleToOtherLoopsWhatTheNearCannotTake() {
        Loops loops = new Loops().place(0, 3, 11, 12).place(1, 4, 13, 14);
        loops.overloaded.addAll(List.of(11, 12));
        assertThat(shuffle(loops, 3, 4)).containsOnlyKeys(13, 14);
    }

    @Test
    void shouldFollowTasksThatMoveToOtherLoops() {
        Loops loops = new Loops().place(0, 3, 11, 12).place(1, 4, 13, 14);
        Grouper grouper = shuffler(loops, 3, 4);
        assertThat(counts(grouper, 10, Values::new)).isEqualTo(Map.of(11, 5, 12, 5));
        loops.place(1, 11).place(0, 13);
        assertThat(counts(grouper, 10, Values::new)).isEqualTo(Map.of(12, 5, 13, 5));
    }

    @Test
    void shouldShuffleEqualNumbersUnderEqualLoad() {
        for (Grouping grouping : List.of(Grouping.shuffle(NONE), Grouping.local_or_shuffle(NONE))) {
            Grouper grouper = grouper(grouping, FOUR);
            assertThat(counts(grouper, 4_000, Values::new)).isEqualTo(Map.of(11, 1000, 12, 1000, 13, 1000, 14, 1000));
        }
    }

    @Test
    void shouldPassOverATaskThatIsOverloaded() {
        Set<Integer> overloaded = new HashSet<>(Set.of(12));
        Grouper grouper = grouper(Grouping.shuffle(NONE), FOUR, overloaded::contains, "v");
        assertThat(counts(grouper, 3_000, Values::new)).containsOnlyKeys(11, 13, 14);
        overloaded.clear();
        assertThat(counts(grouper, 4_000, Values::new)).isEqualTo(Map.of(11, 1000, 12, 1000, 13, 1000, 14, 1000));
    }

    @Test
    void shouldGoOnWhenAllTasksAreOverloaded() {
        Grouper grouper = grouper(Grouping.shuffle(NONE), FOUR, task -> true, "v");
        assertThat(counts(grouper, 4_000, Values::new).values()).hasSize(4).allMatch(n -> n == 1000);
    }

    @Test
    void shouldChooseAnyTaskForTheGroupingNone() {
        Map<Integer, Integer> counts = counts(grouper(Grouping.none(NONE), FOUR), 4_000, Values::new);
        assertThat(counts).containsOnlyKeys(11, 12, 13, 14);
        assertThat(counts.values()).allMatch(n -> n > 800 && n < 1200);
    }

    @Test
    void shouldSendToAllTasks() {
        Grouper grouper = grouper(Grouping.all(NONE), FOUR);
        assertThat(grouper.choose(new Values(1))).isEqualTo(Grouper.MANY);
        assertThat(grouper.chooseMany(new Values(1))).containsExactly(11, 12, 13, 14);
    }

    @Test
    void shouldGiveTheOnlyTaskWhateverTheGrouping() {
        int[] one = {5};
        for (Grouping grouping : List.of(
                Grouping.shuffle(NONE),
                Grouping.local_or_shuffle(NONE),
                Grouping.none(NONE),
                Grouping.fields(List.of("v")))) {
            Grouper grouper = grouper(grouping, one);
            assertThat(grouper.singleton(grouper.choose(new Values("x")))).containsExactly(5);
        }
    }

    private static Grouper custom(CustomStreamGrouping grouping, int[] targets) {
        return grouper(Grouping.custom_serialized(Utils.javaSerialize(grouping)), targets);
    }

    @Test
    void shouldChooseForPartialKeysAsStormDoes() {
        PartialKeyGrouping storms = new PartialKeyGrouping();
        storms.prepare(null, new GlobalStreamId("source", "default"), List.of(11, 12, 13, 14));
        Grouper ours = custom(new PartialKeyGrouping(), FOUR);
        Map<Object, Set<Integer>> tasks = new HashMap<>();
        for (int i = 0; i < 2_000; i++) {
            Values values = new Values("word-" + i % 37);
            List<Integer> chosen = ours.chooseMany(values);
            assertThat(chosen).isEqualTo(storms.chooseTasks(3, values));
            tasks.computeIfAbsent(values.get(0), k -> new HashSet<>()).addAll(chosen);
        }
        assertThat(tasks.values()).allMatch(chosen -> chosen.size() <= 2);
    }

    private record Fixed(List<Integer> choice) implements CustomStreamGrouping {
        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
            if (!stream.equals(new GlobalStreamId("source", "default"))
                    || !targetTasks.equals(List.of(11, 12, 13, 14))) {
                throw new IllegalStateException("prepared with " + stream + " and " + targetTasks);
            }
        }

        @Override
        public List<Integer> chooseTasks(int taskId, List<Object> values) {
            if (taskId != 3) {
                throw new IllegalStateException("task " + taskId);
            }
            return choice;
        }
    }

    @Test
    void shouldTakeWhateverACustomGroupingChooses() {
        assertThat(custom(new Fixed(List.of(12)), FOUR).chooseMany(new Values(1)))
                .containsExactly(12);
        assertThat(custom(new Fixed(List.of(12, 14)), FOUR).chooseMany(new Values(1)))
                .containsExactly(12, 14);
        assertThat(custom(new Fixed(List.of(12, 12)), FOUR).chooseMany(new Values(1)))
                .containsExactly(12, 12);
        assertThat(custom(new Fixed(List.of()), FOUR).chooseMany(new Values(1))).isEmpty();
        assertThat(custom(new Fixed(null), FOUR).chooseMany(new Values(1))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 15, 0, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void shouldRefuseATaskThatIsNotASubscribers(int task) {
        Grouper grouper = custom(new Fixed(List.of(12, task)), FOUR);
        assertThatThrownBy(() -> grouper.chooseMany(new Values(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the custom grouping " + Fixed.class.getName() + " chose task " + task
                        + ", which is not a task of the subscribing component: [11, 12, 13, 14]");
    }

    @Test
    void shouldRefuseNoTaskAtAll() {
        Grouper grouper = custom(new Fixed(Arrays.asList(12, null)), FOUR);
        assertThatThrownBy(() -> grouper.chooseMany(new Values(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chose task null");
    }

    @Test
    void shouldNotMakeAGrouperOfADirectGrouping() {
        assertThatThrownBy(() -> grouper(Grouping.direct(NONE), FOUR)).isInstanceOf(IllegalArgumentException.class);
    }
}
