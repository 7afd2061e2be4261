package io.updraft.microbench;

import io.updraft.engine.mesh.SpscRing;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of one thread offering a reference to Updraft's ring and polling it. The limit is a plain array loop. The
 * comparison is JCTools' queue.
 *
 * <pre>
 *   plainArray       items ─► slots[] ─► sum      no index is shared: no queue can be faster
 *   jctoolsOneByOne  items ─► SpscArrayQueue ─► sum, offer and poll in turn
 *   jctoolsBatch     the same, {@value #BATCH} offers and then {@value #BATCH} polls
 *   ringOneByOne     items ─► SpscRing ─► sum, offer and poll in turn
 *   ringBatch        the same, {@value #BATCH} offers and then {@value #BATCH} polls
 * </pre>
 *
 * <p>One operation is one reference offered and polled. Each method checks the sum of the polled items.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HandOverBenchmark {

    static final int BATCH = 1024;

    private static final long EXPECTED = (long) BATCH * (BATCH - 1) / 2;

    private final Integer[] items = new Integer[BATCH];
    private final Integer[] slots = new Integer[BATCH];
    private final SpscRing<Integer> ring = new SpscRing<>(BATCH);
    private final SpscArrayQueue<Integer> queue = new SpscArrayQueue<>(BATCH);

    /** Makes the references once: what is measured is the hand-over, not allocation. */
    @Setup
    public void makeItems() {
        for (int i = 0; i < BATCH; i++) {
            items[i] = i;
        }
    }

    /** {@return the sum of what was handed over through a plain array} */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long plainArray() {
        for (int i = 0; i < BATCH; i++) {
            slots[i] = items[i];
        }
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += slots[i];
            slots[i] = null;
        }
        return checked(sum);
    }

    /** {@return the sum of what was handed over through JCTools' queue, one at a time} */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long jctoolsOneByOne() {
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            queue.offer(items[i]);
            sum += queue.poll();
        }
        return checked(sum);
    }

    /** {@return the sum of what was handed over through JCTools' queue, a batch at a time} */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long jctoolsBatch() {
        for (int i = 0; i < BATCH; i++) {
            queue.offer(items[i]);
        }
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += queue.poll();
        }
        return checked(sum);
    }

    /** {@return the sum of what was handed over through our ring, one at a time} */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long ringOneByOne() {
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            ring.offer(items[i]);
            sum += ring.poll();
        }
        return checked(sum);
    }

    /** {@return the sum of what was handed over through our ring, a batch at a time} */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long ringBatch() {
        for (int i = 0; i < BATCH; i++) {
            ring.offer(items[i]);
        }
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += ring.poll();
        }
        return checked(sum);
    }

    private static long checked(long sum) {
        if (sum != EXPECTED) {
            throw new IllegalStateException("handed over " + sum + ", not " + EXPECTED);
        }
        return sum;
    }
}
