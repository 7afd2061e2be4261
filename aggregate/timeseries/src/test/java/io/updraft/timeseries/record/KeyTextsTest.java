package io.updraft.timeseries.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeyTextsTest {

    private static final int PERIOD = 1 << 16;

    private final Schema schema = new Schema(List.of(new Schema.Field("a", FieldType.TEXT)));
    private final RecordRow row = new RecordRow(schema);
    private final KeyTexts.Form form = new KeyTexts.Form(new int[] {0}, new byte[1], (byte) ',', 1, 0, false);
    private final KeyTexts texts = new KeyTexts(1 << 20);

    @Test
    void shouldFindATextAndPutItsValuesIntoARow() {
        byte[] bytes = bytes("alpha,1       ");
        int number = add("alpha");

        assertThat(texts.find(form, bytes, 0, 6)).isEqualTo(number);
        row.clear();
        row.setKeyText(texts, number);
        row.expand();
        assertThat(row.value(0)).isEqualTo("alpha");
    }

    @Test
    void shouldNotFindATextThatOnlyBeginsAlikeOrEndsLater() {
        add("alpha");

        assertThat(texts.find(form, bytes("alpha1,        "), 0, 15)).isNegative();
        assertThat(texts.find(form, bytes("alph,          "), 0, 15)).isNegative();
        assertThat(texts.find(form, bytes("alpha,         "), 0, 5)).isNegative();
        assertThat(texts.find(
                        new KeyTexts.Form(new int[] {0}, new byte[1], (byte) ',', 1, 0, false),
                        bytes("alpha,         "),
                        0,
                        15))
                .isNegative();
    }

    @Test
    void shouldGiveUpTextsThatSeldomRepeatAndTryAgainLater() {
        for (int i = 0; i < PERIOD; i++) {
            add("once" + i);
        }
        texts.judge();
        int generation = texts.generation();
        assertThat(generation).isPositive();
        assertThat(texts.size()).isZero();
        for (int i = 0; i < PERIOD; i++) {
            add("twice");
            texts.judge();
        }
        assertThat(texts.size()).isOne();
        assertThat(texts.generation()).isEqualTo(generation);
    }

    @Test
    void shouldStopAddingWhenItsMemoryIsTaken() {
        for (int i = 0; i < 20_000; i++) {
            add("text number " + i);
        }
        assertThat(texts.size()).isBetween(1_000, 20_000);
        assertThat(texts.find(form, bytes("text number 7,          "), 0, 24)).isNotNegative();
    }

    /** Looks a text up, adds it if it is not known, and returns its number; -1 if it was not added. */
    private int add(String text) {
        byte[] in = bytes(text + ",       ");
        int number = texts.find(form, in, 0, in.length);
        if (number < 0) {
            row.clear();
            row.setText(0, in, 0, text.length());
            texts.add(form, in, 0, text.length() + 1, row);
            number = texts.find(form, in, 0, in.length);
        }
        return number;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
