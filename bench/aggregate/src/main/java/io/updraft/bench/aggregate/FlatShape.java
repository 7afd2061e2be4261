package io.updraft.bench.aggregate;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The files that {@code updraft bench aggregate files} can write: flat records in one file. */
enum FlatShape {
    /** JSON of about 1 KB: text dimensions and decimal measures, all of which are grouped by or summed. */
    ERICSSON(62, 20, List.of("sum"), 10_000, List.of(250_000L, 1_500_000L)),
    /** CSV of a station and a temperature. */
    STATIONS(1, 1, List.of("min", "avg", "max"), 400, List.of(3_000_000L, 30_000_000L));

    private final int dimensions;
    private final int measures;
    private final List<String> functions;
    private final int groups;
    private final List<Long> sizes;

    FlatShape(int dimensions, int measures, List<String> functions, int groups, List<Long> sizes) {
        this.dimensions = dimensions;
        this.measures = measures;
        this.functions = functions;
        this.groups = groups;
        this.sizes = sizes;
    }

    /** A column of the results: a function of a field. */
    record Result(String function, int measure, String name) {}

    boolean isCsv() {
        return this == STATIONS;
    }

    /** {@return the fields to group by} */
    List<String> dimensions() {
        return isCsv() ? List.of("station") : TableRecords.dimensions(dimensions);
    }

    /** {@return the fields with decimals} */
    List<String> measures() {
        return isCsv() ? List.of("temp") : TableRecords.measures(measures);
    }

    /** {@return the columns of the results after the dimensions, without the count} */
    List<Result> results() {
        return functions.stream()
                .flatMap(function -> IntStream.range(0, measures)
                        .mapToObj(m -> new Result(
                                function, m, function + "_" + measures().get(m))))
                .toList();
    }

    List<String> functions() {
        return functions;
    }

    /** {@return the number of groups unless the command line says otherwise} */
    int groups() {
        return groups;
    }

    /** {@return the numbers of records unless the command line says otherwise} */
    List<Long> sizes() {
        return sizes;
    }

    /** {@return all fields with their types, as {@code name SEPARATOR type}} */
    List<String> fields(String separator, String text, String decimal) {
        return Stream.concat(
                        dimensions().stream().map(name -> name + separator + text),
                        measures().stream().map(name -> name + separator + decimal))
                .toList();
    }

    /** {@return the name of a file of this shape} */
    String file(String name) {
        return name + (isCsv() ? ".csv" : ".json");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
