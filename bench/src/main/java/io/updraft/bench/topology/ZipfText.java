package io.updraft.bench.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Generates sentences with word frequencies as in a real text: a few words make up most of it (Zipf's law). The frequency of the
 * word of rank r is in proportion to 1 / r^exponent. The seed is fixed, so the exponent and the number of emitted sentences
 * determine how often each word was emitted.
 */
public final class ZipfText {

    private static final int SENTENCES = 4096;
    private static final int VOCABULARY = 5000;
    private static final int SHORTEST = 6;
    private static final int LONGEST = 14;

    private final List<String> sentences = new ArrayList<>(SENTENCES);

    /**
     * Generates the text.
     *
     * @param exponent the exponent of the frequencies; at least 0, for words that are equally frequent
     */
    public ZipfText(double exponent) {
        SplittableRandom random = new SplittableRandom(42);
        String[] words = vocabulary(random);
        double[] cumulated = zipf(words.length, exponent);
        for (int i = 0; i < SENTENCES; i++) {
            sentences.add(sentence(random, words, cumulated));
        }
    }

    /** {@return the sentence with that number; the text repeats after its last sentence} */
    public String sentence(long number) {
        return sentences.get((int) (number % SENTENCES));
    }

    /** {@return how often each word occurs in the given number of first sentences} */
    Map<String, Long> wordsOf(long firstSentences) {
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i < SENTENCES; i++) {
            long times = firstSentences / SENTENCES + (i < firstSentences % SENTENCES ? 1 : 0);
            if (times > 0) {
                for (String word : sentences.get(i).split(" ")) {
                    counts.merge(word, times, Long::sum);
                }
            }
        }
        return counts;
    }

    private static String sentence(SplittableRandom random, String[] words, double[] cumulated) {
        StringBuilder sentence = new StringBuilder();
        int length = random.nextInt(SHORTEST, LONGEST + 1);
        for (int i = 0; i < length; i++) {
            sentence.append(i == 0 ? "" : " ").append(words[pick(random, cumulated)]);
        }
        return sentence.toString();
    }

    private static String[] vocabulary(SplittableRandom random) {
        Set<String> words = new LinkedHashSet<>();
        while (words.size() < VOCABULARY) {
            words.add(word(random));
        }
        return words.toArray(new String[0]);
    }

    private static String word(SplittableRandom random) {
        StringBuilder word = new StringBuilder();
        int length = random.nextInt(2, 11);
        for (int i = 0; i < length; i++) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }

    private static double[] zipf(int ranks, double exponent) {
        double[] cumulated = new double[ranks];
        double sum = 0;
        for (int rank = 0; rank < ranks; rank++) {
            sum += 1.0 / Math.pow(rank + 1, exponent);
            cumulated[rank] = sum;
        }
        return cumulated;
    }

    private static int pick(SplittableRandom random, double[] cumulated) {
        double at = random.nextDouble() * cumulated[cumulated.length - 1];
        int found = Arrays.binarySearch(cumulated, at);
        return Math.min(cumulated.length - 1, found < 0 ? -found - 1 : found + 1);
    }
}
