package io.updraft.timeseries.aggregate;

import java.nio.ByteBuffer;

/** Puts together states of one group that come as bytes, in small tables that are used for one group after the other. */
final class StateMerge {

    private static final int MANY_VALUES = 4096;

    private final Layout layout;
    private final State state;
    private final GroupCodec codec;
    private final Columns columns;
    private final GroupTable whole;
    private final GroupTable part;
    private Dictionaries dictionaries;

    StateMerge(Layout layout) {
        this.layout = layout;
        state = new State(layout);
        codec = new GroupCodec(layout);
        columns = new Columns(layout);
        whole = new GroupTable(layout);
        part = new GroupTable(layout);
        dictionaries = new Dictionaries(layout);
    }

    /** Adds states, each after its length. */
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

    /** Whether the measures of all that was added since the last state was taken fit into a row. */
    boolean fits() {
        return columns.fits(whole, 0);
    }

    /** The state of all that was added since the last call. */
    byte[] take() {
        byte[] bytes = codec.state(whole, 0, dictionaries);
        whole.clear();
        if (dictionaries.size() > MANY_VALUES) {
            dictionaries = new Dictionaries(layout);
        }
        return bytes;
    }
}
