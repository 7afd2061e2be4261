package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.Markdown.Piece;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/**
 * Each command line in the documentation. Those of {@code updraft} must be accepted by its parser; those that need nothing but the
 * repository are run. Not run are those that name a program of the reader's, need a broker, a cluster or minutes (benchmarks), and the
 * word count, which {@link RunWordCountTest} runs. Commands of the build must name modules, profiles, tests and scripts that exist.
 */
@Tag("one-jdk")
class DocsCommandsTest {
    private static final Pattern UPDRAFT = Pattern.compile(
            "(?:.*[;&|(]\\s*)?(?:\\w+=\\S+ )*(?:\\S*/)?updraft(?:\\s+(?=[a-z-])|$)((?:run|aggregate|bench|help|generate-completion|ps|top|history|stack|heap|profile|errors|dead-letters|log-level|debug|activate|deactivate|rebalance|kill)?(?:\\s.*)?)$");
    private static final Pattern BUILD = Pattern.compile("(?:\\S*/)?(mvnw|long-tests|coverage|jcstress)((?:\\s.*)?)");

    @TempDir
    Path directory;

    /** A command line of {@code updraft}, without the comment after it, and without what a pipe or a redirection adds. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        Matcher matcher = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|'([^']*)'|([^\\s\"']+)")
                .matcher(text);
        int end = -1;
        while (matcher.find()) {
            String word = matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
            boolean quoted = matcher.group(3) == null;
            if (!quoted && word.matches("[|&;#>].*|2?>.*|\\)")) {
                break;
            }
            boolean glued = matcher.start() == end;
            boolean ends = !quoted && word.endsWith(";");
            word = ends ? word.substring(0, word.length() - 1) : word;
            if (glued) {
                words.set(words.size() - 1, words.get(words.size() - 1) + word);
            } else {
                words.add(word);
            }
            end = matcher.end();
            if (ends) {
                break;
            }
        }
        return words;
    }

    private static List<Piece> commands(Pattern pattern) throws IOException {
        List<Piece> commands = new ArrayList<>();
        for (Markdown page : Markdown.pages()) {
            Stream.concat(page.shellLines().stream(), page.inlineCode().stream())
                    .forEach(code -> {
                        Matcher matcher = pattern.matcher(code.text());
                        if (matcher.matches()) {
                            commands.add(new Piece(code.file(), code.line(), code.text()));
                        }
                    });
        }
        return commands;
    }

    private static List<String> arguments(Piece command) {
        Matcher matcher = UPDRAFT.matcher(command.text());
        assertThat(matcher.matches()).isTrue();
        return words(matcher.group(1).strip()).stream()
                .map(word -> word.equals("N") ? "2" : word)
                .toList();
    }

    @Test
    void shouldBeAcceptedByTheParser() throws IOException {
        List<Piece> commands = commands(UPDRAFT);
        assertThat(commands).as("the pages have commands").hasSizeGreaterThan(100);
        List<String> refused = new ArrayList<>();
        for (Piece command : commands) {
            CommandLine line = UpdraftCommand.commandLine();
            try {
                line.parseArgs(arguments(command).toArray(String[]::new));
            } catch (ParameterException e) {
                if (!isMention(command, e)) {
                    refused.add(command + " -> " + e.getMessage());
                }
            }
        }
        assertThat(refused).isEmpty();
    }

    /** In a sentence, an option may stand for itself: {@code updraft run --workers}. */
    private static boolean isMention(Piece command, ParameterException e) {
        return e instanceof MissingParameterException && command.text().matches(".* (--?[\\w-]+|compat)");
    }

    @Test
    void shouldRunWhereItNeedsNothingButTheRepository() throws Exception {
        Files.createSymbolicLink(directory.resolve("examples"), Markdown.ROOT.resolve("examples"));
        Set<List<String>> runnable = new LinkedHashSet<>();
        for (Piece command : commands(UPDRAFT)) {
            List<String> arguments = arguments(command);
            if (arguments.size() > 1
                    && arguments.get(0).equals("aggregate")
                    && arguments.stream().anyMatch(DocsCommandsTest::isExampleWithoutServers)) {
                runnable.add(arguments);
            }
        }
        assertThat(runnable).hasSizeGreaterThanOrEqualTo(5);
        for (List<String> arguments : runnable) {
            UpdraftProcess result = UpdraftProcess.run(directory, arguments.toArray(String[]::new));
            assertThat(result.exitCode()).as("%s: %s", arguments, result.err()).isZero();
        }
    }

    private static boolean isExampleWithoutServers(String word) {
        return word.matches("examples/aggregate/(flights\\.csv\\.gz|delays\\.yaml|trips\\.yaml)");
    }

    @Test
    void shouldNameModulesProfilesAndTestsThatExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        Set<String> tests = tests();
        String poms = Files.readString(Markdown.ROOT.resolve("pom.xml"))
                + Files.readString(Markdown.ROOT.resolve("dist/pom.xml"));
        List<Piece> commands = commands(BUILD);
        commands.addAll(longTests());
        assertThat(commands).hasSizeGreaterThan(20);
        for (Piece command : commands) {
            List<String> words = words(command.text());
            for (int i = 0; i < words.size(); i++) {
                String word = words.get(i);
                if (word.equals("-pl") && !words.get(i + 1).startsWith("<")) {
                    Stream.of(words.get(i + 1).split(","))
                            .filter(module ->
                                    !Files.exists(Markdown.ROOT.resolve(module).resolve("pom.xml")))
                            .forEach(module -> wrong.add(command + " -> no module " + module));
                } else if (word.matches("-P\\w+") && !poms.contains("<id>" + word.substring(2) + "</id>")) {
                    wrong.add(command + " -> no profile");
                } else if (word.startsWith("-Dtest=")) {
                    String test = word.substring("-Dtest=".length())
                            .replaceFirst("#.*", "")
                            .replace("*", ".*");
                    if (tests.stream().noneMatch(name -> name.matches(test))) {
                        wrong.add(command + " -> no test " + test);
                    }
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The commands in the help of quality/long-tests. */
    private static List<Piece> longTests() throws IOException {
        Path script = Markdown.ROOT.resolve("quality/long-tests");
        return Files.readAllLines(script).stream()
                .filter(line -> line.startsWith("#     quality/long-tests"))
                .map(line -> new Piece(script, 0, line.substring(1).strip()))
                .toList();
    }

    private static Set<String> tests() throws IOException {
        Set<String> tests = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Markdown.ROOT, 12)) {
            files.map(Path::toString)
                    .filter(path -> path.endsWith(".java") && path.contains("/src/test/"))
                    .map(path -> path.replaceFirst(".*/src/test/(java/)?", "").replaceFirst("\\.java$", ""))
                    .forEach(path -> {
                        tests.add(path);
                        tests.add(path.substring(path.lastIndexOf('/') + 1));
                    });
        }
        return tests;
    }

    @Test
    void shouldNameScriptsThatExist() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Markdown page : Markdown.pages()) {
            for (Piece code : page.shellLines()) {
                String first = words(code.text()).stream().findFirst().orElse("");
                if (first.endsWith(":")) {
                    continue; // Output that begins with a file.
                }
                if (first.matches("\\.?/?(examples|quality|\\.ci|transports/ucx)/.*")
                        && !Files.isExecutable(Markdown.ROOT.resolve(first))) {
                    wrong.add(code + " -> no such script");
                } else if (first.matches("\\./.*") && !first.matches("\\./(updraft|mvnw)")) {
                    wrong.add(code + " -> no such command");
                }
            }
        }
        assertThat(wrong).isEmpty();
    }
}
