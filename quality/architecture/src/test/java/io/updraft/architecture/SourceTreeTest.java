package io.updraft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.architecture.SourceTree.Source;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds the tree of sources against its limits: sizes of files and packages, cycles, names. {@code quality/tree} prints the same. */
final class SourceTreeTest {

    private static final int MAX_LINES = 600;
    private static final int MAX_FILES = 40;

    /** A larger package is one room with a small door: few of its types are seen from outside. */
    private static final int MAX_OPEN = 5;

    private static final int MAX_OPEN_OF_ENGINE = 74;

    /** Storm's own API, under Storm's names: its size and its cycles are Storm's. */
    private static final String STORMS_API = "storm/local";

    private static SourceTree tree;

    @BeforeAll
    static void read() throws IOException {
        tree = SourceTree.read(Path.of("../.."));
    }

    @Test
    void shouldSeeTheSources() {
        assertThat(tree.mainTypes()).hasSizeGreaterThan(500);
        assertThat(tree.sources()).anyMatch(source -> source.module().equals("engine") && !source.main());
    }

    @Test
    void filesShouldBeShort() {
        assertThat(tree.mainTypes().stream()
                        .filter(source -> source.lines() > MAX_LINES)
                        .filter(source -> !source.module().equals(STORMS_API))
                        .map(source -> source.path() + ": " + source.lines() + " lines"))
                .as("files of more than %d lines", MAX_LINES)
                .isEmpty();
    }

    @Test
    void packagesShouldBeSmall() {
        assertThat(tree.packages().entrySet().stream()
                        .filter(entry -> entry.getValue().size() > MAX_FILES)
                        .filter(entry ->
                                entry.getValue().stream().filter(Source::open).count() > MAX_OPEN)
                        .map(entry -> entry.getKey() + ": " + entry.getValue().size() + " files"))
                .as("packages of more than %d files and more than %d public types", MAX_FILES, MAX_OPEN)
                .isEmpty();
    }

    @Test
    void theEngineShouldHideMostOfItsTypes() {
        assertThat(tree.mainTypes().stream()
                        .filter(source -> source.module().equals("engine") && source.open())
                        .map(Source::name))
                .as("public types of the engine")
                .hasSizeLessThanOrEqualTo(MAX_OPEN_OF_ENGINE);
    }

    @Test
    void arrowsBetweenPackagesShouldRunOneWay() {
        Set<String> storms = tree.packages().entrySet().stream()
                .filter(entry -> entry.getValue().stream().map(Source::module).allMatch(STORMS_API::equals))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(tree.cycles().stream().filter(cycle -> !storms.containsAll(cycle)))
                .as("packages that use each other")
                .isEmpty();
    }

    @Test
    void simpleNamesShouldStandForOneTypeInAModule() {
        assertThat(tree.repeatedNames())
                .as("simple names of several files of a module")
                .isEmpty();
    }
}
