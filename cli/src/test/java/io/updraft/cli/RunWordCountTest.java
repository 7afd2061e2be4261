package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.examples.wordcount.WordCount;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the README's first command, in a separate process, with the shell. */
class RunWordCountTest {
    private static final String PIPELINE =
            "{ export LC_ALL=C; tr -cs A-Za-z '\\n' | tr A-Z a-z | grep . | sort | uniq -c; }";

    @TempDir
    Path directory;

    @Test
    void shouldCountTheShippedBookLikeTheShell() throws Exception {
        UpdraftProcess updraft = wordCount();
        assertThat(updraft.awaitExit()).isZero();
        Path book = directory.resolve("book.txt");
        try (var in = WordCount.class.getResourceAsStream("/opticks.txt")) {
            Files.copy(in, book);
        }
        assertThat(directory.resolve("counts.txt")).hasContent(shell("cat book.txt | " + PIPELINE));
        assertThat(updraft.out()).contains("   9825 the");
    }

    @Test
    void shouldCountFilesAndDirectoriesWithSeveralTasksOfEachKind() throws Exception {
        Path texts = Files.createDirectories(directory.resolve("texts/deep"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(
                    texts.resolve("text" + i), ("Word and w\u00f6rd " + "x".repeat(i % 3) + "\n").repeat(i) + "no end");
        }
        UpdraftProcess updraft = wordCount("texts", "--readers", "3", "--splitters", "3", "--counters", "5");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(directory.resolve("counts.txt"))
                .hasContent(shell("find texts -type f -exec awk 1 {} + | " + PIPELINE));
    }

    @Test
    void shouldCountStandardInput() throws Exception {
        UpdraftProcess updraft = wordCount("-");
        updraft.write("b a B\n");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(directory.resolve("counts.txt")).hasContent("      1 a\n      2 b\n");
    }

    @Test
    void shouldMarkTheResultPartialWhenInterrupted() throws Exception {
        UpdraftProcess updraft = wordCount("-");
        awaitCounters();
        updraft.signal("INT");
        assertThat(updraft.awaitExit()).isZero();
        assertThat(updraft.out()).contains("PARTIAL RESULT: the topology was stopped before the input was counted");
        assertThat(directory.resolve("counts.txt")).doesNotExist();
        assertThat(directory.resolve("counts.txt.partial")).exists();
    }

    @Test
    void shouldPassOnWhatTheProgramSaysOfItsArguments() throws Exception {
        UpdraftProcess updraft = wordCount("--nosuch");
        assertThat(updraft.awaitExit()).isEqualTo(2);
        assertThat(updraft.err()).containsExactly("wordcount: unknown option --nosuch (--help lists them)");
    }

    private UpdraftProcess wordCount(String... args) throws Exception {
        String[] all = new String[5 + args.length];
        all[0] = "run";
        all[1] = "--view";
        all[2] = "none";
        all[3] = UpdraftProcess.jarOf(WordCount.class, directory).toString();
        all[4] = WordCount.class.getName();
        System.arraycopy(args, 0, all, 5, args.length);
        return UpdraftProcess.start(directory, all);
    }

    /** Waits until every counter has been prepared. */
    private void awaitCounters() throws Exception {
        Await.until("the counters are prepared", () -> {
            try (Stream<Path> files = Files.walk(directory)) {
                return files.filter(file -> file.toString().endsWith(".started"))
                                .count()
                        >= 4;
            } catch (UncheckedIOException e) {
                return false; // something vanished under the walk
            }
        });
    }

    private String shell(String command) throws Exception {
        Process shell = new ProcessBuilder("/bin/sh", "-c", command)
                .directory(directory.toFile())
                .start();
        String result = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(shell.waitFor()).isZero();
        return result;
    }
}
