package io.updraft.bench.child;

import io.updraft.bench.spec.ProgressRow;
import io.updraft.bench.spec.RunCounts;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Waits on the harness's thread and emits a progress row whenever one is due. */
final class ProgressClock {

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Supplier<Row> counter;
    private final long pollNanos;
    private final Consumer<ProgressRow> rows;
    private final long start = System.nanoTime();
    private long lastRow = start;
    private RunCounts last = RunCounts.NONE;

    record Row(RunCounts counts, int tasks) {}

    ProgressClock(Supplier<Row> counter, long pollMillis, Consumer<ProgressRow> rows) {
        this.counter = counter;
        this.pollNanos = TimeUnit.MILLISECONDS.toNanos(pollMillis);
        this.rows = rows;
    }

    /** Waits for a fixed time. */
    void pass(String status, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0; ) {
            long nanos = Math.min(end - System.nanoTime(), nanosToNextRow());
            TimeUnit.NANOSECONDS.sleep(Math.max(0, nanos));
            rowIfDue(status);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
    }

    /** Waits for a condition, checking every 5 ms; {@return whether it became true before the limit} */
    boolean await(String status, Duration limit, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end >= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(STEP_NANOS);
            rowIfDue(status);
        }
        return true;
    }

    private long nanosToNextRow() {
        return pollNanos == 0 ? Long.MAX_VALUE : lastRow + pollNanos - System.nanoTime();
    }

    private void rowIfDue(String status) {
        if (nanosToNextRow() > 0) {
            return;
        }
        long now = System.nanoTime();
        Row row = counter.get();
        RunCounts sum = row.counts();
        rows.accept(new ProgressRow(
                status, row.tasks(), millis(now - start), millis(now - lastRow), sum.since(last), sum.inFlight()));
        last = sum;
        lastRow = now;
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
