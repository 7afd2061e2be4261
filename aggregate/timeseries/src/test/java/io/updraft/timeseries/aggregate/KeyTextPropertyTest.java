package io.updraft.timeseries.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.decode.CsvFormat;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A decoder that uses key texts, with its aggregator, against one that does not, on random records: other orders of members,
 * missing, repeated and escaped ones, wrong types, quotes, other headers, defaults, filters, several windows, groups on disk.
 */
@Tag("one-jdk")
final class KeyTextPropertyTest {

    private static final int CASES = 400;
    private static final String[] VALUES = {
        "a",
        "b",
        "",
        "c,d",
        "\"",
        "7",
        "08",
        "x\\y",
        "true",
        "null",
        "é",
        "a long text of more than fifteen bytes",
        "e\nf",
        "7 bytes",
        "8 bytes.",
        "8 bytes,",
        "nine byte",
        "fifteen bytes..",
        "sixteen bytes..."
    };

    @TempDir
    Path directory;

    private long hits;
    private long blocks;

    @Test
    void shouldGiveTheRowsAndResultsOfADecoderWithoutKeyTexts() {
        for (int seed = 0; seed < CASES; seed++) {
            new Case(seed).run(1_500);
        }
        assertThat(hits).isGreaterThan(CASES * 100);
        assertThat(blocks).isGreaterThan(CASES * 20);
    }

    @Test
    void shouldGiveThemAlsoWhenKeyTextsAreGivenUpAndTriedAgain() {
        for (int seed = 1_000; seed < 1_003; seed++) {
            Case random = new Case(seed);
            random.values = seed == 1_000 ? 10 : 40_000;
            random.run(150_000);
        }
    }

    /** A random producer of records, and two decoders of its records, each with an aggregator. */
    private final class Case {

        private final Random random;
        private final int seed;
        private final boolean json;
        private final List<DecodedColumn> columns = new ArrayList<>();
        private final List<String> keys = new ArrayList<>();
        private final List<String> members = new ArrayList<>();
        private final boolean nested;
        private final DecodeSpec spec;
        private final Query query;
        private final double oddity;
        private int values;
        private long position;
        private long now;

        Case(int seed) {
            // The first numbers of generators with neighbouring seeds are alike.
            this.random = new Random(seed * 0x9e3779b97f4a7c15L);
            this.seed = seed;
            json = seed % 2 == 0;
            nested = json && random.nextBoolean();
            oddity = random.nextInt(3) * 0.03;
            values = 1 + random.nextInt(random.nextBoolean() ? 6 : VALUES.length);
            // With many values, most key texts are new.
            values = random.nextInt(4) == 0 ? 20_000 : values;
            // Only such rows come in blocks.
            boolean simple = random.nextInt(3) > 0;
            int dimensions = 1 + random.nextInt(5);
            for (int i = 0; i < dimensions; i++) {
                String name = "k" + i;
                FieldType type = random.nextInt(5) == 0 ? FieldType.LONG : FieldType.TEXT;
                String path = nested && random.nextInt(5) > 0 ? "in." + name : name;
                DecodedColumn column = DecodedColumn.of(name, type, path);
                column = simple || random.nextInt(4) > 0
                        ? column
                        : random.nextBoolean() ? column.or("7") : column.require();
                columns.add(random.nextInt(8) == 0 ? column.none("b") : column);
                if (i == 0 || simple || random.nextInt(6) > 0) {
                    keys.add(name);
                }
            }
            List<Measure> measures = new ArrayList<>(List.of(new Measure("n", AggregateFunction.COUNT, null, 0)));
            for (int i = random.nextInt(4); i > 0; i--) {
                FieldType type = random.nextBoolean() ? FieldType.LONG : FieldType.DOUBLE;
                columns.add(DecodedColumn.of("m" + i, type));
                AggregateFunction function = List.of(
                                AggregateFunction.SUM,
                                AggregateFunction.MIN,
                                AggregateFunction.MAX,
                                AggregateFunction.AVG,
                                AggregateFunction.LAST)
                        .get(random.nextInt(5));
                measures.add(new Measure("f" + i, function, "m" + i, 0));
            }
            if (!simple && random.nextInt(3) == 0 && columns.get(0).type() == FieldType.TEXT) {
                measures.add(new Measure("last", AggregateFunction.LAST, "k0", 0));
            }
            Collections.shuffle(columns, random);
            columns.forEach(column -> members.add(column.name()));
            members.add("unread");
            if (random.nextBoolean()) {
                Collections.shuffle(members, random);
            } else {
                Collections.sort(members);
            }
            DecodeSpec plain = json
                    ? DecodeSpec.json(columns.toArray(DecodedColumn[]::new))
                    : DecodeSpec.csv(
                            random.nextBoolean() ? CsvFormat.STANDARD : new CsvFormat(members, ';', '"', "-"),
                            columns.toArray(DecodedColumn[]::new));
            spec = !simple && random.nextInt(3) == 0 && columns.get(0).type() == FieldType.TEXT
                    ? plain.keeping(columns.get(0).name() + " != 'a'")
                    : plain;
            query = new Query(
                    spec.schema(),
                    keys,
                    measures,
                    random.nextBoolean()
                            ? WindowSpec.tumbling(Duration.ofMillis(100))
                            : new WindowSpec(Duration.ofMillis(100), Duration.ofMillis(50), Duration.ZERO));
        }

        void run(int records) {
            Set<String> read = new HashSet<>();
            query.measures().stream()
                    .filter(measure -> measure.field() != null)
                    .forEach(measure -> read.add(measure.field()));
            Side with = new Side(Decoder.create(spec, keys, read), random.nextInt(4) == 0);
            Side without = new Side(Decoder.create(spec), false);
            List<byte[]> headers = headers();
            int left = records;
            while (left > 0) {
                int count = Math.min(left, 1 + random.nextInt(records / 4 + 1));
                left -= count;
                byte[] header = headers == null ? null : headers.get(random.nextInt(headers.size()));
                Chunk chunk = chunk(count, header);
                with.decode(chunk);
                without.decode(chunk);
                assertThat(with.rows).as("rows of seed %d", seed).isEqualTo(without.rows);
                with.rows.clear();
                without.rows.clear();
                if (random.nextInt(3) == 0) {
                    now += random.nextInt(100);
                    with.close(without, now);
                }
            }
            with.close(without, Long.MAX_VALUE / 4);
            hits += with.hits;
            blocks += with.blocks;
            with.aggregator.close();
            without.aggregator.close();
        }

        /** The headers of two files; null if there are none. */
        private List<byte[]> headers() {
            if (json || !spec.csv().hasHeader()) {
                return null;
            }
            List<String> other = new ArrayList<>(members);
            Collections.shuffle(other, random);
            return List.of(bytes(String.join(",", members) + "\n"), bytes(String.join(",", other) + "\n"));
        }

        private Chunk chunk(int count, byte[] header) {
            List<String> order = header == null
                    ? members
                    : List.of(new String(header, StandardCharsets.UTF_8).strip().split(","));
            StringBuilder text = new StringBuilder();
            boolean lines = random.nextInt(4) > 0 || !json && spec.csv().hasHeader();
            List<Integer> ends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                String record = json ? json(order) : csv(order);
                text.append(record);
                if (lines) {
                    text.append(random.nextInt(50) == 0 ? "\r\n" : "\n");
                }
                ends.add(bytes(record).length + (i == 0 ? 0 : ends.get(i - 1)));
            }
            byte[] bytes = bytes(text.toString());
            long from = position + 1;
            position = from + bytes.length;
            if (lines) {
                return new Chunk("p", from, bytes, bytes.length, header);
            }
            long[] positions = new long[count];
            for (int i = 0; i < count; i++) {
                positions[i] = from + i;
            }
            return new Chunk(
                    "p",
                    from,
                    position,
                    bytes,
                    bytes.length,
                    ends.stream().mapToInt(end -> end).toArray(),
                    positions,
                    null);
        }

        private String json(List<String> order) {
            StringBuilder outer = new StringBuilder("{");
            StringBuilder inner = new StringBuilder();
            for (String name : odd() ? shuffled(order) : order) {
                boolean isInner = columns.stream()
                        .anyMatch(column ->
                                column.name().equals(name) && column.path().startsWith("in."));
                StringBuilder to = isInner ? inner : outer;
                for (int times = odd() ? random.nextInt(3) : 1; times > 0; times--) {
                    to.append(to.length() > 1 ? odd() ? " , " : "," : "");
                    String label = isInner && odd() ? "in." + name : name;
                    (label.startsWith("in.") ? outer.append(outer.length() > 1 ? "," : "") : to)
                            .append('"')
                            .append(label)
                            .append(odd() ? "\" : " : "\":")
                            .append(value(name));
                    if (label.startsWith("in.") && to.length() > 0 && to.charAt(to.length() - 1) == ',') {
                        to.setLength(to.length() - 1);
                    }
                }
            }
            if (inner.length() > 0) {
                String object = "\"in\":{" + inner.toString().replaceAll("^[ ,]+|[ ,]+$", "") + "}";
                boolean first = random.nextInt(10) > 0 || outer.length() == 1;
                String rest = outer.substring(1);
                return "{" + (first ? object + (rest.isEmpty() ? "" : ",") + rest : rest + "," + object)
                        + (odd() ? "," + object : "") + "}";
            }
            return outer + "}";
        }

        private List<String> shuffled(List<String> order) {
            List<String> other = new ArrayList<>(order);
            Collections.shuffle(other, random);
            return other;
        }

        private String value(String name) {
            if (odd()) {
                return List.of("null", "12", "true", "[1]", "{\"k0\":\"a\"}", "1e2", "-", "\"\\u0061\"")
                        .get(random.nextInt(8));
            }
            return name.startsWith("m") ? number() : '"' + escaped(text(name)) + '"';
        }

        private String escaped(String text) {
            return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        }

        private String number() {
            return switch (random.nextInt(6)) {
                case 0 -> "-0";
                case 1 -> String.valueOf(random.nextInt(2_000) - 1_000);
                case 2 -> "1234567.25";
                case 3 -> (random.nextInt(200) - 100) + "." + random.nextInt(100);
                case 4 -> "0" + "." + random.nextInt(1_000);
                default -> String.valueOf(random.nextInt(10));
            };
        }

        private String text(String name) {
            boolean isLong =
                    columns.stream().anyMatch(column -> column.name().equals(name) && column.type() == FieldType.LONG);
            int value = random.nextInt(values);
            int more = value / VALUES.length;
            return isLong ? String.valueOf(value) : VALUES[value % VALUES.length] + (more == 0 ? "" : more);
        }

        private String csv(List<String> order) {
            StringBuilder record = new StringBuilder();
            char delimiter = spec.csv().delimiter();
            for (String name : order) {
                String value = name.startsWith("m") ? number() : text(name);
                boolean quoted = value.indexOf(delimiter) >= 0 || value.contains("\"") || value.contains("\n") || odd();
                record.append(record.length() > 0 ? String.valueOf(delimiter) : "")
                        .append(quoted ? '"' + value.replace("\"", "\"\"") + '"' : value);
            }
            if (odd()) {
                record.append(delimiter);
            }
            return record.toString();
        }

        private boolean odd() {
            return random.nextDouble() < oddity;
        }

        private byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        /** A decoder with its aggregator. */
        private final class Side implements RowHandler {

            private final Decoder decoder;
            private final Aggregator aggregator;
            private final List<Object> rows = new ArrayList<>();
            private long hits;
            private long blocks;
            private long chunkTime;

            Side(Decoder decoder, boolean spills) {
                this.decoder = decoder;
                aggregator = Aggregators.create(
                        query,
                        spills ? new AggregatorOptions(8, Long.MAX_VALUE, directory) : AggregatorOptions.inMemory());
            }

            void decode(Chunk chunk) {
                chunkTime = chunk.from() % 331;
                decoder.decode(chunk, this);
            }

            /** Of some blocks all rows are added at once. */
            @Override
            public void rows(RowBlock block) {
                if (seed % 3 == 0) {
                    RowHandler.super.rows(block);
                    return;
                }
                blocks += block.count();
                aggregator.add(block, chunkTime);
                for (int i = 0; i < block.count(); i++) {
                    keep(block.row(i), block.position(i));
                }
            }

            @Override
            public void row(RecordRow row, long at, long time) {
                hits += row.keyText() >= 0 ? 1 : 0;
                aggregator.add(row, chunkTime);
                keep(row, at);
            }

            private void keep(RecordRow row, long at) {
                row.expand();
                List<Object> read = new ArrayList<>(List.of(at));
                for (int slot = 0; slot < row.schema().size(); slot++) {
                    read.add(row.value(slot));
                }
                rows.add(read);
            }

            @Override
            public void rejected(long at, byte[] bytes, int from, int length, String reason) {
                rows.add(at + " " + reason);
            }

            void close(Side other, long time) {
                List<PartialResult> mine = aggregator.closeWindows(time);
                List<PartialResult> expected = other.aggregator.closeWindows(time);
                assertThat(mine).as("windows of seed %d", seed).hasSameSizeAs(expected);
                for (int i = 0; i < mine.size(); i++) {
                    assertThat(AggregatorModel.read(mine.get(i)))
                            .as("window %s of seed %d", mine.get(i).window(), seed)
                            .isEqualTo(AggregatorModel.read(expected.get(i)));
                }
            }
        }
    }
}
