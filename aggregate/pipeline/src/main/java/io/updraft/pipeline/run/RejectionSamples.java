package io.updraft.pipeline.run;

import io.updraft.observe.pipeline.RejectedSample;
import io.updraft.observe.pipeline.RejectedSample.Kind;
import io.updraft.pipeline.text.TerminalText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The newest rejected rows and records, a few of each kind. A sample costs an allocation and a lock, so only some are taken of
 * many: {@value #KEPT} at once, then four a second. The rate is limited as by a token bucket. Once a sample was refused, the
 * others of its kind are refused without a look at the clock until {@link #resume}: a flood costs one read of a field. Any thread.
 */
final class RejectionSamples {

    static final int KEPT = 20;

    /** The longest text of a sample, columns of a terminal. */
    static final int WIDTH = 200;

    private static final long INTERVAL_NANOS = 250_000_000L;
    private static final int MOST_BYTES_OF_CHARACTER = 4;

    private static final class Kept {
        /** When as many samples as are kept may be taken at once again. */
        private final AtomicLong wholeAt = new AtomicLong();

        private volatile boolean refused;

        // Guarded by this, the newest first.
        private final Deque<RejectedSample> samples = new ArrayDeque<>();
    }

    private final Kept[] byOrdinal =
            Stream.generate(Kept::new).limit(Kind.values().length).toArray(Kept[]::new);
    private final LongSupplier nanos;
    private final LongSupplier millis;
    private final long begin;

    /** Creates an empty instance; the first clock never jumps, the second is the time of the day. */
    RejectionSamples(LongSupplier nanos, LongSupplier millis) {
        this.nanos = nanos;
        this.millis = millis;
        begin = nanos.getAsLong();
    }

    /** Returns whether to take a sample of what is rejected now. If so, the caller must add it. */
    boolean isDue(Kind kind) {
        Kept kept = byOrdinal[kind.ordinal()];
        if (kept.refused) {
            return false;
        }
        AtomicLong wholeAt = kept.wholeAt;
        long now = nanos.getAsLong() - begin;
        while (true) {
            long before = wholeAt.get();
            long after = Math.max(before, now) + INTERVAL_NANOS;
            if (after - now > KEPT * INTERVAL_NANOS) {
                kept.refused = true;
                return false;
            }
            if (wholeAt.compareAndSet(before, after)) {
                return true;
            }
        }
    }

    /** Looks at the clock again for the next rejection. To be called often, such as before the source is read. */
    void resume() {
        for (Kept kept : byOrdinal) {
            if (kept.refused) {
                kept.refused = false;
            }
        }
    }

    /** Adds a sample, which replaces the oldest of its kind. The caller may reuse the bytes after the call. */
    void add(Kind kind, String partition, long position, String reason, byte[] bytes, int from, int length) {
        int shown = Math.min(length, WIDTH * MOST_BYTES_OF_CHARACTER);
        RejectedSample sample = new RejectedSample(
                kind,
                millis.getAsLong(),
                printable(partition),
                position,
                0,
                printable(String.valueOf(reason)),
                printable(new String(bytes, from, shown, StandardCharsets.UTF_8)));
        Kept kept = byOrdinal[kind.ordinal()];
        synchronized (kept) {
            kept.samples.addFirst(sample);
            if (kept.samples.size() > KEPT) {
                kept.samples.removeLast();
            }
        }
    }

    private static String printable(String text) {
        return TerminalText.show(text, WIDTH);
    }

    /** Returns the samples of all kinds, the newest first. */
    List<RejectedSample> newest() {
        List<RejectedSample> all = new ArrayList<>();
        for (Kept kept : byOrdinal) {
            synchronized (kept) {
                all.addAll(kept.samples);
            }
        }
        all.sort(Comparator.comparingLong(RejectedSample::timeMillis).reversed());
        return all;
    }
}
