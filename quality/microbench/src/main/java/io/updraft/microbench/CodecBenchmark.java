package io.updraft.microbench;

import io.updraft.cluster.codec.BatchDecoder;
import io.updraft.cluster.codec.BatchEncoder;
import io.updraft.cluster.codec.CodecException;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.serialization.KryoTupleDeserializer;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of encoding a tracked tuple to bytes and decoding it, compared with the limit and with Storm.
 *
 * <pre>
 *   limitEncode   System.arraycopy of as many bytes as a tuple takes here
 *   limitDecode   a new array of as many bytes, copied
 *   encode        BatchEncoder, 512 tuples in a frame
 *   decode        BatchDecoder, the same
 *   stormEncode   KryoTupleSerializer, a byte[] for each tuple
 *   stormDecode   KryoTupleDeserializer
 * </pre>
 *
 * <p>One operation is one tuple. Run with {@code -prof gc} to see the allocated bytes: encoding allocates none.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CodecBenchmark {

    private static final int TUPLES = 512;
    private static final int MAX_FRAME = 64 * 1024 * 1024;

    /** The values: ten bytes, a thousand, or a word with a count. */
    @Param({"10B", "1KB", "StringLong"})
    private String values;

    private Batch batch;
    private BatchEncoder encoder;
    private BatchDecoder decoder;
    private ByteBuffer frame;
    private byte[] copyFrom;
    private byte[] copyTo;
    private int bytesEach;

    private KryoTupleSerializer serializer;
    private KryoTupleDeserializer deserializer;
    private Tuple[] stormTuples;
    private byte[][] stormBytes;

    /**
     * Makes everything, and checks that a frame holds what was put in.
     *
     * @throws CodecException never
     */
    @Setup
    public void setUp() throws CodecException {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.cluster.mode", "distributed");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new TestWordSpout());
        builder.setBolt("bolt", new TestGlobalCount()).shuffleGrouping("spout");
        Plan plan = Planner.plan("bench", "bench-1", builder.createTopology(), conf, EngineSettings.of(conf));
        int spoutTask = plan.component("spout").taskIds()[0];
        GeneralTopologyContext context = new GeneralTopologyContext(
                plan.topology(),
                conf,
                Map.of(spoutTask, "spout"),
                Map.of("spout", List.of(spoutTask)),
                Map.of("spout", Map.of("default", new Fields("word"))),
                "bench");
        setUpOurs(plan, context, spoutTask);
        setUpStorm(conf, context, spoutTask);
    }

    private void setUpOurs(Plan plan, GeneralTopologyContext context, int spoutTask) throws CodecException {
        Origin origin = Origin.of("spout", "default", spoutTask, new Fields("word"), context);
        batch = new Batch();
        for (int i = 0; i < TUPLES; i++) {
            batch.add(
                    EngineTuple.first(
                            origin, newValues(), plan.component("spout").executors()[0], 1_000_000 + i),
                    plan.component("bolt").taskIds()[0]);
        }
        encoder = new BatchEncoder(plan, MAX_FRAME, MAX_FRAME, refusal -> fail(refusal.reason()));
        decoder = new BatchDecoder(plan, 0, context, refusal -> fail(refusal.reason()));
        // The first frame declares the stream; those after it are all alike, and the decoder may read one of them
        // often.
        decoder.decode(copyOfFrame());
        frame = copyOfFrame();
        Batch arrived = decoder.decode(frame);
        if (arrived.tupleCount() != TUPLES
                || arrived.tuple(1).size() != newValues().size()) {
            fail("the frame does not hold what was put in");
        }
        bytesEach = frame.limit() / TUPLES;
        copyFrom = frame.array();
        copyTo = new byte[copyFrom.length];
    }

    private void setUpStorm(Map<String, Object> conf, GeneralTopologyContext context, int spoutTask) {
        serializer = new KryoTupleSerializer(conf, context);
        deserializer = new KryoTupleDeserializer(conf, context);
        stormTuples = new Tuple[TUPLES];
        stormBytes = new byte[TUPLES][];
        for (int i = 0; i < TUPLES; i++) {
            // As in Storm, roots and edges are random.
            MessageId id = MessageId.makeRootId(i * 0x9E3779B97F4A7C15L, i * 0xBF58476D1CE4E5B9L);
            stormTuples[i] = new TupleImpl(context, newValues(), "spout", spoutTask, "default", id);
            stormBytes[i] = serializer.serialize(stormTuples[i]);
        }
    }

    private Values newValues() {
        return switch (values) {
            case "10B" -> new Values(new byte[10]);
            case "1KB" -> new Values(new byte[1024]);
            default -> new Values("benchmark", 123_456L);
        };
    }

    private static void fail(String reason) {
        throw new IllegalStateException(reason);
    }

    private ByteBuffer copyOfFrame() {
        encoder.start(batch);
        ByteBuffer encoded = encoder.frame();
        ByteBuffer copy = ByteBuffer.allocate(encoded.remaining()).put(encoded).flip();
        encoder.sent();
        encoder.frame();
        return copy;
    }

    /** {@return what was copied to} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public byte[] limitEncode() {
        int each = bytesEach;
        for (int at = 0, i = 0; i < TUPLES; i++, at += each) {
            System.arraycopy(copyFrom, at, copyTo, at, each);
        }
        return copyTo;
    }

    /** {@return the copies} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public byte[][] limitDecode() {
        int each = bytesEach;
        byte[][] copies = new byte[TUPLES][];
        for (int at = 0, i = 0; i < TUPLES; i++, at += each) {
            copies[i] = new byte[each];
            System.arraycopy(copyFrom, at, copies[i], 0, each);
        }
        return copies;
    }

    /** {@return length of the frame} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int encode() {
        encoder.start(batch);
        int length = encoder.frame().remaining();
        encoder.sent();
        encoder.frame();
        return length;
    }

    /**
     * Decodes.
     *
     * @return the tuples
     * @throws CodecException never
     */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public Batch decode() throws CodecException {
        return decoder.decode(frame);
    }

    /** {@return bytes of all tuples} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public int stormEncode() {
        int length = 0;
        for (Tuple tuple : stormTuples) {
            length += serializer.serialize(tuple).length;
        }
        return length;
    }

    /** {@return the last tuple} */
    @Benchmark
    @OperationsPerInvocation(TUPLES)
    public Tuple stormDecode() {
        Tuple last = null;
        for (byte[] bytes : stormBytes) {
            last = deserializer.deserialize(bytes);
        }
        return last;
    }
}
