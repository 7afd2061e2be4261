package io.updraft.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.nio.ByteBuffer;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** A tuple that cannot be sent or received fails alone. */
final class RefusedTupleTest {

    /** Its class is registered nowhere. */
    private record Unknown(int number) {}

    /** What only one end can do. */
    static final class OneWay {}

    /** Writes, but does not read. */
    public static final class OneWaySerializer extends Serializer<OneWay> {

        @Override
        public void write(Kryo kryo, Output output, OneWay value) {
            output.writeString("some text");
        }

        @Override
        public OneWay read(Kryo kryo, Input input, Class<? extends OneWay> type) {
            throw new IllegalStateException("not today\nnor tomorrow");
        }
    }

    private final TestPlan test = TestPlan.with(Map.of(
            Config.TOPOLOGY_KRYO_REGISTER, List.of(Map.of(OneWay.class.getName(), OneWaySerializer.class.getName()))));
    private final List<String> reasons = new ArrayList<>();
    private final Batch failed = new Batch();
    private final Origin origin = test.origin("words", "default");
    private final int owner = test.executor("words", 0);
    private final int task = test.task("split", 0);

    private void refuse(RefusedTuple refusal) {
        reasons.add(refusal.reason());
        refusal.failTrees(failed);
    }

    private EngineTuple tracked(long root, Object... values) {
        return EngineTuple.first(origin, new Values(values), owner, root);
    }

    private BatchDescription send(Batch batch, int maxFrame) throws CodecException {
        BatchEncoder encoder = test.encoder(maxFrame, this::refuse);
        BatchDecoder decoder = test.decoder(this::refuse);
        BatchDescription arrived = BatchDescription.nothing();
        encoder.start(batch);
        for (ByteBuffer frame; (frame = encoder.frame()) != null; encoder.sent()) {
            arrived.add(decoder.decode(frame));
        }
        return arrived;
    }

    private Batch batch(EngineTuple... tuples) {
        Batch batch = new Batch();
        for (EngineTuple tuple : tuples) {
            batch.add(tuple, task);
        }
        return batch;
    }

    @Test
    void shouldFailOnlyTheTupleThatCannotBeSerialized() throws CodecException {
        EngineTuple before = tracked(1, "before");
        EngineTuple after = tracked(3, "after");
        Batch batch = batch(before, tracked(2, "a", new Unknown(1)), after);
        batch.addReport(Batch.ACK, owner, 7, 8);
        Batch expected = batch(before, after);
        expected.addReport(Batch.ACK, owner, 7, 8);
        assertThat(send(batch, 1024)).isEqualTo(BatchDescription.of(expected));
        assertThat(reasons)
                .singleElement()
                .asString()
                .startsWith("a tuple of component 'words' on stream 'default', field 1 of class "
                        + Unknown.class.getName() + ", cannot be serialized: ")
                .contains("Class is not registered", "topology.kryo.register")
                .doesNotContain("\n");
        assertThat(BatchDescription.of(failed).reports())
                .containsExactly(List.of((long) Batch.FAIL, (long) owner, 2L, 0L));
    }

    @Test
    void shouldFailAllTreesOfATupleThatCannotBeSerialized() throws CodecException {
        Anchors trees = new Anchors();
        trees.add(owner, 5, 1);
        trees.add(test.executor("numbers", 1), 6, 2);
        Batch batch = batch(
                EngineTuple.tracked(origin, new Values(new Unknown(1)), trees),
                EngineTuple.untracked(origin, new Values(new Unknown(2))));
        assertThat(send(batch, 1024).tuples()).isEmpty();
        assertThat(reasons).hasSize(2);
        assertThat(BatchDescription.of(failed).reports())
                .containsExactly(
                        List.of((long) Batch.FAIL, (long) owner, 5L, 0L),
                        List.of((long) Batch.FAIL, (long) test.executor("numbers", 1), 6L, 0L));
    }

    @Test
    void shouldFailOnlyTheTupleThatCannotBeDeserialized() throws CodecException {
        EngineTuple before = tracked(1, "before");
        EngineTuple after = tracked(3, "after");
        BatchDescription arrived = send(batch(before, tracked(2, "a", new OneWay(), 1L), after), 1024);
        assertThat(arrived).isEqualTo(BatchDescription.of(batch(before, after)));
        assertThat(reasons)
                .containsExactly("a tuple of component 'words' on stream 'default', field 1, cannot be deserialized: "
                        + "java.lang.IllegalStateException: not today");
        assertThat(BatchDescription.of(failed).reports())
                .containsExactly(List.of((long) Batch.FAIL, (long) owner, 2L, 0L));
    }

    @Test
    void shouldFailOnlyTheTupleThatIsTooLarge() throws CodecException {
        EngineTuple before = tracked(1, "before");
        EngineTuple after = tracked(4, "after");
        Batch batch = batch(
                before,
                tracked(2, new byte[500], "a".repeat(700), 3),
                tracked(3, new ArrayList<>(List.of("b".repeat(2000)))),
                after);
        assertThat(send(batch, 1024)).isEqualTo(BatchDescription.of(batch(before, after)));
        assertThat(reasons)
                .containsExactly(
                        "a tuple of component 'words' on stream 'default' needs 1201 bytes or more, but the largest "
                                + "tuple that can be sent is 1024 bytes: emit the data in several tuples",
                        "a tuple of component 'words' on stream 'default' needs more than 1024 bytes, but the largest "
                                + "tuple that can be sent is 1024 bytes: emit the data in several tuples");
        assertThat(BatchDescription.of(failed).reports()).hasSize(2);
    }

    @Test
    void shouldRefuseAtExactlyTheSizeThatDoesNotFit() throws CodecException {
        int last = 0;
        for (int size = 900; size < 1024; size++) {
            if (!send(batch(tracked(2, new byte[size])), 1024).tuples().isEmpty()) {
                last = size;
            }
        }
        BatchEncoder encoder = test.encoder(1024, this::refuse);
        encoder.start(batch(tracked(2, new byte[last])));
        assertThat(encoder.frame().remaining()).isEqualTo(1024);
        assertThat(reasons).hasSize(1023 - last);
    }

    @Test
    void shouldRefuseAValueOf64MiBSinceItsFrameWouldBeLarger() throws CodecException {
        Batch batch = batch(tracked(1, new byte[TestPlan.MAX_FRAME]), tracked(2, "after"));
        assertThat(send(batch, TestPlan.MAX_FRAME).tuples()).hasSize(1);
        assertThat(reasons).singleElement().asString().contains("the largest tuple that can be sent is 67108864 bytes");
    }

    @Test
    void shouldFailOnlyTheTupleWhoseValuesAreBroken() throws CodecException {
        List<Object> shrinking = new AbstractList<>() {
            @Override
            public Object get(int index) {
                throw new IndexOutOfBoundsException("gone");
            }

            @Override
            public int size() {
                return 2;
            }
        };
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        EngineTuple after = tracked(4, "after");
        Batch batch = batch(
                EngineTuple.first(origin, null, owner, 1),
                EngineTuple.first(origin, shrinking, owner, 2),
                EngineTuple.first(origin, endless, owner, 3),
                after);
        assertThat(send(batch, TestPlan.MAX_FRAME)).isEqualTo(BatchDescription.of(batch(after)));
        assertThat(reasons).hasSize(3).allMatch(reason -> !reason.contains("\n"));
        assertThat(reasons.get(0)).contains("NullPointerException");
        assertThat(reasons.get(1)).contains("gone");
        assertThat(BatchDescription.of(failed).reports()).hasSize(3);
    }

    @Test
    void shouldSendNothingWhenAllTuplesAreRefused() {
        Batch batch = new Batch();
        for (int i = 0; i < BatchLayout.MAX_ITEMS + 5; i++) {
            batch.add(tracked(i, new byte[300]), task);
        }
        BatchEncoder encoder = test.encoder(256, this::refuse);
        encoder.start(batch(tracked(1, "small")));
        assertThat(encoder.frame()).isNotNull();
        encoder.sent();
        assertThat(encoder.frame()).isNull();
        encoder.start(batch);
        assertThat(encoder.frame()).isNull();
        assertThat(failed.reportCount()).isEqualTo(batch.tupleCount());
    }

    @Test
    void shouldDeclareAStreamThoughItsFirstTupleIsRefused() throws CodecException {
        EngineTuple after = tracked(2, "after");
        assertThat(send(batch(tracked(1, new byte[300]), after), 256)).isEqualTo(BatchDescription.of(batch(after)));
        assertThat(failed.reportCount()).isEqualTo(1);
    }
}
