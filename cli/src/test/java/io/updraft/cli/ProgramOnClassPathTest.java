package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a program that expects its jar on the class path, as in a Storm worker. */
class ProgramOnClassPathTest {
    private static final List<String> AS_LAUNCHED =
            List.of("-Xshare:off", "-Djava.system.class.loader=io.updraft.storm.launch.SystemClassLoader");

    private static final List<String> LOOKUPS = List.of(
            "a service in supplyAsync",
            "a class in the common pool",
            "a class for Storm in the common pool",
            "a resource of the system",
            "a class of the system",
            "a class in a thread of a library");

    private static final List<String> VALUES = List.of(
            "order of [pen] due tomorrow",
            "a constant with a body",
            "Price[currency=euro, item=ink]",
            "[Entry[name=array]]",
            "exception for late");

    @TempDir
    static Path folder;

    private static Path jar;

    @TempDir
    Path directory;

    @BeforeAll
    static void compile() throws Exception {
        Path classes = folder.resolve("classes");
        Path sources = Path.of("src", "test", "resources", "programs").toAbsolutePath();
        String javac = "-proc:none -nowarn -d " + classes + " -cp " + System.getProperty("java.class.path");
        run("javac", javac + " " + sources.resolve("Shop.java") + " " + sources.resolve("Lookups.java"));
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("shop.Lookups$Tax"), "shop.Lookups$Vat");
        Files.writeString(classes.resolve("shop/prices.txt"), "1");
        jar = folder.resolve("shop of books.jar");
        assertThat(ToolProvider.findFirst("jar")
                        .orElseThrow()
                        .run(System.out, System.err, "cf", jar.toString(), "-C", classes.toString(), "."))
                .isZero();
    }

    @Test
    void shouldFindClassesAndFilesOfTheJarInOneProcess() throws Exception {
        UpdraftProcess updraft =
                UpdraftProcess.startWith(AS_LAUNCHED, directory, "run", "--view", "none", jar.toString(), "shop.Shop");
        assertFinds(updraft, "");
    }

    @Test
    @Tag("long")
    void shouldReadJavaSerializedValuesOfTheJarInWorkersThatAThreadOfTheCommonPoolStarts() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.startWith(
                AS_LAUNCHED,
                directory,
                "run",
                "--view",
                "none",
                "--workers",
                "2",
                jar.toString(),
                "shop.Shop",
                "async");
        assertFinds(updraft, "[worker");
    }

    /** Each value is received once by each of the bolt's two tasks; a value that cannot be read would be missing. */
    private static void assertFinds(UpdraftProcess updraft, String process) throws Exception {
        for (String last : List.of("bolt 0 received " + VALUES.get(4), "bolt 1 received " + VALUES.get(4))) {
            updraft.awaitOutEnding(last);
        }
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).as("%s", updraft.err()).isZero();
        assertThat(updraft.out().stream().map(line -> line.replaceFirst("^\\[worker \\d] ", "")))
                .containsExactlyInAnyOrderElementsOf(Stream.of("main", "bolt 0", "bolt 1")
                        .flatMap(place -> Stream.concat(
                                LOOKUPS.stream().map(way -> place + " " + way + " found"),
                                VALUES.stream()
                                        .filter(value -> !place.equals("main"))
                                        .map(value -> place + " received " + value)))
                        .toList());
        assertThat(updraft.out())
                .filteredOn(line -> line.contains("received"))
                .allMatch(line -> line.startsWith(process));
        assertThat(updraft.err()).singleElement().asString().contains("SIGINT: draining");
    }

    private static void run(String tool, String options) {
        assertThat(ToolProvider.findFirst(tool).orElseThrow().run(System.out, System.err, options.split(" ")))
                .isZero();
    }
}
