package io.updraft.pipeline.source.generator;

import io.updraft.pipeline.connector.ReadAheadSource;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.timeseries.record.RecordChunk;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Generates records by rule. A position is the number of a record among all generated records, so with several units the
 * positions of each have gaps. A thread of the source generates ahead.
 */
public final class GeneratorSource extends ReadAheadSource {

    private static final int CAPACITY = 32;
    private static final int BYTES = 256 * 1024;
    private static final int MAX_RECORDS = 4096;
    /** With a rate, a chunk holds the records of this time at most, so that records come evenly. */
    private static final long NANOS_PER_CHUNK = 10_000_000L;

    private final SourceSpec.Generator spec;
    private final RecordGenerator maker;
    private final AtomicLong made = new AtomicLong();

    /** Starts to generate records. */
    public GeneratorSource(SourceSpec.Generator spec) {
        super("updraft-generator", CAPACITY);
        this.spec = spec;
        maker = new RecordGenerator(spec);
        start();
    }

    @Override
    public void read(Out out) throws InterruptedException {
        List<String> units = new ArrayList<>();
        for (int i = 0; i < spec.units(); i++) {
            units.add(spec.units() == 1 ? "generator" : "generator-" + i);
            out.put(new Event.Opened(units.get(i)));
        }
        long limit = spec.records() < 0 ? Long.MAX_VALUE : spec.records();
        long next = 0;
        long begun = System.nanoTime();
        for (int turn = 0; next < limit; turn = (turn + 1) % units.size()) {
            long count = Math.min(limit - next, inOneChunk());
            RecordChunk chunk = chunk(units.get(turn), next, (int) count);
            next += chunk.ends().length;
            await(begun, next);
            out.put(new Event.Records(chunk));
            made.set(next);
        }
        for (String unit : units) {
            out.put(new Event.Ended(unit));
        }
    }

    private long inOneChunk() {
        return spec.rate() == 0
                ? MAX_RECORDS
                : Math.max(1, Math.min(MAX_RECORDS, spec.rate() * NANOS_PER_CHUNK / 1_000_000_000L));
    }

    private RecordChunk chunk(String unit, long from, int count) {
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
        return new RecordChunk(unit, from, from + fitting, bytes, at, ends, positions, times);
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

    /** Does nothing: a run always begins with the first record. */
    @Override
    public void commit(UnitPosition commit) {}

    @Override
    public Progress progress() {
        return new Progress(made.get(), spec.records(), -1, "records");
    }
}
