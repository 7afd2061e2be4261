package io.updraft.examples.wordcount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the counts with those of the shell's pipeline, under many replays and late copies. */
class ExactCountTest {
    private static final String PIPELINE =
            "export LC_ALL=C; tr -cs A-Za-z '\\n' | tr A-Z a-z | grep . | sort | uniq -c";

    @TempDir
    Path directory;

    @Test
    void shouldEqualTheShellsPipelineOnTheShippedText() throws Exception {
        List<String> lines = shippedLines();
        Path out = directory.resolve("counts.txt");
        new WordCountReport(countWithReplays(lines, new Random(42))).write(out);
        assertThat(Files.readString(out)).isEqualTo(shell(String.join("\n", lines)));
    }

    private static List<String> shippedLines() throws IOException {
        List<String> lines = new ArrayList<>();
        try (LineSource source = InputFiles.open(List.of(InputFiles.SHIPPED))) {
            for (String line = source.poll(); line != null; line = source.poll()) {
                lines.add(line);
            }
        }
        return lines;
    }

    /** Simulates spout, splitter and counter. Tuples may be late, lost or delivered twice. */
    private static Map<String, Long> countWithReplays(List<String> lines, Random random) {
        Map<String, Long> counts = new TreeMap<>();
        LinesInFlight inFlight = new LinesInFlight();
        SeenWords seen = new SeenWords();
        List<Long> sent = new ArrayList<>();
        int read = 0;
        while (read < lines.size() || !inFlight.isEmpty()) {
            for (; read < lines.size() && !inFlight.isFull() && random.nextInt(50) > 0; read++) {
                sent.add(inFlight.add(lines.get(read)));
            }
            Collections.shuffle(sent, random);
            for (long number : List.copyOf(sent)) {
                deliver(lines.get((int) number), number, random.nextInt(3), inFlight, seen, counts);
            }
            sent.removeIf(number -> random.nextBoolean());
            for (long failed = inFlight.pollFailed(); failed >= 0; failed = inFlight.pollFailed()) {
                sent.add(failed);
            }
        }
        return counts;
    }

    private static void deliver(
            String line, long number, int fate, LinesInFlight inFlight, SeenWords seen, Map<String, Long> counts) {
        Map<String, Integer> words = new HashMap<>();
        WordSplitter.forEach(line, word -> words.merge(word, 1, Integer::sum));
        boolean whole = fate > 0;
        words.forEach((word, times) -> {
            if ((whole || word.hashCode() % 2 == 0) && seen.isNew(number, word)) {
                counts.merge(word, (long) times, Long::sum);
            }
        });
        if (whole && fate == 1) {
            inFlight.ack(number);
        } else {
            inFlight.fail(number);
        }
    }

    private static String shell(String text) throws IOException, InterruptedException {
        assumeThat(Path.of("/bin/sh")).exists();
        Process shell = new ProcessBuilder("/bin/sh", "-c", PIPELINE).start();
        Thread feeder = new Thread(() -> {
            try (var in = shell.getOutputStream()) {
                in.write(text.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        feeder.start();
        String result = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(shell.waitFor()).isZero();
        feeder.join();
        return result;
    }
}
