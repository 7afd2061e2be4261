package io.updraft.microbench;

import io.updraft.bench.topology.ZipfText;
import io.updraft.engine.mesh.SpscRing;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.tuple.Values;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.GroupThreads;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * The limit of {@code updraft bench --topology wordcount --spout 2 --bolt 4} on two cores: a keyed stream between two threads,
 * written as the shortest possible program. It has the user's work (sentences, a regular expression, values, counts), one tuple
 * for each word, and the hash of the fields grouping. It has no plan, no collectors, no timers, no counters and no tracking.
 *
 * <pre>
 *   thread 0   sentence ─► split ─► hash ─┬─► tuples of tasks 0, 2 ─► count ◄─┐
 *                                         └─► batch ─► SpscRing ──────────┐   │
 *   thread 1   sentence ─► split ─► hash ─┬─► batch ─► SpscRing ──────────│───┘
 *                                         └─► tuples of tasks 1, 3 ─► count ◄─┘
 * </pre>
 *
 * <p>One operation is one sentence, and {@code twoThreads} is the sum of both threads. The bench prints the same unit, un-acked:
 * its sentences/s divided by this figure are the engine's share of the limit. {@code userCodeAlone} is one thread without tuples,
 * groupings and batches. The difference between {@code none} and another crossing is the price of moving half of the words to
 * the other core. With {@code none} each thread has all four tasks, so its tables have twice as many words.
 *
 * <p>After each iteration the threads drain the rings. The iteration fails unless the counts add up to the number of words
 * emitted. Needs two idle cores: with fewer it measures the scheduler.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 4, time = 2)
@Fork(
        value = 2,
        jvmArgsAppend = {"-XX:+UseParallelGC", "-Xms2g", "-Xmx2g"})
public class BareWordCountBenchmark {

    /** Sentences that a thread takes before it looks into its ring. */
    static final int SENTENCES = 64;

    private static final int TASKS = 4;
    private static final int THREADS = 2;
    private static final int TUPLES = 512;
    private static final int VALUES = 256;
    private static final int RING = 16;
    private static final int SECONDS_TO_DRAIN = 30;
    private static final String SPOUT = "spout";
    private static final String SPLIT = "split";

    /**
     * One turn of one of the two threads.
     *
     * @param worker the calling thread's state
     */
    @Benchmark
    @Group("twoThreads")
    @GroupThreads(THREADS)
    @OperationsPerInvocation(SENTENCES)
    public void twoThreads(Worker worker) {
        worker.turn();
    }

    /**
     * The user's work of some sentences in one thread, with values but no tuples, one task and no batches.
     *
     * @param user the state
     */
    @Benchmark
    @OperationsPerInvocation(SENTENCES)
    public void userCodeAlone(User user) {
        user.turn();
    }

    /** The smallest tuple. */
    private record WordTuple(String source, List<Object> values) {}

    /** What moves between threads: tuples, or values only, with their tasks. Owned by one thread at a time. */
    private static final class Batch {

        private final Object[] items;
        private final int[] tasks;
        private int size;

        private Batch(int capacity) {
            items = new Object[capacity];
            tasks = new int[capacity];
        }

        /** {@return whether the batch is full now} */
        private boolean add(Object item, int task) {
            items[size] = item;
            tasks[size] = task;
            return ++size == items.length;
        }

        private void clear() {
            Arrays.fill(items, 0, size, null);
            size = 0;
        }
    }

    /** From one thread to the other, and the way back of empty batches. */
    private static final class Lane {

        private final SpscRing<Batch> full = new SpscRing<>(RING);
        private final SpscRing<Batch> empty = new SpscRing<>(2 * RING);
    }

    /** The user's counting bolt. */
    private static final class CountTask {

        private final Map<String, Integer> counts = new HashMap<>();

        /** Keeps the values from being optimized away. */
        private Values emitted;

        private void execute(List<Object> values) {
            String word = (String) values.get(0);
            Integer count = counts.merge(word, 1, Integer::sum);
            emitted = new Values(word, count);
        }

        private long counted() {
            return counts.values().stream().mapToLong(Integer::longValue).sum();
        }
    }

    /** The state of {@link #userCodeAlone}. */
    @State(Scope.Thread)
    public static class User {

        private final ZipfText text = new ZipfText(1);
        private long next;
        private final Values[] sentences = new Values[SENTENCES];
        private final CountTask task = new CountTask();
        private Values word;
        private long emitted;

        /** Creates a state with an empty table. */
        public User() {}

        private void turn() {
            Arrays.setAll(sentences, i -> new Values(text.sentence(next++)));
            for (Values sentence : sentences) {
                String[] words = ((String) sentence.get(0)).split("\\s+");
                for (String each : words) {
                    word = new Values(each);
                    task.execute(word);
                }
                emitted += words.length;
            }
        }

        /** Checks the counts. */
        @TearDown(Level.Iteration)
        public void check() {
            checkMissing(emitted - task.counted());
        }
    }

    /** What the two threads share. */
    @State(Scope.Group)
    public static class Pair {

        /**
         * What moves to the other thread: {@code none} (each thread counts all of its words, in tables of its own), {@code tuples}
         * (batches of 512 tuples), {@code walked} (the same; the receiver first reads one batch through, so that its cache misses
         * overlap) or {@code values} (batches of 256 values, walked; the receiver makes the tuples).
         */
        @Param({"none", "tuples", "walked", "values"})
        public String crossing;

        private final Lane[] lanes = {new Lane(), new Lane()};
        private final long[] missing = new long[THREADS];
        private final CyclicBarrier drained = new CyclicBarrier(THREADS);

        /** Creates empty lanes. */
        public Pair() {}
    }

    /** One of the two threads. */
    @State(Scope.Thread)
    public static class Worker {

        private final ZipfText text = new ZipfText(1);
        private long next;
        private final WordTuple[] sentences = new WordTuple[SENTENCES];
        private final CountTask[] tasks = new CountTask[TASKS];
        private final Batch own = new Batch(TUPLES);
        private Pair pair;
        private int index;
        private boolean crosses;
        private boolean walks;
        private boolean valuesOnly;
        private Lane out;
        private Lane in;
        private Batch away;
        private boolean ended;
        private long emitted;

        /** Keeps the walk from being optimized away. */
        private int walked;

        /** Creates a thread with empty tables. */
        public Worker() {
            Arrays.setAll(tasks, i -> new CountTask());
        }

        /**
         * Connects the two threads.
         *
         * @param shared what they share
         * @param thread says which of the two this is
         */
        @Setup
        public void connect(Pair shared, ThreadParams thread) {
            pair = shared;
            index = thread.getSubgroupThreadIndex();
            crosses = !shared.crossing.equals("none");
            valuesOnly = shared.crossing.equals("values");
            walks = valuesOnly || shared.crossing.equals("walked");
            out = shared.lanes[index];
            in = shared.lanes[1 - index];
            away = emptyBatch();
        }

        private void turn() {
            Arrays.setAll(sentences, i -> new WordTuple(SPOUT, new Values(text.sentence(next++))));
            for (WordTuple sentence : sentences) {
                split(sentence.values());
            }
            receive();
        }

        private void split(List<Object> sentence) {
            String[] words = ((String) sentence.get(0)).split("\\s+");
            for (String word : words) {
                emit(new Values(word));
            }
            emitted += words.length;
        }

        private void emit(Values values) {
            // 31: the hash that a list with this one element has, which is what Storm takes.
            int task = Math.floorMod(31 + values.get(0).hashCode(), TASKS);
            if (crosses && task % THREADS != index) {
                if (away.add(valuesOnly ? values : new WordTuple(SPLIT, values), task)) {
                    ship();
                }
            } else if (own.add(new WordTuple(SPLIT, values), task)) {
                execute(own);
            }
        }

        /** Hands the batch over. While the ring is full, this thread works off its own input instead. */
        private void ship() {
            while (!out.full.offer(away)) {
                if (!receive()) {
                    Thread.onSpinWait();
                }
            }
            away = emptyBatch();
        }

        private Batch emptyBatch() {
            Batch returned = out.empty.poll();
            return returned == null ? new Batch(valuesOnly ? VALUES : TUPLES) : returned;
        }

        /** {@return whether a batch was there} */
        private boolean receive() {
            boolean any = false;
            for (Batch batch = in.full.poll(); batch != null; batch = in.full.poll()) {
                any = true;
                ended |= batch.size == 0;
                if (walks) {
                    walk(batch);
                }
                execute(batch);
                in.empty.offer(batch);
            }
            return any;
        }

        private void walk(Batch batch) {
            int sum = 0;
            for (int i = 0; i < batch.size; i++) {
                List<Object> values = valuesOnly ? asValues(batch.items[i]) : ((WordTuple) batch.items[i]).values();
                sum += batch.tasks[i] + values.size() + values.get(0).hashCode();
            }
            walked = sum;
        }

        private void execute(Batch batch) {
            for (int i = 0; i < batch.size; i++) {
                Object item = batch.items[i];
                WordTuple tuple = item instanceof WordTuple made ? made : new WordTuple(SPLIT, asValues(item));
                tasks[batch.tasks[i]].execute(tuple.values());
            }
            batch.clear();
        }

        private static Values asValues(Object item) {
            return (Values) item;
        }

        /**
         * Sends what is left, then an empty batch as the end, works off what the other thread sends up to its end, and checks the
         * counts of both.
         *
         * @throws InterruptedException if JMH ends the thread
         * @throws BrokenBarrierException if the other thread failed
         * @throws TimeoutException if the other thread does not arrive
         */
        @TearDown(Level.Iteration)
        public void drain() throws InterruptedException, BrokenBarrierException, TimeoutException {
            execute(own);
            if (away.size > 0) {
                ship();
            }
            ship();
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_TO_DRAIN);
            while (!ended && System.nanoTime() < deadline) {
                receive();
            }
            ended = false;
            pair.missing[index] =
                    emitted - Arrays.stream(tasks).mapToLong(CountTask::counted).sum();
            pair.drained.await(SECONDS_TO_DRAIN, TimeUnit.SECONDS);
            checkMissing(Arrays.stream(pair.missing).sum());
        }
    }

    private static void checkMissing(long words) {
        if (words != 0) {
            throw new IllegalStateException(words + " words were emitted and not counted");
        }
    }
}
