package io.updraft.examples.wordcount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the user said on the command line.
 *
 * @param inputs files, directories or {@code -}; none for the shipped text
 * @param out where the result goes
 * @param top how many words are printed
 * @param readers tasks of the spout
 * @param splitters tasks of the splitter
 * @param counters tasks of the counter
 * @param name the topology's name
 * @param keep whether the topology is left running when all is counted
 */
record Arguments(
        List<String> inputs, Path out, int top, int readers, int splitters, int counters, String name, boolean keep) {

    private static final String KEEP = "--keep";

    static final String USAGE = String.join(
            System.lineSeparator(),
            "usage: wordcount [options] [file | directory | -]...",
            "",
            "Counts words: the runs of the letters A-Z and a-z, in lower case.",
            "Directories are read with all below them; '-' is standard input;",
            "without an input, Newton's Opticks (1730), which is in the jar, is counted.",
            "",
            "  --out FILE       the whole result, as 'sort | uniq -c' prints it (counts.txt)",
            "  --top N          print the N most frequent words (10)",
            "  --readers N      tasks that read lines (1)",
            "  --splitters N    tasks that split lines into words (2)",
            "  --counters N     tasks that count words (4)",
            "  --name NAME      the topology's name (wordcount)",
            "  --keep           leave the topology running when all is counted",
            "  --help           this text");

    /**
     * Parses the command line.
     *
     * @throws IllegalArgumentException when it makes no sense; the message is for the user
     */
    static Arguments parse(String... args) {
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
        return new Arguments(
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
            // Told below, together with numbers that are too small.
        }
        throw new IllegalArgumentException(option + " needs a number of at least " + least + ", not '" + text + "'");
    }
}
