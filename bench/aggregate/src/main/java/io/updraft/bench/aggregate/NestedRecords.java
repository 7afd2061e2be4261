package io.updraft.bench.aggregate;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes {@link TableRecords} to files and checks their totals. Each line is a JSON record with a time, an object of dimensions and
 * an object of measures.
 */
final class NestedRecords {

    private static final int FILES = 4;
    private static final int LINE = 4096;

    private final TableSpec shape;
    private final TableRecords records;
    private final List<String> dimensions;
    private final List<String> measures;
    private final Path directory;

    /** Creates a writer of records of a shape into a directory. */
    NestedRecords(TableSpec shape, Path directory) {
        this.shape = shape;
        this.directory = directory;
        records = new TableRecords(shape);
        records.prepare();
        dimensions = TableRecords.dimensions(shape.dimensions());
        measures = TableRecords.measures(shape.measures());
    }

    /**
     * Writes records to the files in turns, so that event time advances in all files alike.
     *
     * @return the size of all files in bytes
     */
    long write(long number) throws IOException {
        List<BufferedWriter> files = new ArrayList<>();
        try {
            for (int file = 0; file < FILES; file++) {
                files.add(Files.newBufferedWriter(file(file)));
            }
            StringBuilder line = new StringBuilder(LINE);
            for (long i = 0; i < number; i++) {
                line.setLength(0);
                append(i, line);
                files.get((int) (i % FILES)).append(line);
            }
        } finally {
            for (BufferedWriter file : files) {
                file.close();
            }
        }
        long bytes = 0;
        for (int file = 0; file < FILES; file++) {
            bytes += Files.size(file(file));
        }
        return bytes;
    }

    private Path file(int number) {
        return directory.resolve("records-" + number + ".json");
    }

    private void append(long number, StringBuilder line) {
        line(shape, records.record(number), records.time(number), line);
        line.append('\n');
    }

    /** Appends a record in JSON, without a line end. */
    static void line(TableSpec shape, Object[] record, long time, StringBuilder line) {
        line.append("{\"time\":").append(MeasurementSequence.START + time);
        String separator = ",\"dimensions\":{\"";
        for (int d = 0; d < shape.dimensions(); d++) {
            line.append(separator).append('d').append(d).append("\":\"").append(record[d]);
            separator = "\",\"";
        }
        separator = "\"},\"measures\":{\"";
        for (int m = 0; m < shape.measures(); m++) {
            line.append(separator).append('m').append(m).append("\":").append(record[shape.dimensions() + m]);
            separator = ",\"";
        }
        line.append("}}");
    }

    /** {@return the description, in YAML, of a pipeline that reads these files and writes the results to a CSV file} */
    String pipeline(Path results, int parallelism) {
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
                  every: %dm
                  measures:
                %s
                    n: count()
                parallelism: %d
                sinks:
                  - csv: {path: "%s"}
                """.formatted(
                        directory.resolve("*.json"),
                        fields,
                        String.join(", ", dimensions),
                        TableRecords.WINDOW.toMinutes(),
                        sums,
                        parallelism,
                        results);
    }

    /** {@return a sentence for each total of the results that is wrong} */
    List<String> problems(Path results, long number) throws IOException {
        long[] totals = new long[measures.size() + 1];
        try (Stream<String> lines = Files.lines(results)) {
            lines.skip(1).forEach(line -> add(line.split(","), totals));
        }
        List<String> problems = new ArrayList<>();
        if (totals[measures.size()] != number) {
            problems.add(totals[measures.size()] + " of " + number + " records are counted in results");
        }
        for (int m = 0; m < shape.measures(); m++) {
            if (totals[m] != records.sum(number, m)) {
                problems.add("the sum of " + measures.get(m) + " is " + totals[m] + ", not " + records.sum(number, m));
            }
        }
        return problems;
    }

    private static void add(String[] cells, long[] totals) {
        int first = cells.length - totals.length;
        for (int i = 0; i < totals.length; i++) {
            totals[i] += Long.parseLong(cells[first + i]);
        }
    }
}
