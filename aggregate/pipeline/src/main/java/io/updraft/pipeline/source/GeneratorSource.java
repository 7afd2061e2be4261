package io.updraft.pipeline.source;

import io.updraft.base.record.Chunk;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.SourceSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Generates records by rule. A position is the number of a record among all generated records, so with several partitions the
 * positions of each have gaps. A thread of the source generates ahead.
 */
final class GeneratorSource extends ReadAheadSource {

    private static final int CAPACITY = 32;
    private static final int BYTES = 256 * 1024;
    private static final int MAX_RECORDS = 4096;
    /** With a rate, a chunk holds the records of this time at most, so that records come evenly. */
    private static final long NANOS_PER_CHUNK = 10_000_000L;

    private final SourceSpec.Generator spec;
    private final RecordGenerator maker;
    private final AtomicLong made = new AtomicLong();

    public GeneratorSource(SourceSpec.Generator spec) {
        super("updraft-generator", CAPACITY);
        this.spec = spec;
        maker = new RecordGenerator(spec);
        start();
    }

    @Override
    public void read(Out out) throws InterruptedException {
        List<String> partitions = new ArrayList<>();
        for (int i = 0; i < spec.units(); i++) {
            partitions.add(spec.units() == 1 ? "generator" : "generator-" + i);
            out.put(new Event.Opened(partitions.get(i)));
        }
        long limit = spec.records() < 0 ? Long.MAX_VALUE : spec.records();
        long next = 0;
        long begun = System.nanoTime();
        for (int turn = 0; next < limit; turn = (turn + 1) % partitions.size()) {
            long count = Math.min(limit - next, inOneChunk());
            Chunk chunk = chunk(partitions.get(turn), next, (int) count);
            next += chunk.ends().length;
            await(begun, next);
            out.put(chunk);
            made.set(next);
        }
        for (String partition : partitions) {
            out.put(new Event.Ended(partition));
        }
    }

    private long inOneChunk() {
        return spec.rate() == 0
                ? MAX_RECORDS
                : Math.max(1, Math.min(MAX_RECORDS, spec.rate() * NANOS_PER_CHUNK / 1_000_000_000L));
    }

    private Chunk chunk(String partition, long from, int count) {
        int fitting = Math.min(count, Math.max(1, BYTES / maker.maxLength()));
        byte[] bytes = new byte[fitting * maker.maxLength()];
        int[] ends = new int[fitting];
        long[] positions = new long[fitting];
        long[] times = new long[fitting];
        int at = 0;
        for (int i = 0; i < fitting; i++) {
            at = maker.write(from + i, bytes, at) - 1;
            ends[i] = at;
            positions[i] = from + i;
            times[i] = maker.time(from + i);
        }
        return new Chunk(partition, from, from + fitting, bytes, at, ends, positions, times);
    }

    private void await(long begun, long number) throws InterruptedException {
        if (spec.rate() == 0) {
            return;
        }
        long due = begun + (long) (number * 1e9 / spec.rate());
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    @Override
    public SourceProgress progress() {
        return new SourceProgress(made.get(), spec.records(), -1, "records");
    }

    /**
     * Writes the bytes of generated records. A record is a function of the seed and its number alone, so any part can be
     * generated again. Numbers are scattered with the finalizer of SplitMix64 (Steele, Lea, Flood 2014). Any thread may use it.
     */
    private static final class RecordGenerator {

        private static final long GOLDEN = 0x9E3779B97F4A7C15L;
        private static final int MEASURE_VALUES = 1000;

        private final long seed;
        private final long startNanosPart;
        private final long startMillis;
        private final long stepNanos;
        private final List<Part> parts = new ArrayList<>();
        private final byte[] begin;
        private final byte[] end;
        private final int maxLength;

        /**
         * A variable part of a record, and the text around it.
         *
         * @param prefix the text that the value begins with
         * @param values how many different values there are
         */
        private record Part(byte[] before, byte[] prefix, long values, byte[] after) {}

        RecordGenerator(SourceSpec.Generator spec) {
            seed = spec.seed();
            startMillis = spec.start().toEpochMilli();
            startNanosPart = spec.start().getNano() % 1_000_000;

            stepNanos = spec.step().toNanos();
            boolean json = spec.format() == SourceSpec.Generator.Format.JSON;
            begin = ascii(json ? "{\"" + spec.time() + "\":" : "");
            end = ascii(json ? "}\n" : "\n");
            for (Map.Entry<String, Long> dimension : spec.dimensions().entrySet()) {
                String before = json ? ",\"" + dimension.getKey() + "\":\"" : ",";
                parts.add(new Part(ascii(before), ascii("v"), dimension.getValue(), ascii(json ? "\"" : "")));
            }
            for (String measure : spec.measures()) {
                parts.add(new Part(ascii(json ? ",\"" + measure + "\":" : ","), ascii(""), MEASURE_VALUES, ascii("")));
            }
            int length = begin.length + end.length + 20;
            for (Part part : parts) {
                length += part.before.length + part.after.length + 21;
            }
            maxLength = length;
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        int maxLength() {
            return maxLength;
        }

        /** Returns the time of a record, in milliseconds since 1970. */
        long time(long number) {
            return startMillis + Math.floorDiv(startNanosPart + number * stepNanos, 1_000_000L);
        }

        int write(long number, byte[] bytes, int from) {
            int at = copy(begin, bytes, from);
            at = digits(time(number), bytes, at);
            long state = seed + number * GOLDEN * (parts.size() + 1);
            for (int i = 0; i < parts.size(); i++) {
                Part part = parts.get(i);
                state += GOLDEN;
                at = copy(part.before, bytes, at);
                at = copy(part.prefix, bytes, at);
                at = digits(Math.multiplyHigh(mix(state) >>> 1, part.values << 1), bytes, at);
                at = copy(part.after, bytes, at);
            }
            return copy(end, bytes, at);
        }

        private static long mix(long state) {
            long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
            z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
            return z ^ (z >>> 31);
        }

        private static int copy(byte[] text, byte[] bytes, int at) {
            System.arraycopy(text, 0, bytes, at, text.length);
            return at + text.length;
        }

        private static int digits(long value, byte[] bytes, int from) {
            if (value < 0) {
                bytes[from] = '-';
                return digits(-value, bytes, from + 1);
            }
            int length = 1;
            for (long rest = value / 10; rest > 0; rest /= 10) {
                length++;
            }
            long rest = value;
            for (int at = from + length - 1; at >= from; at--) {
                bytes[at] = (byte) ('0' + rest % 10);
                rest /= 10;
            }
            return from + length;
        }
    }
}
