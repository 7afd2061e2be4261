package io.updraft.pipeline.process;

import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The records of the soak, each of which has a number of its own, and where each of them has come out. The sum of the numbers in a
 * window, beside their count, says whether they are the right ones. One thread.
 */
final class SoakRecords {

    static final int PARTITIONS = 6;

    private static final int METRICS = 40;
    private static final long BEGIN = 1_357_000_000_000L;

    /** From one record's time to the next one's. */
    private static final long STEP = 10;

    private static final int MOST_DISORDER = 1_000;
    private static final int LATE_BY = 1_200_000;
    private static final int ONE_IN = 100;

    private static final Pattern LATE = Pattern.compile("value\\\\*\":(\\d+)\\}");
    private static final Pattern BAD = Pattern.compile("bad-(\\d+)-");

    private final KafkaTotals totals;
    private final SplittableRandom random;
    private final BitSet bad = new BitSet();
    private long[] times = new long[1 << 16];
    private int sent;

    SoakRecords(KafkaTotals totals, long seed) {
        this.totals = totals;
        this.random = new SplittableRandom(seed);
    }

    int sent() {
        return sent;
    }

    /** Of a hundred records one is no JSON, and two are of a time that is over. */
    void send(KafkaServer kafka, String topic) {
        int number = sent++;
        String metric = metric(number);
        int partition = KafkaTotals.partition(metric, PARTITIONS);
        int kind = random.nextInt(ONE_IN);
        if (kind == 0) {
            bad.set(number);
            totals.sendText(kafka, topic, partition, "{\"bad-" + number + "-");
            return;
        }
        long time = BEGIN + number * STEP - random.nextInt(kind < 3 ? LATE_BY : MOST_DISORDER);
        if (number == times.length) {
            times = Arrays.copyOf(times, 2 * number);
        }
        times[number] = time;
        totals.send(kafka, topic, partition, time, metric, number);
    }

    private static String metric(int number) {
        return "m" + Math.floorMod(Integer.hashCode(number * 31), METRICS);
    }

    /** What there is to say of all records; empty once each of them has come out in one place. */
    List<String> verdict(Path rejected) throws IOException {
        Set<Integer> late = numbers(rejected, "late-", LATE);
        Set<Integer> dead = numbers(rejected, "bad-", BAD);
        List<String> wrong = new ArrayList<>();
        bad.stream()
                .filter(number -> !dead.contains(number))
                .forEach(number -> wrong.add("no dead letter of " + number));
        dead.stream().filter(number -> !bad.get(number)).forEach(number -> wrong.add(number + " is a dead letter"));
        Map<String, KafkaTotals.Result> expected = new HashMap<>(totals.expected());
        late.forEach(number -> expected.merge(
                totals.key(metric(number), times[number]),
                new KafkaTotals.Result(-1, -number),
                KafkaTotals.Result::plus));
        expected.forEach((key, result) -> {
            KafkaTotals.Result found = totals.results().getOrDefault(key, new KafkaTotals.Result(0, 0));
            if (!found.equals(result)) {
                wrong.add(key + ": " + result + " of it is not late, the window has " + found);
            }
        });
        totals.results().keySet().stream()
                .filter(key -> !expected.containsKey(key) && !key.endsWith(" end"))
                .forEach(key -> wrong.add(key + " was never sent"));
        totals.doubles().forEach(key -> wrong.add(key + " was written twice"));
        return wrong;
    }

    /** Results that no file of CSV has. */
    List<String> notIn(Path disk) throws IOException {
        Map<String, Set<KafkaTotals.Result>> lines = new HashMap<>();
        for (String line : lines(disk, "out-")) {
            if (line.startsWith("2")) {
                Map.Entry<String, KafkaTotals.Result> result = KafkaTotals.result(line);
                lines.computeIfAbsent(result.getKey(), key -> new HashSet<>()).add(result.getValue());
            }
        }
        return totals.results().entrySet().stream()
                .filter(result -> !lines.getOrDefault(result.getKey(), Set.of()).contains(result.getValue()))
                .map(result -> result + " is in no file, but " + lines.get(result.getKey()))
                .toList();
    }

    String counts(Path rejected) throws IOException {
        Set<Integer> late = numbers(rejected, "late-", LATE);
        long counted = totals.results().entrySet().stream()
                .filter(result -> !result.getKey().endsWith(" end"))
                .mapToLong(result -> result.getValue().count())
                .sum();
        return sent + " records: " + counted + " in " + totals.results().size() + " groups of windows, " + late.size()
                + " late, " + bad.cardinality() + " dead letters; "
                + totals.doubles().size() + " groups twice";
    }

    private static Set<Integer> numbers(Path directory, String prefix, Pattern pattern) throws IOException {
        Set<Integer> numbers = new HashSet<>();
        for (String line : lines(directory, prefix)) {
            Matcher matcher = pattern.matcher(line);
            while (matcher.find()) {
                numbers.add(Integer.parseInt(matcher.group(1)));
            }
        }
        return numbers;
    }

    private static List<String> lines(Path directory, String prefix) throws IOException {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith(prefix))
                    .toList()) {
                lines.addAll(Files.readAllLines(file));
            }
        }
        return lines;
    }
}
