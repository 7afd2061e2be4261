package io.updraft.timeseries.decode;

import java.util.Arrays;
import java.util.List;

/** Maps the columns of CSV to the columns that read them. */
final class CsvColumns {

    private static final ColumnWriter[] NO_COLUMNS = {};

    private final String flaw;
    private final ColumnWriter[][] byIndex;

    private CsvColumns(String flaw, ColumnWriter[][] byIndex) {
        this.flaw = flaw;
        this.byIndex = byIndex;
    }

    /** Returns an object without columns, because of a flaw; all records are then bad. */
    static CsvColumns none(String flaw) {
        return new CsvColumns(flaw, null);
    }

    /** Maps columns to CSV columns by name. Of equal names, the last counts. */
    static CsvColumns of(List<String> names, List<ColumnWriter> columns) {
        ColumnWriter[][] byIndex = new ColumnWriter[names.size()][];
        Arrays.fill(byIndex, NO_COLUMNS);
        for (ColumnWriter column : columns) {
            int index = names.lastIndexOf(column.column().path());
            if (index < 0 && column.column().fallback() == null) {
                return none("column " + column.column().name() + ": CSV has no column "
                        + column.column().path());
            }
            if (index >= 0) {
                byIndex[index] = PathNode.with(byIndex[index], column);
            }
        }
        return new CsvColumns(null, byIndex);
    }

    /** Returns the number of columns of each record. Throws {@link BadRecordException} when there is a flaw. */
    int count() {
        if (flaw != null) {
            throw new BadRecordException(flaw);
        }
        return byIndex.length;
    }

    ColumnWriter[] at(int index) {
        return byIndex[index];
    }
}
