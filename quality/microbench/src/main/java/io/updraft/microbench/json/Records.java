package io.updraft.microbench.json;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.record.FieldType;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Records with realistic shapes, the same in each run.
 *
 * @param spec the fields to decode
 * @param texts the records
 */
record Records(DecodeSpec spec, byte[][] texts) {

    static final int COUNT = 256;

    private static final String[] GROUPS = {"subscriber", "network", "service", "device"};
    private static final String[] WORDS = {
        "stockholm",
        "lte",
        "4G-B20",
        "emergency call",
        "premium",
        "Göteborg",
        "se-1",
        "video \\\"hd\\\"",
        "x",
        "handover"
    };

    /** "large": 62 dimensions and 20 measures, about 2 KB, all used. "small": 8 fields, about 120 bytes, 5 used. */
    static Records of(String shape) {
        return shape.equals("large") ? large() : small();
    }

    private static Records large() {
        List<DecodedColumn> columns = new ArrayList<>();
        for (int i = 0; i < 62; i++) {
            columns.add(DecodedColumn.of("d" + i, FieldType.TEXT, GROUPS[i % 4] + "." + dimension(i)));
        }
        for (int i = 0; i < 20; i++) {
            columns.add(
                    DecodedColumn.of("m" + i, i < 10 ? FieldType.LONG : FieldType.DOUBLE, "measures." + measure(i)));
        }
        DecodeSpec spec = DecodeSpec.json(columns.toArray(DecodedColumn[]::new));
        Random random = new Random(1);
        byte[][] texts = new byte[COUNT][];
        for (int i = 0; i < COUNT; i++) {
            texts[i] = largeText(random).getBytes(StandardCharsets.UTF_8);
        }
        return new Records(spec, texts);
    }

    private static String dimension(int i) {
        return "dim_" + (i < 10 ? "0" : "") + i + (i % 3 == 0 ? "_name" : "");
    }

    private static String measure(int i) {
        return (i % 2 == 0 ? "bytes_" : "latency_") + i;
    }

    private static String largeText(Random random) {
        StringBuilder text = new StringBuilder("{\"ts\":\"2026-01-01T00:00:0" + random.nextInt(10) + "Z\"");
        for (int group = 0; group < 4; group++) {
            text.append(",\"").append(GROUPS[group]).append("\":{");
            for (int i = group; i < 62; i += 4) {
                text.append(i == group ? "" : ",")
                        .append('"')
                        .append(dimension(i))
                        .append("\":\"");
                text.append(WORDS[random.nextInt(10)])
                        .append(random.nextInt(1000))
                        .append('"');
            }
            text.append('}');
        }
        text.append(",\"measures\":{");
        for (int i = 0; i < 20; i++) {
            String number = i < 10 ? "" + random.nextInt(1_000_000) : "" + random.nextInt(1_000_000) / 1000.0;
            text.append(i == 0 ? "\"" : ",\"").append(measure(i)).append("\":").append(number);
        }
        return text.append("}}").toString();
    }

    private static Records small() {
        DecodeSpec spec = DecodeSpec.json(
                DecodedColumn.of("t", FieldType.LONG, "time"),
                DecodedColumn.of("name", FieldType.TEXT),
                DecodedColumn.of("source", FieldType.TEXT),
                DecodedColumn.of("value", FieldType.DOUBLE),
                DecodedColumn.of("count", FieldType.LONG));
        Random random = new Random(1);
        byte[][] texts = new byte[COUNT][];
        for (int i = 0; i < COUNT; i++) {
            String text = "{\"id\":" + random.nextInt(1_000_000) + ",\"time\":" + (1_767_225_600_000L + i)
                    + ",\"name\":\"app.requests." + random.nextInt(100) + "\",\"unit\":\"ms\",\"source\":\"host-"
                    + random.nextInt(1000) + "\",\"value\":" + random.nextInt(100_000) / 100.0
                    + ",\"ok\":true,\"count\":"
                    + random.nextInt(100) + "}";
            texts[i] = text.getBytes(StandardCharsets.UTF_8);
        }
        return new Records(spec, texts);
    }

    /** All of them, one after the other, as a source gives them. */
    Chunk lines() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] text : texts) {
            all.writeBytes(text);
            all.write('\n');
        }
        return new Chunk("bench", 0, all.toByteArray(), all.size());
    }
}
