package io.updraft.cluster.codec;

import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.apache.storm.tuple.Values;

/** Random batches with everything that a batch can hold. Equal seeds give equal batches. */
final class RandomBatches {

    private static final int KINDS = 19;

    private final TestPlan test;
    private final Random random;
    private final List<Origin> origins;
    private final int[] targets;
    private final int[] owners;
    private final long[] roots;

    /** One tuple in so many has a value that only Kryo can write; 0: none. */
    private final int kryoEvery;

    RandomBatches(TestPlan test, long seed, int kryoEvery) {
        this.test = test;
        this.random = new Random(seed);
        this.kryoEvery = kryoEvery;
        this.origins = test.origins();
        this.targets = concat(
                test.plan.component("split").taskIds(),
                test.plan.component("join").taskIds());
        this.owners = concat(
                test.plan.component("numbers").executors(),
                test.plan.component("words").executors());
        this.roots = random.longs(test.plan.executors().size(), 1, 1L << 62).toArray();
    }

    private static int[] concat(int[] a, int[] b) {
        int[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }

    Batch next() {
        Batch batch = new Batch();
        int size = size();
        Origin origin = null;
        int target = 0;
        for (int i = 0; i < size; i++) {
            if (origin == null || random.nextInt(4) == 0) {
                // Sometimes an equal one that is not the same, as after a task was rebuilt.
                origin = random.nextInt(8) == 0 ? pick(test.origins()) : pick(origins);
            }
            if (i == 0 || random.nextInt(3) == 0) {
                target = targets[random.nextInt(targets.length)];
            }
            batch.add(tuple(origin), target);
        }
        addReports(batch);
        return batch;
    }

    private int size() {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> 100 + random.nextInt(100);
            default -> random.nextInt(12);
        };
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private EngineTuple tuple(Origin origin) {
        List<Object> values = values();
        int owner = owners[random.nextInt(owners.length)];
        return switch (random.nextInt(6)) {
            case 0 -> EngineTuple.untracked(origin, values);
            case 1 -> EngineTuple.tracked(origin, values, owner, root(owner), random.nextLong());
            case 2 -> EngineTuple.tracked(origin, values, trees());
            case 3 -> withChildren(origin, values, owner);
            case 4 -> passedOn(origin, values, owner);
            default -> EngineTuple.first(origin, values, owner, root(owner));
        };
    }

    private EngineTuple withChildren(Origin origin, List<Object> values, int owner) {
        EngineTuple tuple = switch (random.nextInt(3)) {
            case 0 -> EngineTuple.first(origin, values, owner, root(owner));
            case 1 -> EngineTuple.tracked(origin, values, owner, root(owner), random.nextLong());
            default -> EngineTuple.tracked(origin, values, trees());
        };
        tuple.addChild(random.nextLong());
        return tuple;
    }

    private EngineTuple passedOn(Origin origin, List<Object> values, int owner) {
        EngineTuple parent = random.nextBoolean()
                ? EngineTuple.first(origin, List.of(), owner, root(owner))
                : EngineTuple.tracked(origin, List.of(), owner, root(owner), random.nextLong());
        EngineTuple child = parent.child(origin, values, random.nextLong(), 7);
        parent.passOn(7);
        return child;
    }

    private Anchors trees() {
        Anchors trees = new Anchors();
        int count = random.nextInt(10) == 0 ? 200 : random.nextInt(6);
        for (int i = 0; i < count; i++) {
            int owner = owners[random.nextInt(owners.length)];
            trees.add(owner, root(owner), random.nextLong());
        }
        return trees;
    }

    private long root(int owner) {
        return switch (random.nextInt(8)) {
            case 0 -> 1 + (random.nextLong() >>> 2 >>> random.nextInt(62));
            case 1 -> roots[owner] += random.nextInt(1000);
            case 2 -> roots[owner];
            default -> ++roots[owner];
        };
    }

    private void addReports(Batch batch) {
        int count = random.nextInt(3) == 0 ? 0 : random.nextInt(40);
        for (int i = 0; i < count; i++) {
            int owner = owners[random.nextInt(owners.length)];
            int kind = random.nextInt(4);
            batch.addReport(kind, owner, root(owner), kind < 2 ? number() : 0);
        }
    }

    private List<Object> values() {
        int count = random.nextInt(12) == 0 ? random.nextInt(20) : 1 + random.nextInt(2);
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            values.add(value());
        }
        if (kryoEvery > 0 && random.nextInt(kryoEvery) == 0) {
            values.add(kryoValue());
        }
        return values;
    }

    private Object value() {
        return switch (random.nextInt(KINDS)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> (byte) random.nextInt();
            case 3 -> (short) random.nextInt();
            case 4 -> (int) number();
            case 5, 6, 7 -> number();
            case 8 -> Float.intBitsToFloat(random.nextInt() & 0x7F7FFFFF);
            case 9 -> random.nextGaussian();
            case 10 -> (char) random.nextInt();
            case 11, 12, 13 -> string(0x7F);
            case 14 -> string(0xFF);
            case 15 -> string(0xFFFF);
            default -> bytes();
        };
    }

    /** As often small as large, either way. */
    private long number() {
        return random.nextLong() >> random.nextInt(64);
    }

    private int length() {
        return random.nextInt(20) == 0 ? random.nextInt(2000) : random.nextInt(80);
    }

    private String string(int mask) {
        char[] chars = new char[length()];
        for (int i = 0; i < chars.length; i++) {
            chars[i] = (char) (random.nextInt() & mask);
        }
        return new String(chars);
    }

    private byte[] bytes() {
        byte[] bytes = new byte[length()];
        random.nextBytes(bytes);
        return bytes;
    }

    private Object kryoValue() {
        return switch (random.nextInt(7)) {
            case 0 -> new ArrayList<>(Arrays.asList(1, "zwei", null, 4L));
            case 1 -> new HashMap<>(java.util.Map.of("key", new ArrayList<>(List.of(number())), 2, "text"));
            case 2 -> new HashSet<>(List.of(string(0xFF), 2));
            case 3 -> BigInteger.valueOf(number()).pow(3);
            case 4 -> new Values("a", number(), bytes().length);
            case 5 -> new int[] {1, random.nextInt(), 3};
            default -> new ArrayList<>(List.of(new Values(new ArrayList<>(List.of(string(0xFFFF))), 1.5)));
        };
    }
}
