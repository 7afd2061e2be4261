package io.updraft.microbench;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The text of {@code updraft bench --topology wordcount}, repeated without end: a few words make up most of it (Zipf's law). The
 * seed is fixed. Each instance has strings of its own, as each spout of the bench has.
 */
final class ZipfSentences {

    private static final int SENTENCES = 4096;
    private static final int VOCABULARY = 5000;
    private static final int SHORTEST = 6;
    private static final int LONGEST = 14;

    private final SplittableRandom random = new SplittableRandom(42);
    private final String[] words = vocabulary();
    private final double[] cumulated = new double[VOCABULARY];
    private final String[] sentences = new String[SENTENCES];
    private int next;

    ZipfSentences() {
        Arrays.setAll(cumulated, rank -> 1.0 / (rank + 1));
        Arrays.parallelPrefix(cumulated, Double::sum);
        Arrays.setAll(sentences, i -> sentence());
    }

    /** {@return the next sentence} */
    String next() {
        String sentence = sentences[next];
        next = (next + 1) % SENTENCES;
        return sentence;
    }

    private String sentence() {
        return IntStream.range(0, random.nextInt(SHORTEST, LONGEST + 1))
                .mapToObj(i -> words[pick()])
                .collect(Collectors.joining(" "));
    }

    private String[] vocabulary() {
        Set<String> all = new LinkedHashSet<>();
        while (all.size() < VOCABULARY) {
            all.add(word());
        }
        return all.toArray(String[]::new);
    }

    private String word() {
        char[] letters = new char[random.nextInt(2, 11)];
        for (int i = 0; i < letters.length; i++) {
            letters[i] = (char) ('a' + random.nextInt(26));
        }
        return new String(letters);
    }

    private int pick() {
        int found = Arrays.binarySearch(cumulated, random.nextDouble() * cumulated[VOCABULARY - 1]);
        return Math.min(VOCABULARY - 1, found < 0 ? -found - 1 : found + 1);
    }
}
