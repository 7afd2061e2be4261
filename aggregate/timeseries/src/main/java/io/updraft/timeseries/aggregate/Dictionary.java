package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.TooManyGroupsException;
import io.updraft.timeseries.record.RecordRow;

/**
 * Maps the values of a field to small numbers. Id 0 stands for no value; other ids are assigned from 1. A value keeps its id
 * for the life of the dictionary. Nothing is removed; a dictionary is rebuilt instead, see {@code Dictionaries}.
 *
 * <p>One thread adds values. Another thread that received a {@link #view} may read it: the value of an id is written once, and
 * arrays that grow are replaced.
 */
abstract sealed class Dictionary permits TextDictionary, LongDictionary {

    static final int MAX = 1 << 30;
    private final String field;

    Dictionary(String field) {
        this.field = field;
    }

    final String field() {
        return field;
    }

    /** Returns the id of the value in a slot of a row. Adds a new value. */
    public abstract int id(RecordRow row, int slot);

    /** Returns the id of a value of another dictionary of the same kind. Adds a new value. */
    public abstract int id(Dictionary other, int id);

    /** Puts a value into a slot of a row; text refers to this dictionary's memory. */
    public abstract void put(int id, RecordRow row, int slot);

    /** Returns the number of ids other than 0. */
    public abstract int size();

    /** Returns the memory size, bytes. */
    public abstract long bytes();

    /** Returns a read-only view of the current values. */
    public abstract Dictionary view();

    /** Creates an empty dictionary of the same kind. */
    public abstract Dictionary fresh();

    final TooManyGroupsException full() {
        return new TooManyGroupsException("the field " + field + " has more than " + size()
                + " different values in open windows, the most that fit: group by fewer fields, or use"
                + " shorter windows");
    }
}
