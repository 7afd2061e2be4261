package io.updraft.examples.wordcount;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.Map;

/** The result, as a file in the layout of GNU {@code uniq -c} and as the most frequent words on the terminal. */
final class WordCountReport {
    private final Map<String, Long> counts;

    /** Creates the report of the counts by word, in the order of bytes. */
    WordCountReport(Map<String, Long> counts) {
        this.counts = counts;
    }

    /** Writes all counts. The file appears complete or not at all. */
    void write(Path out) throws IOException {
        Path unfinished = out.resolveSibling(
                out.getFileName() + "." + ProcessHandle.current().pid() + ".writing");
        try (BufferedWriter writer = Files.newBufferedWriter(unfinished, StandardCharsets.US_ASCII)) {
            for (Map.Entry<String, Long> count : counts.entrySet()) {
                writer.write(line(count));
                writer.write('\n');
            }
        }
        Files.move(unfinished, out, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Prints the most frequent words. Words with equal counts are in alphabetical order. */
    void print(PrintStream terminal, int top) {
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(top)
                .forEach(count -> terminal.println(line(count)));
    }

    String totals() {
        long words = counts.values().stream().mapToLong(Long::longValue).sum();
        return String.format("%,d words, %,d different", words, counts.size());
    }

    private static String line(Map.Entry<String, Long> count) {
        return String.format("%7d %s", count.getValue(), count.getKey());
    }
}
