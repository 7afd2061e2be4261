package io.updraft.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** For any bytes, the decoder ends, stays within the frame, and either reports the error or delivers the valid tuples. */
@Tag("one-jdk")
final class MalformedFramesTest {

    /** Around each frame, so that reading beyond it would be seen: as items these would be valid tuples. */
    private static final int MARGIN = 16;

    /** Frames that the slow test mutates, 150 times each. */
    private static final int MANY_SEEDS = Integer.getInteger("updraft.seeds", 250);

    private static final Pattern MESSAGE = Pattern.compile("malformed frame, at byte (\\d+): \\S.*");
    private static final Consumer<RefusedTuple> IGNORE = refusal -> {};

    private final TestPlan test = TestPlan.create();
    private final BatchEncoder encoder = test.encoder(BatchRoundTripTest.NOBODY);
    private final BatchDecoder decoder = test.decoder(IGNORE);

    /** The first frame of a connection. */
    private byte[] frame(long seed, int kryoEvery) {
        encoder.reset();
        RandomBatches batches = new RandomBatches(test, seed, kryoEvery);
        ByteBuffer frame = null;
        while (frame == null) {
            encoder.start(batches.next());
            frame = encoder.frame();
        }
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        encoder.drop();
        return bytes;
    }

    /** Returns what was delivered, or null if the frame was malformed. */
    private Batch decode(byte[] bytes, String what) {
        byte[] there = new byte[bytes.length + 2 * MARGIN];
        System.arraycopy(bytes, 0, there, MARGIN, bytes.length);
        ByteBuffer frame = ByteBuffer.wrap(there, MARGIN, bytes.length);
        decoder.reset();
        try {
            return decoder.decode(frame);
        } catch (CodecException e) {
            Matcher message = MESSAGE.matcher(e.getMessage());
            assertThat(message.matches()).as(what + ": " + e).isTrue();
            assertThat(Integer.parseInt(message.group(1))).as(what).isBetween(0, bytes.length);
            return null;
        } catch (Throwable e) {
            throw new AssertionError(what + ": " + e + " for " + Arrays.toString(bytes), e);
        }
    }

    private static void shouldBeUsable(Batch batch, int length, String what) {
        if (batch != null) {
            assertThat(batch.tupleCount()).as(what).isLessThanOrEqualTo(length);
            assertThat(batch.reportCount()).as(what).isLessThanOrEqualTo(length);
            BatchDescription.of(batch);
        }
    }

    @Test
    void shouldSurviveRandomBytes() {
        for (int seed = 1; seed <= 50_000; seed++) {
            decodeRandomBytes(seed);
        }
    }

    @Test
    void shouldSurviveMutationsOfValidFrames() {
        for (int seed = 1; seed <= 500; seed++) {
            decodeMutations(frame(seed, 0), seed, 100);
        }
    }

    @Test
    void shouldSurviveMutationsOfFramesWithValuesOfKryos() {
        for (int seed = 1; seed <= 200; seed++) {
            decodeMutations(frame(seed, 3), seed, 50);
        }
    }

    @Tag("long")
    @Test
    void shouldSurviveVeryManyMutations() {
        for (int seed = 1_000; seed < 1_000 + MANY_SEEDS; seed++) {
            decodeRandomBytes(seed + 100_000);
            decodeMutations(frame(seed, seed % 3), seed, 150);
        }
    }

    private void decodeRandomBytes(long seed) {
        Random random = new Random(seed);
        byte[] bytes = new byte[1 + random.nextInt(200)];
        random.nextBytes(bytes);
        bytes[0] = BatchLayout.VERSION;
        bytes[bytes.length - 1] = BatchLayout.END;
        String what = "random bytes of seed " + seed;
        shouldBeUsable(decode(bytes, what), bytes.length, what);
    }

    private void decodeMutations(byte[] valid, long seed, int count) {
        Random random = new Random(seed);
        for (int i = 0; i < count; i++) {
            byte[] bytes = mutate(valid, random);
            String what = "seed " + seed + ", mutation " + i;
            shouldBeUsable(decode(bytes, what), bytes.length, what);
        }
    }

    private static byte[] mutate(byte[] valid, Random random) {
        byte[] bytes = valid.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt();
                case 2 -> Arrays.fill(bytes, at, Math.min(bytes.length, at + random.nextInt(6)), (byte) 0xFF);
                case 3 -> {
                    // A piece from elsewhere: valid items at a place where they do not belong.
                    int from = random.nextInt(bytes.length);
                    int length = Math.min(random.nextInt(20), bytes.length - Math.max(at, from));
                    System.arraycopy(valid, from, bytes, at, length);
                }
                default -> bytes = without(bytes, at, Math.min(bytes.length - at, 1 + random.nextInt(4)));
            }
            if (bytes.length == 0) {
                return new byte[] {0};
            }
        }
        return bytes;
    }

    private static byte[] without(byte[] bytes, int at, int count) {
        byte[] rest = new byte[bytes.length - count];
        System.arraycopy(bytes, 0, rest, 0, at);
        System.arraycopy(bytes, at + count, rest, at, rest.length - at);
        return rest;
    }

    @Test
    void shouldRefuseTruncatedFrames() {
        for (int seed = 1; seed <= 20; seed++) {
            byte[] valid = frame(seed, 5);
            assertThat(decode(valid, "seed " + seed)).isNotNull();
            for (int length = 0; length < valid.length; length += valid.length > 2_000 ? 29 : 1) {
                String what = "seed " + seed + ", truncated to " + length;
                assertThat(decode(Arrays.copyOf(valid, length), what)).as(what).isNull();
            }
        }
    }

    @Test
    void shouldDeliverNothingOfAMalformedFrame() {
        byte[] valid = frame(1, 0);
        byte[] longer = Arrays.copyOf(valid, valid.length + 1);
        Batch whole = decode(valid, "valid");
        BatchDescription before = BatchDescription.of(whole);
        assertThat(before.tuples()).isNotEmpty();
        assertThat(decode(longer, "longer")).isNull();
        assertThat(BatchDescription.of(whole)).as("what was delivered before").isEqualTo(before);
        assertThatThrownBy(() -> decoder.decode(ByteBuffer.wrap(valid)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("an earlier frame was malformed");
    }

    @Test
    void shouldReportNoRefusalOfAMalformedFrame() {
        List<String> reasons = new ArrayList<>();
        BatchDecoder strict = test.decoder(refusal -> reasons.add(refusal.reason()));
        byte[] declaration = {BatchLayout.VERSION, BatchLayout.DECLARATION, (byte) test.task("words", 0), 0x40 + 7};
        byte[] brokenValue = {
            BatchLayout.SOURCE | BatchLayout.TARGET, 0, 2, (byte) test.task("split", 0), BatchLayout.KRYO, 1, 127
        };
        ByteBuffer frame = ByteBuffer.allocate(100);
        frame.put(declaration).put("default".getBytes()).put(brokenValue);
        int end = frame.position();
        frame.put((byte) 0x50).flip();
        assertThatThrownBy(() -> strict.decode(frame)).isInstanceOf(CodecException.class);
        assertThat(reasons).isEmpty();
        frame.put(end, (byte) BatchLayout.END);
        strict.reset();
        assertThat(catchBatch(strict, frame)).isTrue();
        assertThat(reasons).hasSize(1);
    }

    private static boolean catchBatch(BatchDecoder decoder, ByteBuffer frame) {
        try {
            return decoder.decode(frame).isEmpty();
        } catch (CodecException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldNotAllocateWhatIsOnlyAnnounced() {
        int task = test.task("words", 0);
        int target = test.task("split", 0);
        int[] twoGigabytes = {0xFF, 0xFF, 0xFF, 0xFF, 0x07};
        for (int tag : new int[] {BatchLayout.LATIN1, BatchLayout.UTF16, BatchLayout.BYTES, BatchLayout.KRYO}) {
            ByteBuffer frame = start(task);
            frame.put((byte) (BatchLayout.SOURCE | BatchLayout.TARGET))
                    .put((byte) 0)
                    .put((byte) 2);
            frame.put((byte) target).put((byte) tag);
            put(frame, twoGigabytes);
            shouldBeMalformed(frame);
        }
        ByteBuffer values = start(task);
        values.put((byte) (BatchLayout.SOURCE | BatchLayout.TARGET)).put((byte) 0);
        put(values, twoGigabytes);
        values.put((byte) target);
        shouldBeMalformed(values);
        ByteBuffer trees = start(task);
        trees.put((byte) (BatchLayout.MANY | BatchLayout.SOURCE | BatchLayout.TARGET))
                .put((byte) 0)
                .put((byte) 1);
        trees.put((byte) target);
        put(trees, twoGigabytes);
        shouldBeMalformed(trees);
    }

    private static ByteBuffer start(int task) {
        ByteBuffer frame =
                ByteBuffer.allocate(200).put((byte) BatchLayout.VERSION).put((byte) BatchLayout.DECLARATION);
        return frame.put((byte) task).put((byte) (BatchLayout.SHORT_LATIN1 + 7)).put("default".getBytes());
    }

    private static void put(ByteBuffer frame, int... bytes) {
        for (int value : bytes) {
            frame.put((byte) value);
        }
    }

    private void shouldBeMalformed(ByteBuffer frame) {
        byte[] bytes = Arrays.copyOf(frame.array(), frame.position() + 20);
        bytes[bytes.length - 1] = BatchLayout.END;
        assertThat(decode(bytes, "announced")).isNull();
    }

    @Test
    void shouldRefuseMoreTuplesThanAFrameMayHave() {
        ByteBuffer frame = ByteBuffer.allocate(BatchLayout.MAX_ITEMS + 200);
        frame.put(start(test.task("words", 0)).flip());
        frame.put((byte) (BatchLayout.SOURCE | BatchLayout.TARGET))
                .put((byte) 0)
                .put((byte) 1);
        frame.put((byte) test.task("split", 0));
        frame.put(new byte[BatchLayout.MAX_ITEMS - 1]);
        int full = frame.position();
        frame.put((byte) BatchLayout.END);
        assertThat(decode(Arrays.copyOf(frame.array(), full + 1), "full").tupleCount())
                .isEqualTo(BatchLayout.MAX_ITEMS);
        frame.put(full, (byte) 0).put((byte) BatchLayout.END);
        assertThat(decode(Arrays.copyOf(frame.array(), full + 2), "one more")).isNull();
    }

    @Test
    void shouldRefuseTreesThatCannotBe() {
        int owner = test.executor("words", 0);
        for (long root : new long[] {0, -1, Long.MIN_VALUE}) {
            Batch tuple = new Batch();
            tuple.add(
                    EngineTuple.first(test.origin("words", "default"), new Values(1), owner, root),
                    test.task("split", 0));
            Batch tupleOfTwo = new Batch();
            Anchors trees = new Anchors();
            trees.add(owner, 5, 6);
            trees.add(owner, root, 7);
            tupleOfTwo.add(
                    EngineTuple.tracked(test.origin("words", "default"), new Values(1), trees), test.task("split", 0));
            Batch report = new Batch();
            report.addReport(Batch.FAIL, owner, root, 0);
            for (Batch batch : List.of(tuple, tupleOfTwo, report)) {
                shouldBeRefused(batch, "tree numbers begin with 1");
            }
        }
        Batch unknown = new Batch();
        unknown.addReport(Batch.RESET_TIMEOUT + 1, owner, 1, 0);
        shouldBeRefused(unknown, "unknown kind");
    }

    private void shouldBeRefused(Batch batch, String reason) {
        encoder.reset();
        encoder.start(batch);
        ByteBuffer frame = encoder.frame();
        decoder.reset();
        assertThatThrownBy(() -> decoder.decode(frame))
                .isInstanceOf(CodecException.class)
                .hasMessageContaining(reason);
        encoder.drop();
    }

    @Test
    void shouldSayWhichVersionIsNotUnderstood() {
        assertThatThrownBy(() -> decoder.decode(ByteBuffer.wrap(new byte[] {2, BatchLayout.END})))
                .isInstanceOf(CodecException.class)
                .hasMessage("malformed frame, at byte 1: version 2 of the layout; this worker reads version 1");
    }

    @Test
    void shouldRefuseWhoIsNotHere() {
        Batch toASpout = new Batch();
        toASpout.add(EngineTuple.untracked(test.origin("words", "default"), new Values(1)), test.task("words", 1));
        Batch ofABolt = new Batch();
        ofABolt.addReport(Batch.FAIL, test.executor("split", 0), 1, 0);
        Batch toNobody = new Batch();
        toNobody.add(EngineTuple.untracked(test.origin("words", "default"), new Values(1)), 4711);
        Batch ownedByABolt = new Batch();
        ownedByABolt.add(
                EngineTuple.first(test.origin("words", "default"), new Values(1), test.executor("join", 0), 1),
                test.task("split", 0));
        for (Batch batch : List.of(toASpout, ofABolt, toNobody, ownedByABolt)) {
            shouldBeRefused(batch, "");
        }
        BatchDecoder elsewhere = new BatchDecoder(test.plan, 1, test.context, IGNORE);
        Batch batch = new Batch();
        batch.addReport(Batch.FAIL, test.executor("words", 0), 1, 0);
        encoder.reset();
        encoder.start(batch);
        ByteBuffer frame = encoder.frame();
        assertThatThrownBy(() -> elsewhere.decode(frame)).hasMessageContaining("is not a spout of this worker");
    }
}
