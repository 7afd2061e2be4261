package io.updraft.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A decoded batch equals the encoded batch. */
final class BatchRoundTripTest {

    static final Consumer<RefusedTuple> NOBODY = refusal -> {
        throw new AssertionError(refusal.reason(), refusal.cause());
    };

    private static final int CONNECTIONS = 40;
    private static final int BATCHES = 25;

    private final TestPlan test = TestPlan.create();

    @Test
    void shouldDeliverRandomBatchesAsTheyWere() throws CodecException {
        for (int seed = 1; seed <= CONNECTIONS; seed++) {
            shouldDeliverWhatGoesOverOneConnection(seed);
        }
    }

    @Tag("long")
    @Test
    void shouldDeliverManyMoreRandomBatchesAsTheyWere() throws CodecException {
        for (int seed = 1_000; seed < 1_800; seed++) {
            shouldDeliverWhatGoesOverOneConnection(seed);
        }
    }

    /** Both directions, many batches, frames of any size; and again on a second connection of the same codecs. */
    private void shouldDeliverWhatGoesOverOneConnection(long seed) throws CodecException {
        Random random = new Random(seed);
        int maxFrame = random.nextBoolean() ? TestPlan.MAX_FRAME : 16_384 + random.nextInt(4_000);
        BatchEncoder[] encoders = {test.encoder(maxFrame, NOBODY), test.encoder(maxFrame, NOBODY)};
        BatchDecoder[] decoders = {test.decoder(NOBODY), test.decoder(NOBODY)};
        RandomBatches batches = new RandomBatches(test, seed, 50);
        for (int i = 0; i < BATCHES; i++) {
            int way = random.nextInt(2);
            if (random.nextInt(10) == 0) {
                encoders[way].reset();
                decoders[way].reset();
            }
            Batch batch = batches.next();
            encoders[way].start(batch);
            BatchDescription arrived = receiveAll(encoders[way], decoders[way], maxFrame, random);
            assertThat(arrived).as("seed %d, batch %d", seed, i).isEqualTo(BatchDescription.of(batch));
        }
    }

    private static BatchDescription receiveAll(BatchEncoder encoder, BatchDecoder decoder, int maxFrame, Random random)
            throws CodecException {
        BatchDescription arrived = BatchDescription.nothing();
        for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
            assertThat(frame.remaining()).isBetween(1, maxFrame);
            arrived.add(decoder.decode(somewhere(frame, random)));
        }
        return arrived;
    }

    /** On the heap or not, in the middle of a buffer or at its start. */
    private static ByteBuffer somewhere(ByteBuffer frame, Random random) {
        int before = random.nextInt(9);
        int size = before + frame.remaining() + random.nextInt(9);
        ByteBuffer there = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        there.position(before).put(frame.duplicate()).flip().position(before);
        return random.nextInt(3) == 0 ? there.asReadOnlyBuffer() : there;
    }

    @Test
    void shouldSplitABatchThatIsLargerThanAFrame() throws CodecException {
        Batch batch = new Batch();
        Origin origin = test.origin("words", "default");
        for (int i = 0; i < 100; i++) {
            batch.add(EngineTuple.untracked(origin, new Values(new byte[100], i)), test.task("split", i % 4));
            batch.addReport(Batch.ACK, test.executor("words", 0), 1 + i * 1_000L, -i);
        }
        BatchEncoder encoder = test.encoder(300, NOBODY);
        BatchDecoder decoder = test.decoder(NOBODY);
        encoder.start(batch);
        BatchDescription arrived = BatchDescription.nothing();
        int frames = 0;
        for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
            assertThat(frame.remaining()).isLessThanOrEqualTo(300);
            arrived.add(decoder.decode(frame));
            frames++;
        }
        assertThat(arrived).isEqualTo(BatchDescription.of(batch));
        assertThat(frames).isGreaterThan(50);
    }

    @Test
    void shouldSendAFrameWhenItIsLongEnoughAndLetALongTuplePassWhole() throws CodecException {
        Batch batch = new Batch();
        Origin origin = test.origin("words", "default");
        for (int i = 0; i < 100; i++) {
            int length = i == 50 ? 10_000 : 100;
            batch.add(EngineTuple.untracked(origin, new Values(new byte[length], i)), test.task("split", 0));
        }
        BatchEncoder encoder = new BatchEncoder(test.plan, TestPlan.MAX_FRAME, 1_000, NOBODY);
        BatchDecoder decoder = test.decoder(NOBODY);
        encoder.start(batch);
        BatchDescription arrived = BatchDescription.nothing();
        int longest = 0;
        for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
            Batch part = decoder.decode(frame);
            assertThat(encoder.tuples()).isEqualTo(part.tupleCount()).isLessThanOrEqualTo(10);
            longest = Math.max(longest, frame.remaining());
            arrived.add(part);
        }
        assertThat(arrived).isEqualTo(BatchDescription.of(batch));
        assertThat(longest).isBetween(10_000, 11_200);
    }

    @Test
    void shouldSplitABatchOfMoreItemsThanAFrameMayHave() throws CodecException {
        Batch batch = new Batch();
        Origin origin = test.origin("words", "default");
        for (int i = 0; i < 2 * BatchLayout.MAX_ITEMS + 1; i++) {
            batch.add(EngineTuple.untracked(origin, List.of()), test.task("split", 0));
            batch.addReport(Batch.FAIL, test.executor("words", 1), 1 + i, 0);
        }
        BatchEncoder encoder = test.encoder(NOBODY);
        BatchDecoder decoder = test.decoder(NOBODY);
        encoder.start(batch);
        int tuples = 0;
        int reports = 0;
        for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
            Batch part = decoder.decode(frame);
            tuples += part.tupleCount();
            reports += part.reportCount();
        }
        assertThat(tuples).isEqualTo(batch.tupleCount());
        assertThat(reports).isEqualTo(batch.reportCount());
    }

    @Test
    void shouldGiveTheSameFrameUntilItWasSent() throws CodecException {
        BatchEncoder encoder = test.encoder(NOBODY);
        Batch batch = new Batch();
        batch.add(
                EngineTuple.first(test.origin("words", "default"), new Values("a"), test.executor("words", 0), 5),
                test.task("split", 0));
        encoder.start(batch);
        ByteBuffer first = encoder.frame();
        ByteBuffer copy = ByteBuffer.allocate(first.remaining()).put(first).flip();
        assertThat(encoder.frame()).isEqualTo(copy);
        encoder.sent();
        assertThat(encoder.frame()).isNull();
    }

    @Test
    void shouldWriteTheFrameInHandAnewForANewConnection() throws CodecException {
        BatchEncoder encoder = test.encoder(NOBODY);
        RandomBatches batches = new RandomBatches(test, 1, 0);
        for (int i = 0; i < 50; i++) {
            Batch batch = batches.next();
            encoder.start(batch);
            encoder.frame();
            encoder.reset();
            BatchDescription arrived = receiveAll(encoder, test.decoder(NOBODY), TestPlan.MAX_FRAME, new Random(1));
            assertThat(arrived).isEqualTo(BatchDescription.of(batch));
        }
    }

    @Test
    void shouldForgetABatchThatIsDropped() {
        BatchEncoder encoder = test.encoder(NOBODY);
        Batch batch = new RandomBatches(test, 2, 0).next();
        batch.addReport(Batch.FAIL, test.executor("words", 0), 1, 0);
        encoder.start(batch);
        encoder.frame();
        encoder.drop();
        encoder.reset();
        assertThat(encoder.frame()).isNull();
        encoder.start(batch);
        assertThat(encoder.frame()).isNotNull();
    }

    @Test
    void shouldTakeFewBytesForWhatIsCommon() {
        BatchEncoder encoder = test.encoder(NOBODY);
        Batch batch = new Batch();
        Origin origin = test.origin("words", "default");
        for (int i = 0; i < 1_000; i++) {
            batch.add(
                    EngineTuple.first(origin, new Values(new byte[10]), test.executor("words", 0), 70_000 + i),
                    test.task("split", 0));
        }
        batch.addOnlyEdges(test.executor("words", 0), 12, 500);
        encoder.start(batch);
        assertThat(encoder.frame().remaining())
                .as("12 bytes for each, and a few")
                .isBetween(12_000, 12_050);
    }

    @Test
    void shouldAllocateNothingToEncodeATuple() {
        BatchEncoder encoder = test.encoder(NOBODY);
        Batch batch = new Batch();
        Origin[] origins = {test.origin("words", "default"), test.origin("split", "other")};
        for (int i = 0; i < 1_000; i++) {
            Values values = new Values("text", "漢字", 1L << i, i, 1.5, (short) 3, true, 'c', null, new byte[i]);
            batch.add(
                    EngineTuple.tracked(origins[i % 2], values, test.executor("words", i % 2), 1 + i, i),
                    test.task("split", i % 4));
            batch.addReport(Batch.ACK, test.executor("words", i % 2), 1 + i, i);
        }
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            encoder.start(batch);
            encoder.frame();
            encoder.sent();
            encoder.frame();
            allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(allocated).as("bytes for 1,000 tuples and reports").isLessThan(1_000);
    }

    @Test
    void shouldShowTheContextOfTheReceiver() throws CodecException {
        BatchEncoder encoder = test.encoder(NOBODY);
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(test.origin("split", "other"), new Values(1, 2)), test.task("join", 1));
        encoder.start(batch);
        EngineTuple tuple = test.decoder(NOBODY).decode(encoder.frame()).tuple(0);
        assertThat(tuple.getContext()).isSameAs(test.context);
        assertThat(tuple.getIntegerByField("b")).isEqualTo(2);
    }
}
