package io.updraft.timeseries.decode;

import java.util.Arrays;
import java.util.List;

/** Which columns of CSV are wanted for what. */
final class CsvColumns {

    private static final ColumnWriter[] NO_COLUMNS = {};

    private final String flaw;
    private final ColumnWriter[][] byIndex;

    private CsvColumns(String flaw, ColumnWriter[][] byIndex) {
        this.flaw = flaw;
        this.byIndex = byIndex;
    }

    /** No columns, as something is wrong, and why; all records are bad. */
    static CsvColumns none(String flaw) {
        return new CsvColumns(flaw, null);
    }

    /** The columns in CSV columns of these names; of a name that comes twice, the last. */
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

    /**
     * How many columns each record has.
     *
     * @throws BadRecord when that is not known, as something is wrong
     */
    int count() {
        if (flaw != null) {
            throw new BadRecord(flaw);
        }
        return byIndex.length;
    }

    ColumnWriter[] at(int index) {
        return byIndex[index];
    }
}
