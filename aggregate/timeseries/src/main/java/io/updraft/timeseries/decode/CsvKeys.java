package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RecordRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The key texts of CSV records: the longest range of columns that columns of the key read. One thread only. */
final class CsvKeys {

    private static final int MAX_FORMS = 1024;

    private final KeyColumns keys;
    private final KeyTexts texts;
    private final byte delimiter;
    /** The forms of ranges, by the columns that they fill. */
    private final Map<String, KeyTexts.Form> forms = new HashMap<>();

    /**
     * A range of the columns of CSV.
     *
     * @param first the index of the first column
     * @param after the index after the last column
     * @param isLast whether the last column is the last of the record
     */
    record Range(KeyTexts.Form form, int first, int after, boolean isLast) {}

    CsvKeys(KeyColumns keys, byte delimiter) {
        this.keys = keys;
        this.texts = keys.texts();
        this.delimiter = delimiter;
    }

    /** Called while no row has a key text. */
    void judge() {
        texts.judge();
    }

    /** Returns the longest range of columns of the key; null if there is none. */
    Range longest(ColumnWriter[][] byIndex) {
        int first = 0;
        int length = 0;
        int from = 0;
        for (int i = 0; i < byIndex.length; i++) {
            from = keys.areKeys(byIndex[i]) ? from : i + 1;
            if (i + 1 - from > length) {
                first = from;
                length = i + 1 - from;
            }
        }
        if (length == 0) {
            return null;
        }
        List<ColumnWriter> columns = new ArrayList<>();
        StringBuilder name = new StringBuilder();
        boolean isLast = first + length == byIndex.length;
        for (int i = first; i < first + length; i++) {
            for (ColumnWriter column : byIndex[i]) {
                columns.add(column);
                name.append(column.slot()).append(' ');
            }
            name.append(i + 1 == byIndex.length ? '.' : ',');
        }
        if (forms.size() == MAX_FORMS) {
            forms.clear();
        }
        int marks = isLast ? 1 : length;
        byte mark = isLast ? (byte) '\n' : delimiter;
        KeyTexts.Form form =
                forms.computeIfAbsent(name.toString(), unknown -> keys.form(columns, mark, marks, forms.size()));
        return new Range(form, first, first + length, isLast);
    }

    /** Finds the key text that begins at an index, and gives it to the row. Returns its length; 0 if it is not known. */
    int find(Range range, byte[] in, int from, int end, RecordRow row) {
        return texts.find(range.form(), in, from, end, row);
    }

    /** Adds a key text, unless the end of the bytes ends it: then it does not contain its own end. */
    void add(Range range, byte[] in, int from, int to, boolean ended, RecordRow row) {
        if (ended == range.isLast() && in[to - 1] == (ended ? (byte) '\n' : delimiter)) {
            texts.add(range.form(), in, from, to, row);
        }
    }
}
