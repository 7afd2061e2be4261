package io.updraft.bench.aggregate.peer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Where the fields of one of the bench's own records are. It takes for granted that the record is what the loader writes: its members in
 * their order, without white space or escapes. A value that is somewhere else is an error, not something to look for. One thread only.
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

    /** Reads the record at a place of an array. The one that closes a partition has no zone, and no value that counts. */
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
            throw new IllegalStateException("no record of the bench");
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
