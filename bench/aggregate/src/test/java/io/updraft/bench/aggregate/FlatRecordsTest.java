package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlatRecordsTest {

    private static final int RECORDS = 3_000;

    @TempDir
    Path directory;

    /** The totals count units of a power of two; this adds the numbers of the file. */
    @Test
    void shouldHaveTheExactTotalsOfTheFile() throws IOException {
        Path file = directory.resolve("records.csv");
        Map<String, FlatTotals> totals = new FlatRecords(FlatShape.STATIONS, 7).write(file, 0, RECORDS);
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(RECORDS + 1).contains("station,temp");
        assertThat(totals).hasSize(7);
        totals.forEach((station, total) -> {
            List<Double> values = lines.stream()
                    .filter(line -> line.startsWith(station + ","))
                    .map(line -> Double.parseDouble(line.substring(station.length() + 1)))
                    .toList();
            assertThat(total.records()).isEqualTo(values.size());
            BigDecimal sum = values.stream().map(BigDecimal::new).reduce(BigDecimal.ZERO, BigDecimal::add);
            BigDecimal mean = sum.divide(BigDecimal.valueOf(values.size()), MathContext.DECIMAL128);
            List<Double> sorted = values.stream().sorted().toList();
            assertThat(FlatShape.STATIONS.results().stream().map(total::of))
                    .containsExactly(sorted.get(0), mean.doubleValue(), sorted.get(sorted.size() - 1));
        });
    }

    @Test
    void shouldWriteTheSameFileEachTime() throws IOException {
        Path file = directory.resolve("records.json");
        new FlatRecords(FlatShape.ERICSSON, 100).write(file, 0, 10);
        String first = Files.readString(file);
        new FlatRecords(FlatShape.ERICSSON, 100).write(file, 0, 10);
        assertThat(Files.readString(file)).isEqualTo(first).contains("\"d61\":\"v", "\"m19\":");
    }

    @Test
    void shouldTellAMeanThatIsNotTheNearestDouble() throws IOException {
        Map<String, FlatTotals> totals = totals(1);
        double right = totals.get("st0").of(FlatShape.STATIONS.results().get(1));
        double near = Math.nextUp(right);
        String row = row(totals, "st0").replace("," + right, "," + near);

        assertThat(problems(totals, false, row)).isEmpty();
        assertThat(problems(totals, true, row))
                .containsExactly("avg_temp of st0 is " + near + ", not " + right, "1 results are wrong");
        assertThat(problems(totals, true, row(totals, "st0"))).isEmpty();
    }

    @Test
    void shouldTellResultsThatAreMissingOrMoreThanOnceOrUnexpected() throws IOException {
        Map<String, FlatTotals> totals = totals(2);
        String row = row(totals, "st0");

        assertThat(problems(totals, false, row, row, row.replace("st0", "st9")))
                .containsExactly(
                        "group st0 is there more than once",
                        "unexpected group st9",
                        "2 results are wrong",
                        "1 of 2 results are missing");
        assertThat(new FlatResultCheck(FlatShape.STATIONS, totals, false).problems(directory.resolve("none.csv")))
                .containsExactly("no results were written");
    }

    private Map<String, FlatTotals> totals(int groups) throws IOException {
        return new FlatRecords(FlatShape.STATIONS, groups).write(directory.resolve("records.csv"), 0, RECORDS);
    }

    private static String row(Map<String, FlatTotals> totals, String station) {
        FlatTotals total = totals.get(station);
        return FlatShape.STATIONS.results().stream()
                .map(result -> "," + total.of(result))
                .collect(Collectors.joining("", station, "," + total.records()));
    }

    private List<String> problems(Map<String, FlatTotals> totals, boolean exact, String... rows) throws IOException {
        Path results = directory.resolve("results.csv");
        Files.writeString(results, "station,min_temp,avg_temp,max_temp,count\n" + String.join("\n", rows) + "\n");
        return new FlatResultCheck(FlatShape.STATIONS, totals, exact).problems(results);
    }
}
