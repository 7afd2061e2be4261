package io.updraft.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive, unpacked into a directory with spaces and an umlaut in its path, run on a JRE without a compiler, by another user
 * if the test runs as root.
 */
@Tag("slow")
final class InstallationTest {
    @TempDir
    static Path directory;

    private static Installation updraft;
    private static int number;

    @BeforeAll
    static void install() throws Exception {
        updraft = Installation.into(directory);
    }

    private static String example(String name) {
        return updraft.home().resolve("examples/aggregate").resolve(name).toString();
    }

    @Test
    void shouldReportItsVersion() throws Exception {
        Installation.Result result = updraft.updraft("--version");
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(result.out().get(0))
                .matches("updraft " + System.getProperty("updraft.version") + " \\(commit .+\\)");
    }

    @Test
    void shouldCountWords() throws Exception {
        Path counts = updraft.work().resolve("one.txt");
        Installation.Result result = updraft.updraft("run", "examples/wordcount", "--out", counts.toString());
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(Files.readAllLines(counts)).contains("   9825 the");
    }

    @Test
    void shouldCountWordsInTwoWorkers() throws Exception {
        Path counts = updraft.work().resolve("two.txt");
        Installation.Result result =
                updraft.updraft("run", "--workers", "2", "examples/wordcount", "--out", counts.toString());
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(Files.readAllLines(counts)).contains("   9825 the");
    }

    @Test
    void shouldAggregateAFile() throws Exception {
        Installation.Result result = updraft.updraft(
                "aggregate",
                "--from",
                example("flights.csv.gz"),
                "--group-by",
                "origin",
                "--count",
                "--every",
                "1d",
                "--to",
                "csv");
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(result.out()).anyMatch(line -> line.contains("JFK"));
    }

    @Test
    void shouldExplainThatItHasNoBenchmark() throws Exception {
        Installation.Result result = updraft.updraft("bench", "--vs", "storm");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .containsExactly(
                        "updraft: bench: an installation does not include the benchmark; run './updraft bench' in a checkout"
                                + " of Updraft");
    }

    @Test
    void shouldRunThroughASymbolicLink() throws Exception {
        Path link = Files.createSymbolicLink(
                updraft.work().resolve("link to updraft"), updraft.home().resolve("bin/updraft"));
        Installation.Result result = updraft.updraft(link, List.of(), "--version");
        assertThat(result.code()).as(result.all()).isZero();
    }

    @Test
    void shouldRefuseAPathThatNoClassPathCanHave() throws Exception {
        Path colon = Files.createDirectories(updraft.work().resolve("a:b"));
        updraft.bash("cp -r '" + updraft.home() + "/bin' '" + colon + "' && mkdir '" + colon + "/lib' && cp '"
                + updraft.home() + "/lib/launcher.sh' '" + colon + "/lib'");
        Installation.Result result = updraft.updraft(colon.resolve("bin/updraft"), List.of(), "--version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .singleElement()
                .asString()
                .contains("contains a colon")
                .endsWith(colon.toString());
    }

    @Test
    void shouldNameAPartThatIsLeftOut() throws Exception {
        Path small = updraft.work().resolve("small");
        Files.createDirectory(small);
        updraft.bash("cp -r '" + updraft.home() + "/bin' '" + updraft.home() + "/examples' '" + small + "' && mkdir '"
                + small + "/lib' && cp '" + updraft.home() + "'/lib/*.* '" + small + "/lib'");
        try (Stream<Path> files = Files.list(small.resolve("lib"))) {
            assertThat(files.filter(Files::isDirectory)).isEmpty();
        }
        Path launcher = small.resolve("bin/updraft");
        Path counts = updraft.work().resolve("small.txt");
        Installation.Result words =
                updraft.updraft(launcher, List.of(), "run", "examples/wordcount", "--out", counts.toString());
        assertThat(words.code()).as(words.all()).isZero();
        assertThat(Files.readAllLines(counts)).contains("   9825 the");

        Installation.Result transport = updraft.updraft(
                launcher, List.of(), "run", "--workers", "2", "--transport", "aeron", "examples/wordcount");
        assertThat(transport.code()).isNotZero();
        assertThat(transport.err()).anyMatch(line -> line.contains("restore the directory lib/transport-aeron"));

        for (String[] sink : new String[][] {
            {"parquet: 'x-{window_start}.parquet'", "sink-parquet"},
            {"redis: {server: 'redis://localhost:1', key: '{origin}'}", "sink-redis"},
            {"postgres: {url: 'jdbc:postgresql://localhost:1/x', user: me, password: me, table: t}", "sink-postgresql"}
        }) {
            Installation.Result result = updraft.updraft(
                    launcher, List.of(), "aggregate", pipeline(sink[0], "").toString());
            assertThat(result.code()).as(result.all()).isEqualTo(2);
            assertThat(result.err()).singleElement().asString().contains("restore the directory lib/" + sink[1]);
        }
        Installation.Result spill = updraft.updraft(
                launcher,
                List.of(),
                "aggregate",
                pipeline("stdout: csv", ", limits: {spill: here}").toString());
        assertThat(spill.code()).as(spill.all()).isEqualTo(2);
        assertThat(spill.err()).singleElement().asString().contains("restore the directory lib/spill-rocksdb");
    }

    @Test
    void shouldSpillGroupsWithTheSystemsRocksDb() throws Exception {
        Installation.Result result = updraft.updraft(
                "aggregate",
                pipeline("csv: spilled.csv", ", limits: {groups: 2, spill: spill}")
                        .toString());
        assertThat(result.code()).as(result.all()).isZero();
        assertThat(Files.readString(updraft.work().resolve("spilled.csv"))).contains("JFK", "LGA", "EWR");
    }

    /** No library can be unpacked into this directory, as into one that is mounted with noexec. */
    @Test
    void shouldSayInOneLineThatALibraryCannotBeLoaded() throws Exception {
        Installation.Result result = updraft.updraft(
                updraft.home().resolve("bin/updraft"),
                List.of("UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=/proc"),
                "aggregate",
                pipeline("parquet: 'parquet/{window_start}.parquet'", "").toString());
        assertThat(result.code()).as(result.all()).isEqualTo(1);
        assertThat(result.err())
                .filteredOn(line -> line.contains("a library cannot be loaded"))
                .singleElement()
                .asString()
                .contains("name another directory: UPDRAFT_JAVA_OPTS=-Djava.io.tmpdir=");
        assertThat(result.err()).noneMatch(line -> line.startsWith("\tat ") && line.contains("zstd"));
    }

    private Path pipeline(String sink, String aggregate) throws IOException {
        return Files.writeString(updraft.work().resolve("pipeline" + number++ + ".yaml"), """
                source: {file: '%s'}
                format: csv
                flatten: {fields: {origin: text, when: {type: time, path: time_hour}}}
                time: {field: when, disorder: 1h}
                aggregate: {group_by: origin, every: 1d, measures: {n: count()}%s}
                sinks: [%s]
                """.formatted(
                                example("flights.csv.gz"), aggregate, "{" + sink + "}"))
                .toAbsolutePath();
    }

    @Test
    void shouldNotRunOnAJavaThatIsTooOld() throws Exception {
        Path old = Files.createDirectories(updraft.work().resolve("jre-11/bin"));
        updraft.bash("printf '#!/bin/sh\\n' > '" + old + "/java'; chmod +x '" + old
                + "/java'; echo 'JAVA_VERSION=\"11.0.2\"' > '" + old.getParent() + "/release'");
        Installation.Result result = updraft.updraft(
                updraft.home().resolve("bin/updraft"), List.of("JAVA_HOME=" + old.getParent()), "--version");
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err()).singleElement().asString().contains("found Java 11.0.2", "need Java 17 or newer");
    }

    @Test
    void shouldCompleteCommandsAndOptionsInBash() throws Exception {
        assumeThat(Path.of("/bin/bash")).exists();
        Path script = updraft.work().resolve("completion");
        Installation.Result generated = updraft.updraft("generate-completion");
        assertThat(generated.code()).as(generated.all()).isZero();
        Files.write(script, generated.out());
        assertThat(completions(script, "updraft", "")).contains("run", "aggregate", "help");
        assertThat(completions(script, "updraft", "run", "--work")).contains("--workers");
        assertThat(completions(script, "updraft", "aggregate", "--gr")).contains("--group-by");
    }

    private static List<String> completions(Path script, String... words) throws Exception {
        Installation.Result result = updraft.bash(". '" + script + "'; COMP_WORDS=('" + String.join("' '", words)
                + "'); COMP_CWORD=" + (words.length - 1) + "; _complete_updraft; printf '%s\\n' \"${COMPREPLY[@]}\"");
        assertThat(result.code()).as(result.all()).isZero();
        return result.out();
    }
}
