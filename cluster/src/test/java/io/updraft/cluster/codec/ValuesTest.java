package io.updraft.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Test;

/** Every kind of value, at its bounds. */
final class ValuesTest {

    private final TestPlan test = TestPlan.create();
    private final BatchEncoder encoder = test.encoder(BatchRoundTripTest.NOBODY);
    private final BatchDecoder decoder = test.decoder(BatchRoundTripTest.NOBODY);

    private void shouldSurvive(List<Object> values) throws CodecException {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(test.origin("words", "default"), values), test.task("split", 0));
        encoder.start(batch);
        BatchDescription arrived = BatchDescription.of(decoder.decode(encoder.frame()));
        encoder.sent();
        assertThat(encoder.frame()).isNull();
        assertThat(arrived).isEqualTo(BatchDescription.of(batch));
    }

    @Test
    void shouldKeepNumbersOfEachKindAtTheirBounds() throws CodecException {
        List<Object> values = new ArrayList<>(Arrays.asList(
                null, true, false, Byte.MIN_VALUE, Byte.MAX_VALUE, Short.MIN_VALUE, Short.MAX_VALUE, (short) 0));
        values.addAll(List.of(Integer.MIN_VALUE, Integer.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE, 0, 0L));
        values.addAll(List.of(Float.MIN_VALUE, Float.MAX_VALUE, -0.0f, Float.NaN, Float.NEGATIVE_INFINITY));
        values.addAll(List.of(Double.MIN_VALUE, Double.MAX_VALUE, -0.0, Double.NaN, Double.POSITIVE_INFINITY));
        values.addAll(List.of(Character.MIN_VALUE, Character.MAX_VALUE, 'a', '\uD800'));
        for (int shift = 0; shift < 64; shift++) {
            values.addAll(List.of(1L << shift, (1L << shift) - 1, -(1L << shift), (int) (1L << shift)));
        }
        shouldSurvive(values);
    }

    @Test
    void shouldKeepTheBitsOfNumbersThatAreNone() throws CodecException {
        Batch batch = new Batch();
        Values values = new Values(Double.longBitsToDouble(0x7FF0000000000001L), Float.intBitsToFloat(0x7FC00123));
        batch.add(EngineTuple.untracked(test.origin("words", "default"), values), test.task("split", 0));
        encoder.start(batch);
        EngineTuple tuple = decoder.decode(encoder.frame()).tuple(0);
        assertThat(Double.doubleToRawLongBits(tuple.getDouble(0))).isEqualTo(0x7FF0000000000001L);
        assertThat(Float.floatToRawIntBits(tuple.getFloat(1))).isEqualTo(0x7FC00123);
    }

    @Test
    void shouldKeepStringsAndBytesOfEachLength() throws CodecException {
        for (int length = 0; length < 300; length++) {
            shouldSurvive(List.of(
                    "a".repeat(length), "\u00FF".repeat(length), "\u0100".repeat(length), new byte[length], length));
        }
        for (int length : new int[] {16_383, 16_384, 2_097_151, 2_097_152}) {
            shouldSurvive(List.of("a".repeat(length), "\uFFFF".repeat(length), new byte[length]));
        }
    }

    @Test
    void shouldKeepAnyStringWhatsoever() throws CodecException {
        shouldSurvive(List.of(
                "\uD800", "\uDC00", "\uDC00\uD800", "a\uD83D", "\uD83D\uDE00", "\u0000", "\uFFFE\uFEFF", "ÿĀ", "a漢"));
        // One char beyond Latin-1 at each place.
        for (int i = 0; i < 130; i++) {
            shouldSurvive(List.of("é".repeat(i) + "€" + "é".repeat(129 - i)));
        }
        Random random = new Random(3);
        for (int i = 0; i < 500; i++) {
            char[] chars = new char[random.nextInt(40)];
            for (int k = 0; k < chars.length; k++) {
                chars[k] = (char) random.nextInt();
            }
            shouldSurvive(List.of(new String(chars)));
        }
    }

    @Test
    void shouldCarryAValueThatFillsTheLargestFrame() throws CodecException {
        byte[] large = new byte[TestPlan.MAX_FRAME - 100];
        new Random(1).nextBytes(large);
        shouldSurvive(List.of(large));
        shouldSurvive(List.of("and then a small one"));
    }

    @Test
    void shouldGiveTheReceiverAListThatItMayChange() throws CodecException {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(test.origin("words", "default"), List.of("a")), test.task("split", 0));
        encoder.start(batch);
        List<Object> values = decoder.decode(encoder.frame()).tuple(0).getValues();
        values.add("b");
        assertThat(values).containsExactly("a", "b");
    }
}
