package io.updraft.pipeline.source.generator;

import io.updraft.pipeline.connector.SourceSpec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Writes the bytes of generated records. The content of a record is a function of the seed and its number alone, so that any
 * part can be generated again. Numbers are scattered with the finalizer of SplitMix64 (Steele, Lea, Flood 2014). Any thread may
 * use it.
 */
final class RecordGenerator {

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int MEASURE_VALUES = 1000;

    private final long seed;
    private final long startNanosPart;
    private final long startMillis;
    private final long stepNanos;
    private final List<Part> parts = new ArrayList<>();
    private final byte[] begin;
    private final byte[] end;
    private final int maxLength;

    /**
     * A variable part of a record, and the text around it.
     *
     * @param before the text before it
     * @param prefix the text that the value begins with
     * @param values how many different values there are
     * @param after the text right after it
     */
    private record Part(byte[] before, byte[] prefix, long values, byte[] after) {}

    RecordGenerator(SourceSpec.Generator spec) {
        seed = spec.seed();
        startMillis = spec.start().toEpochMilli();
        startNanosPart = spec.start().getNano() % 1_000_000;

        stepNanos = spec.step().toNanos();
        boolean json = spec.format() == SourceSpec.Generator.Format.JSON;
        begin = ascii(json ? "{\"" + spec.time() + "\":" : "");
        end = ascii(json ? "}\n" : "\n");
        for (Map.Entry<String, Long> dimension : spec.dimensions().entrySet()) {
            String before = json ? ",\"" + dimension.getKey() + "\":\"" : ",";
            parts.add(new Part(ascii(before), ascii("v"), dimension.getValue(), ascii(json ? "\"" : "")));
        }
        for (String measure : spec.measures()) {
            parts.add(new Part(ascii(json ? ",\"" + measure + "\":" : ","), ascii(""), MEASURE_VALUES, ascii("")));
        }
        int length = begin.length + end.length + 20;
        for (Part part : parts) {
            length += part.before.length + part.after.length + 21;
        }
        maxLength = length;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    int maxLength() {
        return maxLength;
    }

    /** Returns the time of a record, in milliseconds since 1970. */
    long time(long number) {
        return startMillis + Math.floorDiv(startNanosPart + number * stepNanos, 1_000_000L);
    }

    /**
     * Writes a record.
     *
     * @return the index after the record
     */
    int write(long number, byte[] bytes, int from) {
        int at = copy(begin, bytes, from);
        at = digits(time(number), bytes, at);
        long state = seed + number * GOLDEN * (parts.size() + 1);
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            state += GOLDEN;
            at = copy(part.before, bytes, at);
            at = copy(part.prefix, bytes, at);
            at = digits(Math.multiplyHigh(mix(state) >>> 1, part.values << 1), bytes, at);
            at = copy(part.after, bytes, at);
        }
        return copy(end, bytes, at);
    }

    private static long mix(long state) {
        long z = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static int copy(byte[] text, byte[] bytes, int at) {
        System.arraycopy(text, 0, bytes, at, text.length);
        return at + text.length;
    }

    private static int digits(long value, byte[] bytes, int from) {
        if (value < 0) {
            bytes[from] = '-';
            return digits(-value, bytes, from + 1);
        }
        int length = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            length++;
        }
        long rest = value;
        for (int at = from + length - 1; at >= from; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return from + length;
    }
}
