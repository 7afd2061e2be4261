package io.updraft.timeseries.aggregate;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Comparator;

/** Iterates over the groups of a table in the order of their keys. Needs memory for all keys. */
final class TableCursor implements GroupCursor {

    /**
     * A group.
     *
     * @param key the key as bytes
     */
    private record Keyed(byte[] key, int group) {}

    private final TableResult result;
    private final GroupCodec codec;
    private final Keyed[] groups;
    private int at = -1;

    TableCursor(TableResult result) {
        this.result = result;
        codec = new GroupCodec(result.table().layout);
        groups = new Keyed[result.table().size];
        Arrays.setAll(groups, i -> new Keyed(codec.key(result.table(), i, result.dictionaries()), i));
        Arrays.sort(groups, Comparator.comparing(Keyed::key, Arrays::compareUnsigned));
    }

    @Override
    public boolean next() {
        return ++at < groups.length;
    }

    @Override
    public byte[] key() {
        return groups[at].key;
    }

    @Override
    public ByteBuffer states() {
        byte[] state = codec.state(result.table(), groups[at].group, result.dictionaries());
        return ByteBuffer.allocate(4 + state.length)
                .putInt(state.length)
                .put(state)
                .flip();
    }

    @Override
    public void close() {}
}
