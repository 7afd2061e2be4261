package io.updraft.bench.aggregate;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Generates the records of a {@link FlatShape}. A record depends on its number and the number of groups only. The generator is
 * the finalizer of SplitMix64 (G. L. Steele and others, Fast splittable pseudorandom number generators, 2014).
 */
final class FlatRecords {

    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    private static final int BUFFER = 1 << 20;
    private static final int DIMENSION_VALUES = 1000;
    private static final int MEASURE_VALUES = 10_000;
    private static final int TEMPERATURES = 800;
    private static final int COLDEST = -300;

    private final FlatShape shape;
    private final int groups;
    private final int dimensions;
    private final int measures;
    private final StringBuilder line = new StringBuilder(2048);

    FlatRecords(FlatShape shape, int groups) {
        this.shape = shape;
        this.groups = groups;
        dimensions = shape.dimensions().size();
        measures = shape.measures().size();
    }

    /**
     * Writes a file.
     *
     * @param from the number of the first record
     * @return the totals of each group that has records, by its dimensions with commas between them
     */
    Map<String, FlatTotals> write(Path file, long from, long number) throws IOException {
        FlatTotals[] totals = new FlatTotals[groups];
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
            if (shape.isCsv()) {
                out.write("station,temp\n".getBytes(StandardCharsets.ISO_8859_1));
            }
            for (long i = from; i < from + number; i++) {
                line.setLength(0);
                long random = mix(i * GOLDEN + 1);
                int group = (int) Long.remainderUnsigned(random, groups);
                if (totals[group] == null) {
                    totals[group] = new FlatTotals(measures);
                }
                totals[group].count();
                append(random, group, totals[group]);
                out.write(line.toString().getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return byName(totals);
    }

    private static long mix(long seed) {
        long z = seed;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private void append(long random, int group, FlatTotals totals) {
        if (shape.isCsv()) {
            int tenths = (int) Long.remainderUnsigned(mix(random), TEMPERATURES) + COLDEST;
            totals.add(0, tenths / 10.0);
            line.append("st").append(group).append(',').append(tenths < 0 ? "-" : "");
            line.append(Math.abs(tenths) / 10).append('.').append(Math.abs(tenths) % 10);
        } else {
            json(random, group, totals);
        }
        line.append('\n');
    }

    private void json(long random, int group, FlatTotals totals) {
        for (int k = 0; k < dimensions; k++) {
            line.append(k == 0 ? "{\"d" : ",\"d").append(k).append("\":\"v").append(dimension(group, k));
            line.append('"');
        }
        for (int k = 0; k < measures; k++) {
            int hundredths = (int) Long.remainderUnsigned(mix(random + k), MEASURE_VALUES);
            totals.add(k, hundredths / 100.0);
            line.append(",\"m").append(k).append("\":").append(hundredths / 100).append('.');
            line.append(hundredths / 10 % 10).append(hundredths % 10);
        }
        line.append('}');
    }

    private static long dimension(int group, int dimension) {
        return Long.remainderUnsigned(mix(group * 64L + dimension), DIMENSION_VALUES);
    }

    private Map<String, FlatTotals> byName(FlatTotals[] totals) {
        Map<String, FlatTotals> named = new HashMap<>();
        for (int group = 0; group < groups; group++) {
            if (totals[group] != null) {
                named.put(name(group), totals[group]);
            }
        }
        return named;
    }

    private String name(int group) {
        if (shape.isCsv()) {
            return "st" + group;
        }
        StringBuilder name = new StringBuilder(512);
        for (int k = 0; k < dimensions; k++) {
            name.append(k == 0 ? "v" : ",v").append(dimension(group, k));
        }
        return name.toString();
    }
}
