package io.updraft.microbench;

import io.updraft.engine.mesh.SpscRing;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.SpscArrayQueue;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the throughput from one thread to another through Updraft's ring and, as the limit, through JCTools' queue.
 *
 * <pre>
 *   jctools   offer (thread 1) ─► SpscArrayQueue(1024) ─► poll (thread 2)
 *   ring      offer (thread 1) ─► SpscRing(1024)       ─► poll (thread 2)
 * </pre>
 *
 * <p>The counter {@code received} is the throughput; it excludes calls that found the queue full or empty. The consumer checks
 * that all items arrive in order and without a gap. Needs two idle cores: with fewer it measures the scheduler.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TwoThreadHandOverBenchmark {

    private static final int ITEMS = 1024;

    private final SpscArrayQueue<Integer> queue = new SpscArrayQueue<>(1024);
    private final SpscRing<Integer> ring = new SpscRing<>(1024);
    private final Integer[] items = new Integer[ITEMS];

    /** Makes the references once: what is measured is the hand-over, not allocation. */
    @Setup
    public void makeItems() {
        for (int i = 0; i < ITEMS; i++) {
            items[i] = i;
        }
    }

    /** The producer's own state. */
    @State(Scope.Thread)
    public static class Producer {

        private int next;

        /** Creates a producer that offers the first item next. */
        public Producer() {}

        private boolean offered(boolean handedOver) {
            if (handedOver) {
                next = (next + 1) % ITEMS;
            } else {
                Thread.onSpinWait();
            }
            return handedOver;
        }
    }

    /** The consumer's own state. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Consumer {

        /** References that arrived. */
        public long received;

        private int next;

        /** Creates a consumer that expects the first item next. */
        public Consumer() {}

        private Integer polled(Integer item) {
            if (item == null) {
                Thread.onSpinWait();
            } else {
                if (item != next) {
                    throw new IllegalStateException("received " + item + ", not " + next);
                }
                next = (next + 1) % ITEMS;
                received++;
            }
            return item;
        }
    }

    /**
     * One try to hand over through JCTools' queue.
     *
     * @param producer the calling thread's state
     * @return whether there was room
     */
    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public boolean offerToJctools(Producer producer) {
        return producer.offered(queue.offer(items[producer.next]));
    }

    /**
     * One try to receive through JCTools' queue.
     *
     * @param consumer the calling thread's state
     * @return what arrived, or null
     */
    @Benchmark
    @Group("jctools")
    @GroupThreads(1)
    public Integer pollFromJctools(Consumer consumer) {
        return consumer.polled(queue.poll());
    }

    /**
     * One try to hand over through our ring.
     *
     * @param producer the calling thread's state
     * @return whether there was room
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    public boolean offerToRing(Producer producer) {
        return producer.offered(ring.offer(items[producer.next]));
    }

    /**
     * One try to receive through our ring.
     *
     * @param consumer the calling thread's state
     * @return what arrived, or null
     */
    @Benchmark
    @Group("ring")
    @GroupThreads(1)
    public Integer pollFromRing(Consumer consumer) {
        return consumer.polled(ring.poll());
    }
}
