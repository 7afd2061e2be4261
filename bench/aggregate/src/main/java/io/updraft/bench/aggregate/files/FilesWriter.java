package io.updraft.bench.aggregate.files;

import io.updraft.bench.aggregate.data.MeasurementSequence;
import io.updraft.bench.aggregate.table.TableRecords;
import io.updraft.bench.aggregate.table.TableSpec;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the input files and checks the results. Each line is a JSON record with an object of dimensions and an object of
 * measures. The records are those of {@link TableRecords}.
 */
public final class FilesWriter {

    private static final int FILES = 4;

    private final TableSpec shape;
    private final TableRecords records;
    private final List<String> dimensions;
    private final List<String> measures;

    /** Creates a writer of records of a shape. */
    public FilesWriter(TableSpec shape) {
        this.shape = shape;
        this.records = new TableRecords(shape);
        this.dimensions = TableRecords.dimensions(shape.dimensions());
        this.measures = TableRecords.measures(shape.measures());
        records.prepare();
    }

    /**
     * Writes four files. Records go to the files in turn, so event time advances in all files alike.
     *
     * @param directory the directory for the files
     * @return the size of all files in bytes
     */
    public long write(Path directory, long number) throws IOException {
        List<BufferedWriter> files = new ArrayList<>();
        try {
            for (int file = 0; file < FILES; file++) {
                files.add(Files.newBufferedWriter(file(directory, file)));
            }
            StringBuilder line = new StringBuilder(4096);
            for (long i = 0; i < number; i++) {
                line.setLength(0);
                write(i, line);
                files.get((int) (i % FILES)).append(line);
            }
        } finally {
            for (BufferedWriter file : files) {
                file.close();
            }
        }
        try (Stream<Path> all = Files.list(directory)) {
            return all.filter(file -> file.toString().endsWith(".json"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    private static Path file(Path directory, int number) {
        return directory.resolve("records-" + number + ".json");
    }

    private void write(long number, StringBuilder line) {
        Object[] record = records.record(number);
        line.append("{\"time\":")
                .append(MeasurementSequence.START + records.time(number))
                .append(",\"dimensions\":{");
        for (int d = 0; d < dimensions.size(); d++) {
            line.append(d == 0 ? "\"" : ",\"")
                    .append(dimensions.get(d))
                    .append("\":\"")
                    .append(record[d])
                    .append('"');
        }
        line.append("},\"measures\":{");
        for (int m = 0; m < measures.size(); m++) {
            line.append(m == 0 ? "\"" : ",\"")
                    .append(measures.get(m))
                    .append("\":")
                    .append(record[dimensions.size() + m]);
        }
        line.append("}}\n");
    }

    /** {@return the description, in YAML, of the pipeline that reads these files and writes the results to a CSV file} */
    public String description(Path directory, Path results, int parallelism) {
        String fields = Stream.concat(
                        dimensions.stream()
                                .map(name -> "    " + name + ": {type: text, path: dimensions." + name + "}"),
                        measures.stream().map(name -> "    " + name + ": {type: long, path: measures." + name + "}"))
                .collect(Collectors.joining("\n"));
        String sums = measures.stream()
                .map(name -> "    sum_" + name + ": sum(" + name + ")")
                .collect(Collectors.joining("\n"));
        return """
                source: {file: "%s"}
                format: json
                flatten:
                  fields:
                    time: {type: time, format: millis}
                %s
                time: {field: time, disorder: 0s}
                aggregate:
                  group_by: [%s]
                  every: 5m
                  measures:
                %s
                    n: count()
                parallelism: %d
                sinks:
                  - csv: {path: "%s"}
                """.formatted(
                        directory.resolve("*.json"), fields, String.join(", ", dimensions), sums, parallelism, results);
    }

    /**
     * Checks results.
     *
     * @param results the results, a CSV file
     * @param number the number of records written
     * @return a description of each error; empty if every record was counted and all sums are right
     */
    public List<String> problems(Path results, long number) throws IOException {
        long[] totals = new long[measures.size() + 1];
        try (Stream<String> lines = Files.lines(results)) {
            lines.skip(1).forEach(line -> add(line.split(","), totals));
        }
        List<String> problems = new ArrayList<>();
        if (totals[measures.size()] != number) {
            problems.add(totals[measures.size()] + " of " + number + " records are counted in results");
        }
        for (int m = 0; m < measures.size(); m++) {
            if (totals[m] != records.sum(number, m)) {
                problems.add("the sum of " + measures.get(m) + " is " + totals[m] + ", not " + records.sum(number, m));
            }
        }
        return problems;
    }

    private void add(String[] cells, long[] totals) {
        int first = cells.length - totals.length;
        for (int i = 0; i < totals.length; i++) {
            totals[i] += Long.parseLong(cells[first + i]);
        }
    }

    /** {@return the shape of the records} */
    public TableSpec shape() {
        return shape;
    }
}
