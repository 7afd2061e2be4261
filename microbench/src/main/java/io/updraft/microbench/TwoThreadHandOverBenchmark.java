package io.updraft.microbench;

import java.util.concurrent.TimeUnit;
import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What two threads hand over to each other through JCTools' queue: the rate to compare our ring with.
 *
 * <pre>
 *   offer (thread 1) ─► SpscArrayQueue(1024) ─► poll (thread 2)
 * </pre>
 *
 * <p>The rate of hand-overs is the counter {@code received}; calls that found the queue full or empty are not in it.
 * Needs two cores to itself: with fewer it measures the scheduler.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TwoThreadHandOverBenchmark {

    private static final Integer ITEM = 1;

    private final SpscArrayQueue<Integer> queue = new SpscArrayQueue<>(1024);

    /** What the consumer counted. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Consumed {

        /** References that arrived. */
        public long received;

        /** Creates a count of nothing. */
        public Consumed() {}
    }

    /**
     * One try to hand over.
     *
     * @return whether there was room
     */
    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public boolean offer() {
        boolean handedOver = queue.offer(ITEM);
        if (!handedOver) {
            Thread.onSpinWait();
        }
        return handedOver;
    }

    /**
     * One try to receive.
     *
     * @param consumed where arrivals are counted
     * @return what arrived, or null
     */
    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public Integer poll(Consumed consumed) {
        Integer item = queue.poll();
        if (item == null) {
            Thread.onSpinWait();
        } else {
            consumed.received++;
        }
        return item;
    }

    /** Starts every iteration with an empty queue. */
    @TearDown(Level.Iteration)
    public void drain() {
        queue.clear();
    }
}
