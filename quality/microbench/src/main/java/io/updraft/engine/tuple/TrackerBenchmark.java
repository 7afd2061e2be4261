package io.updraft.engine.tuple;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
 * Measures the cost of tracking a tuple tree from its message to its completion, with {@value #TREES} trees in flight. The
 * limit is a plain array loop that XORs twice. The comparison is a hash map, as in Storm's acker.
 *
 * <pre>
 *   plainArray  cells[i] = edge; cells[i] ^= edge; count those that are zero
 *   onlyEdge    TreeTracker: open, closeIfOnlyEdge      a message to one task, acked there or handed on one to one
 *   twoEdges    TreeTracker: open, begin, ack, ack, close     a message to two tasks
 *   slowThird   TreeTracker: as onlyEdge, but each third tree stays until {@value #SLOW} more such have been opened
 *   hashMap     put(root, {edge}), get, XOR, remove           as in org.apache.storm.daemon.Acker
 * </pre>
 *
 * <p>One operation is one tree. Each method checks that all trees were completed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TrackerBenchmark {

    static final int TREES = 1024;

    /** Trees that stay in flight: those of half a second at 400,000 a second. */
    static final int SLOW = 64 * 1024;

    private final TreeTracker tracker = new TreeTracker(2 * TREES, false, 1, 1);
    private final TreeTracker mixed = new TreeTracker(TREES / 2, false, 1, 1);
    private final long[] slow = new long[SLOW];
    private int nextSlow;
    private final Map<Long, long[]> map = new HashMap<>();
    private final long[] cells = new long[TREES];
    private final long[] roots = new long[TREES];
    private final Object[] ids = new Object[TREES];
    private long nextRoot = 0x5EED;

    /** Creates the state of one thread. */
    public TrackerBenchmark() {}

    /** Makes the message ids once: what is measured is the tracking. */
    @Setup
    public void makeIds() {
        for (int i = 0; i < TREES; i++) {
            ids[i] = i;
        }
    }

    /** {@return the number of trees completed in a plain array} */
    @Benchmark
    @OperationsPerInvocation(TREES)
    public int plainArray() {
        for (int i = 0; i < TREES; i++) {
            cells[i] = edge(i);
        }
        int complete = 0;
        for (int i = 0; i < TREES; i++) {
            cells[i] ^= edge(i);
            complete += cells[i] == 0 ? 1 : 0;
        }
        return checked(complete);
    }

    /** {@return the number of trees completed by their only edge} */
    @Benchmark
    @OperationsPerInvocation(TREES)
    public int onlyEdge() {
        tracker.at(roots[0]);
        for (int i = 0; i < TREES; i++) {
            roots[i] = tracker.open(ids[i]);
        }
        int complete = 0;
        for (int i = 0; i < TREES; i++) {
            complete += tracker.closeIfOnlyEdge(roots[i]) == ids[i] ? 1 : 0;
        }
        return checked(complete);
    }

    /** {@return the number of trees completed by the second of two edges} */
    @Benchmark
    @OperationsPerInvocation(TREES)
    public int twoEdges() {
        tracker.at(roots[0]);
        for (int i = 0; i < TREES; i++) {
            roots[i] = tracker.open(ids[i]);
            tracker.begin(roots[i], edge(i) ^ edge(~i));
        }
        int complete = 0;
        for (int i = 0; i < TREES; i++) {
            tracker.ack(roots[i], edge(i));
        }
        for (int i = 0; i < TREES; i++) {
            if (tracker.ack(roots[i], edge(~i)) && tracker.messageId(roots[i]) == ids[i]) {
                tracker.close(roots[i]);
                complete++;
            }
        }
        return checked(complete);
    }

    /** {@return the number of trees completed, of which a third was opened long ago} */
    @Benchmark
    @OperationsPerInvocation(TREES)
    public int slowThird() {
        mixed.at(roots[0]);
        int complete = 0;
        for (int i = 0; i < TREES; i++) {
            long root = mixed.open(ids[i]);
            if (i % 3 == 0) {
                long old = slow[nextSlow];
                slow[nextSlow] = root;
                nextSlow = nextSlow + 1 == SLOW ? 0 : nextSlow + 1;
                root = old;
            }
            complete += root == 0 || complete(mixed, root) ? 1 : 0;
        }
        return checked(complete);
    }

    private static boolean complete(TreeTracker tracker, long root) {
        if (tracker.closeIfOnlyEdge(root) != null) {
            return true;
        }
        boolean complete = tracker.ack(root, tracker.edgeOf(root));
        tracker.close(root);
        return complete;
    }

    /** {@return the number of trees completed in a hash map} */
    @Benchmark
    @OperationsPerInvocation(TREES)
    public int hashMap() {
        for (int i = 0; i < TREES; i++) {
            // Storm's roots are random.
            roots[i] = edge(nextRoot++);
            map.put(roots[i], new long[] {edge(i)});
        }
        int complete = 0;
        for (int i = 0; i < TREES; i++) {
            long[] tree = map.get(roots[i]);
            tree[0] ^= edge(i);
            if (tree[0] == 0) {
                map.remove(roots[i]);
                complete++;
            }
        }
        return checked(complete);
    }

    private static long edge(long i) {
        return i * 0x9E3779B97F4A7C15L | 1;
    }

    private int checked(int complete) {
        if (complete != TREES || tracker.inFlight() != 0 || !map.isEmpty()) {
            throw new IllegalStateException("completed " + complete + " trees, not " + TREES);
        }
        return complete;
    }
}
