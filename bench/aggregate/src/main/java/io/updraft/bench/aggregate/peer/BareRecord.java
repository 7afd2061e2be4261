package io.updraft.bench.aggregate.peer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Locates the fields of a record written by the bench's loader. The parser assumes the loader's exact format: fixed order of
 * members, no white space, no escapes. Another format is an error. One thread only.
 */
final class BareRecord {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private static final int TIME = "{\"time\":".length();
    private static final int TIME_TO_METRIC = ",\"metric\":\"".length();
    private static final int METRIC_TO_SOURCE = "\",\"source\":\"".length();
    private static final int SOURCE_TO_ZONE = "\",\"zone\":\"".length();
    private static final int ZONE_TO_VALUE = "\",\"value\":".length();
    private static final long LAST_NAME = (long) LONGS.get("\"value\":".getBytes(StandardCharsets.US_ASCII), 0);

    long time;
    long value;
    int metric;
    int metricEnd;
    int source;
    int sourceEnd;
    private int at;

    /** Reads the record at an array index. A closing record of a partition has no zone; its value is read as 0. */
    void read(byte[] in, int from) {
        at = from + TIME;
        time = number(in);
        metric = at + TIME_TO_METRIC;
        metricEnd = quote(in, metric);
        source = metricEnd + METRIC_TO_SOURCE;
        sourceEnd = quote(in, source);
        if (in[sourceEnd + 3] != 'z') {
            value = 0;
            return;
        }
        int zoneEnd = quote(in, sourceEnd + SOURCE_TO_ZONE);
        if ((long) LONGS.get(in, zoneEnd + 2) != LAST_NAME) {
            throw new IllegalStateException("the record does not have the format of the bench's loader");
        }
        at = zoneEnd + ZONE_TO_VALUE;
        value = number(in);
    }

    private long number(byte[] in) {
        int i = at;
        long number = 0;
        for (int digit; (digit = in[i] - '0') >= 0 && digit <= 9; i++) {
            number = number * 10 + digit;
        }
        at = i;
        return number;
    }

    private static int quote(byte[] in, int from) {
        for (int i = from; ; i += 8) {
            long word = (long) LONGS.get(in, i) ^ ONES * '"';
            long found = (word - ONES) & ~word & HIGHS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
    }
}
