package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.KeyTexts;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The keys of groups of the key texts of one decoder, as far as they give them. Valid until the ids of dictionaries change. One
 * thread only.
 */
final class KeyTextKeys {

    private static final byte[] NONE = {};

    private final int[] slots;
    private final int keyWords;
    private KeyTexts texts;
    private int generation;

    private byte[] known = NONE;
    private long[] words = {};
    /** The dimensions that the last form does not give. */
    private int[] missing;

    private KeyTexts.Form form;

    KeyTextKeys(GroupLayout layout) {
        slots = layout.slots;
        keyWords = layout.keyWords;
    }

    /** Returns whether the numbers of key texts are those of the last call. If not, nothing is known of them. */
    boolean isOf(KeyTexts store) {
        return store == texts && store.generation() == generation;
    }

    /** Forgets all, and takes the numbers of a row's key texts. */
    void use(KeyTexts store) {
        texts = store;
        generation = store.generation();
        form = null;
        forget();
    }

    /** Forgets the keys, because ids have changed. */
    void forget() {
        known = NONE;
        words = new long[0];
    }

    /** Returns the dimensions whose values a key text does not give. */
    int[] missing(int number) {
        KeyTexts.Form textForm = texts.form(number);
        if (textForm != form) {
            form = textForm;
            missing = IntStream.range(0, slots.length)
                    .filter(i -> Arrays.stream(textForm.slots()).noneMatch(slot -> slot == slots[i]))
                    .toArray();
        }
        return missing;
    }

    /** Copies the key of a key text, without missing dimensions. Returns false if it is not known. */
    boolean copy(int number, long[] key) {
        if (number >= known.length || known[number] == 0) {
            return false;
        }
        System.arraycopy(words, number * keyWords, key, 0, keyWords);
        return true;
    }

    void put(int number, long[] key) {
        if (number >= known.length) {
            int capacity = Math.max(16, 2 * number);
            known = Arrays.copyOf(known, capacity);
            words = Arrays.copyOf(words, capacity * keyWords);
        }
        known[number] = 1;
        System.arraycopy(key, 0, words, number * keyWords, keyWords);
    }

    long bytes() {
        return known.length + 8L * words.length;
    }
}
