package io.updraft.bench.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The observed behaviour of a program on one side.
 *
 * @param end how the process ended; {@link #STOPPED} if it ran for the planned time
 * @param counts the counts of {@link Probe}, by the tab-separated words of its lines
 * @param output the file with the program's output and log
 */
record BehaviourObservation(String end, Map<String, Long> counts, Path output) {

    /** The end of a process that ran until the bench stopped it. */
    static final String STOPPED = "was stopped";

    static BehaviourObservation of(String end, Path probed, Path output) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        if (Files.exists(probed)) {
            for (String line : Files.readAllLines(probed)) {
                int tab = line.lastIndexOf('\t');
                counts.merge(line.substring(0, tab), Long.parseLong(line.substring(tab + 1)), Long::sum);
            }
        }
        return new BehaviourObservation(end, counts, output);
    }

    /** {@return whether the program submitted a topology} */
    boolean ran() {
        return counts.keySet().stream().anyMatch(key -> key.startsWith("topology\t"));
    }

    /** {@return the counts of one kind by their remaining words, without system components and streams} */
    Map<String, Long> counts(String kind) {
        Map<String, Long> some = new TreeMap<>();
        counts.forEach((key, n) -> {
            if (key.startsWith(kind + "\t") && !key.contains("\t__")) {
                some.put(key.substring(kind.length() + 1).replace('\t', ' '), n);
            }
        });
        return some;
    }

    /** {@return the sum of the counts of one kind} */
    long total(String kind) {
        return counts(kind).values().stream().mapToLong(Long::longValue).sum();
    }

    /** {@return the distinct matches of a pattern in the output: group 1 if the pattern has groups, else the whole match} */
    TreeSet<String> found(Pattern pattern) {
        TreeSet<String> found = new TreeSet<>();
        try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
            lines.map(pattern::matcher)
                    .filter(Matcher::find)
                    .map(match -> match.groupCount() == 0 ? match.group() : match.group(1))
                    .forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** {@return the first line of the output that looks like an error, or an empty text} */
    String complaint() {
        Pattern bad = Pattern.compile("^updraft: .*|Exception in thread .*|^Caused by: .*|.*(Error|Exception): .*");
        try (Stream<String> lines = Files.lines(output, StandardCharsets.ISO_8859_1)) {
            List<String> all =
                    lines.filter(line -> bad.matcher(line).matches()).limit(1).toList();
            return all.isEmpty() ? "" : all.get(0).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
