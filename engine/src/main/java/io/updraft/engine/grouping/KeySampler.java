package io.updraft.engine.grouping;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.snapshot.KeyText;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Watches the keys of one fields grouping of one emitting task. Looks at a sample of the tuples, keeps the heaviest keys in a
 * small table, and publishes them from time to time.
 *
 * <p>The gap between two samples is random, so that no period of the stream can hide or favour a key. Its mean follows the rate
 * of the stream, from each tuple to one of {@value #MAX_INTERVAL}: 160 to 640 samples a second where the stream allows. All
 * weights are halved after {@value #HALF_LIFE} samples, so the table shows the last few seconds of a fast stream.
 *
 * <p>The state belongs to the thread that emits, except the published keys, which any thread may read. The table holds
 * references to at most {@value #CAPACITY} keys. User code ({@code equals} and {@code toString} of keys) is called by the thread
 * that emits, and its exceptions are ignored.
 */
final class KeySampler {

    /**
     * What the sampler knew at one moment. Immutable.
     *
     * @param since the time of the previous publication, by the engine's clock, nanoseconds
     * @param at the time, by the engine's clock, nanoseconds
     * @param tuples tuples in between
     * @param total weight of all keys
     * @param byTarget weight by position of the target task; never changed
     * @param keys the heaviest keys
     */
    record Published(long since, long at, long tuples, long total, long[] byTarget, List<WeighedKey> keys) {}

    /**
     * One of the heaviest keys.
     *
     * @param text the key, rendered
     * @param target position of the task that gets the key's tuples
     * @param weight the weight that certainly belongs to the key
     */
    record WeighedKey(String text, int target, long weight) {}

    static final int CAPACITY = 64;
    static final int HALF_LIFE = 512;
    static final int MAX_INTERVAL = 4096;

    /** Samples before the first publication: fewer say too little about shares. */
    private static final int FIRST = 256;

    /** Samples between publications. */
    private static final int BATCH = 64;

    /** Weight of a sample; large, so that halving it often loses nothing. */
    private static final long WEIGHT = 1 << 16;

    private static final int MAX_KEYS = 8;

    /** A key is published if its share of the tuples is at least one of this many. */
    private static final int LEAST_SHARE = 20;

    private static final long SHORT_BATCH_NANOS = 100_000_000;
    private static final long LONG_BATCH_NANOS = 400_000_000;

    /** A longer time between two samples means that the stream has become slow. */
    private static final long PAUSE_NANOS = 250_000_000;

    private static final VarHandle PUBLISHED;

    static {
        try {
            PUBLISHED = MethodHandles.lookup().findVarHandle(KeySampler.class, "published", Published.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final EngineClock clock;
    private final RandomGenerator random;
    private final SpaceSaving table = new SpaceSaving(CAPACITY);

    /** By slot of the table: the key's target, its hash, and its text, if it was ever rendered. */
    private final int[] targets = new int[CAPACITY];

    private final int[] hashes = new int[CAPACITY];
    private final String[] texts = new String[CAPACITY];
    private final long[] byTarget;
    private int interval = 1;
    private int gap = 1;
    private long samples;
    private long tuples;
    private long batchStart;
    private long lastSample;
    private Published published;

    KeySampler(EngineClock clock, RandomGenerator random, int targets) {
        this.clock = clock;
        this.random = random;
        this.byTarget = new long[targets];
        this.batchStart = clock.nanoTime();
        this.lastSample = batchStart;
    }

    /**
     * Takes a sample. Only the thread that emits calls this.
     *
     * @param values the tuple's values
     * @param fields positions of the key's fields among the values
     * @param hash the hash of the key
     * @param target position of the task that was chosen
     * @return the number of choices until the next sample, this one not included
     */
    public int sample(List<Object> values, int[] fields, int hash, int target) {
        long now = clock.nanoTime();
        tuples += gap;
        add(values, fields, hash, target);
        if (samples % BATCH == 0) {
            endBatch(now);
        }
        if (now - lastSample > PAUSE_NANOS) {
            interval = 1;
        }
        lastSample = now;
        gap = interval == 1 ? 1 : random.nextInt(1, 2 * interval);
        return gap;
    }

    private void add(List<Object> values, int[] fields, int hash, int target) {
        byTarget[target] += WEIGHT;
        samples++;
        Object[] key = new Object[fields.length];
        Arrays.setAll(key, i -> values.get(fields[i]));
        int slot = table.add(key, hash, WEIGHT);
        if (slot >= 0) {
            targets[slot] = target;
            hashes[slot] = hash;
            texts[slot] = null;
        }
    }

    private void endBatch(long now) {
        long took = now - batchStart;
        if (samples >= FIRST) {
            publishRelease(now);
        }
        if (took < SHORT_BATCH_NANOS) {
            interval = Math.min(MAX_INTERVAL, 2 * interval);
        } else if (took > LONG_BATCH_NANOS) {
            interval = Math.max(1, interval / 2);
        }
        batchStart = now;
        tuples = 0;
        if (samples % HALF_LIFE == 0) {
            table.halve();
            Arrays.setAll(byTarget, i -> byTarget[i] / 2);
        }
    }

    private void publishRelease(long now) {
        List<WeighedKey> keys = table.heaviest(table.total() / LEAST_SHARE).stream()
                .limit(MAX_KEYS)
                .map(heavy -> new WeighedKey(text(heavy), targets[heavy.slot()], heavy.guaranteed()))
                .toList();
        PUBLISHED.setRelease(this, new Published(batchStart, now, tuples, table.total(), byTarget.clone(), keys));
    }

    private String text(SpaceSaving.Heavy heavy) {
        int slot = heavy.slot();
        if (texts[slot] == null) {
            texts[slot] = KeyText.of((Object[]) heavy.key(), hashes[slot]);
        }
        return texts[slot];
    }

    /** Returns what was published last; null if nothing was. May be called from any thread. */
    Published publishedAcquire() {
        return (Published) PUBLISHED.getAcquire(this);
    }
}
