package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.aggregate.GroupLayout.Accumulator;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encodes groups as bytes, for disk. Equal keys have equal bytes, independent of their dictionaries.
 *
 * <pre>
 *   key    for each dimension | 0 | or | 1 | length, 4 bytes | UTF-8 | or | 2 | number, 8 bytes |
 *   state  the words after the key | for each accumulator of text: text as above | for each sketch: length, 4 bytes | sketch |
 *          for all values of a field: how many, 8 bytes | each as number or text | how often, 8 bytes |
 * </pre>
 *
 * One thread only.
 */
final class GroupCodec {

    private static final byte NONE = 0;
    private static final byte TEXT = 1;
    private static final byte NUMBER = 2;

    private final GroupLayout layout;
    private ByteBuffer buffer = ByteBuffer.allocate(1024);

    GroupCodec(GroupLayout layout) {
        this.layout = layout;
    }

    byte[] key(GroupTable table, int group, Dictionaries dictionaries) {
        putKey(table.page(group), table.base(group), dictionaries);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    /** Returns the hash of the bytes of a key. Its ids belong to these dictionaries. */
    long hash(long[] key, Dictionaries dictionaries) {
        putKey(key, 0, dictionaries);
        return KeyHash.of(buffer.array(), 0, buffer.position());
    }

    private void putKey(long[] words, int from, Dictionaries dictionaries) {
        buffer.clear();
        for (int i = 0; i < layout.dimensions; i++) {
            int id = (int) (words[from + (i >> 1)] >>> 32 * (i & 1));
            if (id != 0 && dictionaries.dimensions[i] instanceof LongDictionary numbers) {
                reserve(9);
                buffer.put(NUMBER).putLong(numbers.value(id));
            } else {
                putText(id, dictionaries.dimensions[i]);
            }
        }
    }

    /** Returns the state of a group, preceded by its length in 4 bytes. */
    byte[] state(GroupTable table, int group, Dictionaries dictionaries) {
        buffer.clear();
        int words = layout.width - layout.keyWords;
        reserve(4 + 8 * words);
        buffer.putInt(0);
        for (int i = 0; i < words; i++) {
            buffer.putLong(table.page(group)[table.base(group) + layout.keyWords + i]);
        }
        for (Accumulator accumulator : layout.accumulators) {
            if (GroupLayout.isText(accumulator.code())) {
                int id = (int) table.page(group)[table.base(group) + textAt(accumulator)];
                putText(id, dictionaries.texts[accumulator.text()]);
            } else if (accumulator.code() == GroupLayout.VALUES) {
                putValues((ValueCounts) table.sketch(group, accumulator.sketch()), accumulator, dictionaries);
            } else if (GroupLayout.isSketch(accumulator.code())) {
                byte[] sketch = Sketches.toBytes(table.sketch(group, accumulator.sketch()));
                reserve(4 + sketch.length);
                buffer.putInt(sketch.length).put(sketch);
            }
        }
        buffer.putInt(0, buffer.position() - 4);
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private void putValues(ValueCounts values, Accumulator accumulator, Dictionaries dictionaries) {
        reserve(8);
        buffer.putLong(values == null ? 0 : values.distinct());
        if (values != null) {
            values.forEach((key, count) -> {
                if (accumulator.text() >= 0) {
                    putText((int) key, dictionaries.texts[accumulator.text()]);
                    reserve(8);
                } else {
                    reserve(16);
                    buffer.putLong(key);
                }
                buffer.putLong(count);
            });
        }
    }

    /** Returns the word of a group that holds the id of a text. */
    static int textAt(Accumulator accumulator) {
        return GroupLayout.hasTime(accumulator.code()) ? accumulator.at() + 1 : accumulator.at();
    }

    private void putText(int id, Dictionary dictionary) {
        if (id == 0) {
            reserve(1);
            buffer.put(NONE);
            return;
        }
        TextDictionary texts = (TextDictionary) dictionary;
        int length = texts.length(id);
        reserve(5 + length);
        buffer.put(TEXT).putInt(length).put(texts.page(id), texts.from(id), length);
    }

    private void reserve(int bytes) {
        if (buffer.remaining() < bytes) {
            int size = Math.max(buffer.capacity() * 2, buffer.position() + bytes);
            buffer = ByteBuffer.allocate(size).put(buffer.flip());
        }
    }

    /** Adds a group to a table that does not contain it. */
    int read(byte[] key, ByteBuffer state, GroupTable table, Dictionaries dictionaries) {
        ByteBuffer from = ByteBuffer.wrap(key);
        long[] ids = new long[layout.keyWords];
        for (int i = 0; i < layout.dimensions; i++) {
            ids[i >> 1] |= (long) readId(from, dictionaries.dimensions[i]) << 32 * (i & 1);
        }
        int group = table.insert(ids, GroupTable.hash(ids));
        readState(state, table, group, dictionaries);
        return group;
    }

    private void readState(ByteBuffer from, GroupTable table, int group, Dictionaries dictionaries) {
        long[] page = table.page(group);
        int base = table.base(group);
        for (int i = layout.keyWords; i < layout.width; i++) {
            page[base + i] = from.getLong();
        }
        for (Accumulator accumulator : layout.accumulators) {
            if (GroupLayout.isText(accumulator.code())) {
                page[base + textAt(accumulator)] = readId(from, dictionaries.texts[accumulator.text()]);
            } else if (accumulator.code() == GroupLayout.VALUES) {
                table.sketch(group, accumulator.sketch(), readValues(from, accumulator, dictionaries));
            } else if (GroupLayout.isSketch(accumulator.code())) {
                byte[] sketch = new byte[from.getInt()];
                from.get(sketch);
                table.sketch(group, accumulator.sketch(), Sketches.fromBytes(sketch, accumulator.code()));
            }
        }
    }

    private ValueCounts readValues(ByteBuffer from, Accumulator accumulator, Dictionaries dictionaries) {
        long distinct = from.getLong();
        ValueCounts values = distinct == 0 ? null : layout.newValues(accumulator.slot());
        for (long i = 0; i < distinct; i++) {
            long key = accumulator.text() < 0 ? from.getLong() : readId(from, dictionaries.texts[accumulator.text()]);
            values.add(key, from.getLong());
        }
        return values;
    }

    private static int readId(ByteBuffer from, Dictionary dictionary) {
        byte kind = from.get();
        if (kind == NONE) {
            return 0;
        }
        if (kind == NUMBER) {
            return ((LongDictionary) dictionary).id(from.getLong());
        }
        int length = from.getInt();
        int id = ((TextDictionary) dictionary).id(from.array(), from.arrayOffset() + from.position(), length);
        from.position(from.position() + length);
        return id;
    }
}
