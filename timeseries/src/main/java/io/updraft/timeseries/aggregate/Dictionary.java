package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.record.Row;

/**
 * Small numbers for the values of a field: id 0 is no value, the others are dealt out from 1. A value keeps its id for as long as
 * the dictionary is there; nothing is taken out of it, but it is rebuilt, see {@link Dictionaries}.
 *
 * <p>One thread adds. A {@link #view} may be read by another one to which it was handed: what an id stands for is written once,
 * and arrays that grow are replaced.
 */
abstract sealed class Dictionary permits TextDictionary, LongDictionary {

    /** The most values of a dictionary. */
    static final int MAX = 1 << 30;

    private final String field;

    Dictionary(String field) {
        this.field = field;
    }

    /** Whose values these are. */
    final String field() {
        return field;
    }

    /** The id of what a slot of a row holds. */
    abstract int id(Row row, int slot);

    /** The id of a value of another dictionary of the same kind. */
    abstract int id(Dictionary other, int id);

    /** Puts a value into a slot of a row; text refers to this dictionary's memory. */
    abstract void put(int id, Row row, int slot);

    /** How many ids there are but 0. */
    abstract int size();

    /** How many bytes it takes. */
    abstract long bytes();

    /** What is in it now, for reading only. */
    abstract Dictionary view();

    /** An empty one of the same kind. */
    abstract Dictionary fresh();

    final TooManyGroups full() {
        return new TooManyGroups(
                "the field " + field + " has more than " + size()
                        + " different values in open windows, which is as many as fit: group by fewer fields, or use shorter windows");
    }
}
