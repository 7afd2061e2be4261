package io.updraft.timeseries.aggregate;

import java.nio.ByteBuffer;

/** Merges encoded states of one group, in small tables that are reused for each group. */
final class EncodedStateMerge {

    private static final int MANY_VALUES = 4096;

    private final GroupLayout layout;
    private final GroupState state;
    private final GroupCodec codec;
    private final ResultColumns columns;
    private final GroupTable whole;
    private final GroupTable part;
    private Dictionaries dictionaries;

    EncodedStateMerge(GroupLayout layout) {
        this.layout = layout;
        state = new GroupState(layout);
        codec = new GroupCodec(layout);
        columns = new ResultColumns(layout);
        whole = new GroupTable(layout);
        part = new GroupTable(layout);
        dictionaries = new Dictionaries(layout);
    }

    /** Adds states, each preceded by its length. */
    void add(byte[] key, ByteBuffer states) {
        while (states.hasRemaining()) {
            int end = states.getInt() + states.position();
            if (whole.size == 0) {
                codec.read(key, states, whole, dictionaries);
            } else {
                part.clear();
                codec.read(key, states, part, dictionaries);
                state.merge(whole, 0, dictionaries.texts, part, 0, dictionaries.texts);
            }
            states.position(end);
        }
    }

    /** Returns whether the measures of the states added since the last {@link #take} fit into a row. */
    boolean fits() {
        return columns.fits(whole, 0);
    }

    /** Returns the merged state of all states added since the last call. */
    byte[] take() {
        byte[] bytes = codec.state(whole, 0, dictionaries);
        whole.clear();
        if (dictionaries.size() > MANY_VALUES) {
            dictionaries = new Dictionaries(layout);
        }
        return bytes;
    }
}
