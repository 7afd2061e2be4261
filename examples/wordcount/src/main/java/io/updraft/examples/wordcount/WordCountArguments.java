package io.updraft.examples.wordcount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arguments of the command line.
 *
 * @param inputs files, directories or {@code -}; empty for the text in the jar
 * @param out the file of the result
 * @param top the number of words to print
 * @param readers the number of tasks of the spout
 * @param splitters the number of tasks of the splitter
 * @param counters the number of tasks of the counter
 * @param name the topology's name
 * @param keep whether the topology continues after all words are counted
 */
record WordCountArguments(
        List<String> inputs, Path out, int top, int readers, int splitters, int counters, String name, boolean keep) {

    private static final String KEEP = "--keep";

    static final String USAGE = String.join(
            System.lineSeparator(),
            "usage: wordcount [options] [file | directory | -]...",
            "",
            "Counts words. A word is a run of the letters A-Z and a-z, in lower case.",
            "A directory is read with all files below it; '-' is standard input.",
            "Default input: Newton's Opticks (1730), which is in the jar.",
            "",
            "  --out FILE       file for all counts, as of 'sort | uniq -c' (counts.txt)",
            "  --top N          print the N most frequent words (10)",
            "  --readers N      number of tasks that read lines (1)",
            "  --splitters N    number of tasks that split lines into words (2)",
            "  --counters N     number of tasks that count words (4)",
            "  --name NAME      name of the topology (wordcount)",
            "  --keep           keep the topology running after all words are counted",
            "  --help           print this text");

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException when an argument is not valid; the message is for the user
     */
    static WordCountArguments parse(String... args) {
        Map<String, String> options = new TreeMap<>();
        List<String> inputs = new ArrayList<>();
        Iterator<String> rest = List.of(args).iterator();
        while (rest.hasNext()) {
            String arg = rest.next();
            if (arg.equals("--")) {
                rest.forEachRemaining(inputs::add);
            } else if (arg.equals(KEEP)) {
                options.put(KEEP, "");
            } else if (arg.startsWith("--")) {
                options.put(known(arg), value(arg, rest));
            } else {
                inputs.add(arg);
            }
        }
        return new WordCountArguments(
                List.copyOf(inputs),
                Path.of(options.getOrDefault("--out", "counts.txt")),
                number(options, "--top", 10, 0),
                number(options, "--readers", 1, 1),
                number(options, "--splitters", 2, 1),
                number(options, "--counters", 4, 1),
                options.getOrDefault("--name", "wordcount"),
                options.containsKey(KEEP));
    }

    private static String known(String option) {
        if (List.of("--out", "--top", "--readers", "--splitters", "--counters", "--name")
                .contains(option)) {
            return option;
        }
        throw new IllegalArgumentException("unknown option " + option + " (--help lists them)");
    }

    private static String value(String option, Iterator<String> rest) {
        if (!rest.hasNext()) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return rest.next();
    }

    private static int number(Map<String, String> options, String option, int otherwise, int least) {
        String text = options.get(option);
        if (text == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number that is too small.
        }
        throw new IllegalArgumentException(option + " needs a number of at least " + least + ", not '" + text + "'");
    }
}
