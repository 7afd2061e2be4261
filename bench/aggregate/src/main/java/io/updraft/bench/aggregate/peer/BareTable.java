package io.updraft.bench.aggregate.peer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The groups of one partition's window: a hash table with open addressing and linear probing over longs. Key texts are in a
 * byte array and are kept from window to window. One thread only.
 */
final class BareTable {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** Longs per slot: hash, sum, minimum, maximum, count. */
    private static final int WIDTH = 5;

    private static final int KEY_BYTES = 64;

    private int slots = 256;
    private long[] words = new long[slots * WIDTH];
    private byte[] keys = new byte[slots * KEY_BYTES];
    private int size;

    /** Adds a record to its group. */
    void add(byte[] in, BareRecord record) {
        // The key is the text from metric to source, including the text between them, which is the same in all
        // records.
        int from = record.metric;
        int length = record.sourceEnd - from;
        long hash = hash(in, from, length);
        int slot = (int) (hash >>> 32) & slots - 1;
        while (words[slot * WIDTH] != hash || !same(slot, in, from, length)) {
            if (words[slot * WIDTH] == 0) {
                if (2 * ++size > slots) {
                    grow();
                    add(in, record);
                    return;
                }
                words[slot * WIDTH] = hash;
                keys[slot * KEY_BYTES] = (byte) length;
                keys[slot * KEY_BYTES + 1] = (byte) (record.metricEnd - from);
                keys[slot * KEY_BYTES + 2] = (byte) (record.source - from);
                System.arraycopy(in, from, keys, slot * KEY_BYTES + 8, length);
                break;
            }
            slot = slot + 1 & slots - 1;
        }
        int at = slot * WIDTH;
        long value = record.value;
        if (words[at + 4]++ == 0) {
            words[at + 2] = value;
            words[at + 3] = value;
        } else {
            words[at + 2] = Math.min(words[at + 2], value);
            words[at + 3] = Math.max(words[at + 3], value);
        }
        words[at + 1] += value;
    }

    /** Returns a hash that is never 0, because 0 marks a free slot. */
    private static long hash(byte[] in, int from, int length) {
        long hash = length;
        int at = from;
        for (int last = from + length - 8; at < last; at += 8) {
            hash = (hash ^ (long) LONGS.get(in, at)) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 32;
        }
        hash = (hash ^ (long) LONGS.get(in, from + length - 8)) * 0x9E3779B97F4A7C15L;
        return hash ^ hash >>> 29 | 1;
    }

    private boolean same(int slot, byte[] in, int from, int length) {
        int key = slot * KEY_BYTES;
        return keys[key] == length && Arrays.equals(keys, key + 8, key + 8 + length, in, from, from + length);
    }

    private void grow() {
        long[] oldWords = words;
        byte[] oldKeys = keys;
        int old = slots;
        slots *= 2;
        words = new long[slots * WIDTH];
        keys = new byte[slots * KEY_BYTES];
        for (int i = 0; i < old; i++) {
            long hash = oldWords[i * WIDTH];
            if (hash != 0) {
                int slot = (int) (hash >>> 32) & slots - 1;
                while (words[slot * WIDTH] != 0) {
                    slot = slot + 1 & slots - 1;
                }
                System.arraycopy(oldWords, i * WIDTH, words, slot * WIDTH, WIDTH);
                System.arraycopy(oldKeys, i * KEY_BYTES, keys, slot * KEY_BYTES, KEY_BYTES);
            }
        }
    }

    /** Passes the results of all groups with records to {@code results}, and resets these groups. */
    void take(long start, java.util.function.Consumer<byte[]> results) {
        io.updraft.bench.aggregate.data.Totals totals = new io.updraft.bench.aggregate.data.Totals();
        for (int slot = 0; slot < slots; slot++) {
            int at = slot * WIDTH;
            if (words[at + 4] != 0) {
                totals.sum = words[at + 1];
                totals.min = words[at + 2];
                totals.max = words[at + 3];
                totals.count = words[at + 4];
                results.accept(ResultJson.write(start, name(slot * KEY_BYTES), totals));
                words[at + 1] = 0;
                words[at + 4] = 0;
            }
        }
    }

    private String name(int key) {
        int source = keys[key + 2];
        return text(key + 8, keys[key + 1]) + '/' + text(key + 8 + source, keys[key] - source);
    }

    private String text(int from, int length) {
        return new String(keys, from, length, StandardCharsets.US_ASCII);
    }
}
