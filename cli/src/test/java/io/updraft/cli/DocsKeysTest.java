package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each configuration key that the pages name is one of the sources, and each key of the sources is in the reference. */
@Tag("one-jdk")
class DocsKeysTest {
    private static final Pattern IN_SOURCE =
            Pattern.compile("\"((?:topology\\.|storm\\.)?updraft\\.[a-z0-9]+(?:[.-][a-z0-9]+)*)\"");
    private static final Pattern IN_DOCS = Pattern.compile(
            "(?<![\\w./-])-?D?((?:topology\\.|storm\\.)?updraft\\.[a-z0-9]+(?:[.-][a-z0-9]+)*)(\\.\\*)?(?![\\w/-]|\\.txt)");

    /** Modules that ship. */
    private static final List<String> MODULES = List.of(
            "engine",
            "transports/session",
            "transports/netty",
            "transports/aeron",
            "transports/ucx",
            "transports/zeromq",
            "storm/messaging",
            "cluster",
            "storm/cluster",
            "storm/runtime",
            "storm/local",
            "storm/flux",
            "aggregate/kafka",
            "aggregate/timeseries",
            "aggregate/pipeline",
            "storm/testing",
            "cli");

    /** Names that look like keys and are none that a user sets. */
    private static final Set<String> NO_KEYS = Set.of(
            // What the launcher tells the JVM that may make an archive of classes.
            "updraft.archive",
            // In the configuration of components that Updraft wraps.
            "updraft.argument",
            "updraft.class",
            // Headers of a dead letter in Kafka.
            "updraft.failures",
            "updraft.offset",
            "updraft.partition",
            "updraft.topic",
            // What the engine gives PartitionSpout through its TopologyContext.
            "updraft.holdups",
            "updraft.letters",
            "updraft.traces",
            "updraft.turns",
            // What a Kafka consumer gives its assignor.
            "updraft.membership",
            // A file of a Storm worker's artifacts.
            "updraft.start");

    private static Set<String> keysOfSources() throws IOException {
        Set<String> keys = new TreeSet<>();
        for (String module : MODULES) {
            Path sources = Markdown.ROOT.resolve(module).resolve("src/main/java");
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file :
                        (Iterable<Path>) files.filter(path -> path.toString().endsWith(".java"))::iterator) {
                    Matcher matcher = IN_SOURCE.matcher(Files.readString(file));
                    while (matcher.find()) {
                        keys.add(matcher.group(1));
                    }
                }
            }
        }
        return keys;
    }

    private static Set<String> keysIn(Markdown page) {
        Set<String> keys = new TreeSet<>();
        Matcher matcher = IN_DOCS.matcher(page.text());
        while (matcher.find()) {
            keys.add(matcher.group(1) + (matcher.group(2) == null ? "" : ".*"));
        }
        return keys;
    }

    /** {@return the text of every source, test, build file and resource of the repository} */
    private static String everything() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(Markdown.ROOT)) {
            for (Path file : (Iterable<Path>) files.filter(DocsKeysTest::isSource)::iterator) {
                text.append(Files.readString(file)).append('\n');
            }
        }
        return text.toString();
    }

    private static boolean isSource(Path file) {
        String path = Markdown.ROOT.relativize(file).toString();
        return path.matches("(.*/)?(src/.*\\.java|src/main/.*\\.xml|pom\\.xml|bin/[^/.]+)")
                && !path.contains("/target/");
    }

    @Test
    void shouldNameOnlyKeysThatExist() throws IOException {
        String sources = everything();
        Set<String> unknown = new TreeSet<>();
        for (Markdown page : Markdown.pages()) {
            for (String key : keysIn(page)) {
                if (!sources.contains(key.replaceFirst("\\*$", ""))) {
                    unknown.add(Markdown.ROOT.relativize(page.file()) + ": " + key);
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void shouldHaveEachKeyInTheReference() throws IOException {
        Path reference = Markdown.ROOT.resolve("docs/configuration.md");
        Set<String> named = new TreeSet<>();
        for (Markdown page : Markdown.pages()) {
            if (page.file().equals(reference)) {
                named.addAll(keysIn(page));
            }
        }
        Set<String> keys = keysOfSources();
        assertThat(keys).containsAll(NO_KEYS);
        keys.removeAll(NO_KEYS);
        assertThat(named).containsAll(keys);
    }
}
