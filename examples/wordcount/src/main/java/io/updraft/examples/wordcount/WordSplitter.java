package io.updraft.examples.wordcount;

import java.util.function.Consumer;

/**
 * Splits text into words. A word is a longest run of the bytes {@code A-Z} and {@code a-z}, in lower case. Every other byte
 * separates words, including the bytes of letters outside ASCII. The shell has the same rule: {@code LC_ALL=C tr -cs A-Za-z
 * '\n' | tr A-Z a-z}.
 */
final class WordSplitter {
    private static final int TO_LOWER = 'a' - 'A';

    private WordSplitter() {}

    /** Passes each word of a text to a consumer, in order. The text has one character for each byte of the input. */
    static void forEach(String text, Consumer<String> consumer) {
        int start = 0;
        int length = text.length();
        while (start < length) {
            while (start < length && !isLetter(text.charAt(start))) {
                start++;
            }
            int end = start;
            while (end < length && isLetter(text.charAt(end))) {
                end++;
            }
            if (end > start) {
                consumer.accept(lowerCase(text, start, end));
            }
            start = end;
        }
    }

    static boolean isLetter(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
    }

    private static String lowerCase(String text, int start, int end) {
        char[] word = new char[end - start];
        for (int i = 0; i < word.length; i++) {
            char c = text.charAt(start + i);
            word[i] = c <= 'Z' ? (char) (c + TO_LOWER) : c;
        }
        return new String(word);
    }
}
