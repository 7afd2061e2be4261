package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.PartialResult;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.function.Consumer;

/**
 * A result on disk, for windows with more groups than fit into memory.
 *
 * @param file the groups
 */
record FileResult(TimeWindow window, Emission emission, Schema schema, GroupLayout layout, GroupFile file)
        implements PartialResult {

    /** The number of groups that are read at a time before their rows are passed on. */
    private static final int BATCH = 1024;

    @Override
    public int dimensions() {
        return layout.dimensions;
    }

    @Override
    public long size() {
        return file.size() - file.overflows();
    }

    /** Returns 0, because the groups are on disk. */
    @Override
    public long bytes() {
        return 0;
    }

    /** Receives each group. The row has its dimensions and the measures that fit. */
    private interface Groups {
        void group(GroupTable table, int group, RecordRow row);
    }

    @Override
    public void forEach(Consumer<RecordRow> rows) {
        ResultColumns columns = new ResultColumns(layout);
        forEachGroup(columns, (table, group, row) -> {
            if (columns.fits(table, group)) {
                rows.accept(row);
            }
        });
    }

    @Override
    public void forEachOverflow(Consumer<Overflow> groups) {
        if (file.overflows() > 0) {
            ResultColumns columns = new ResultColumns(layout);
            forEachGroup(columns, (table, group, row) -> {
                if (!columns.fits(table, group)) {
                    groups.accept(columns.overflow(table, group, row));
                }
            });
        }
    }

    private void forEachGroup(ResultColumns columns, Groups groups) {
        GroupCodec codec = new GroupCodec(layout);
        RecordRow row = new RecordRow(schema);
        try (GroupCursor cursor = file.read()) {
            for (long left = file.size(); left > 0; left -= BATCH) {
                GroupTable table = new GroupTable(layout);
                Dictionaries dictionaries = new Dictionaries(layout);
                for (int i = 0; i < BATCH && cursor.next(); i++) {
                    codec.read(cursor.key(), cursor.states().position(4), table, dictionaries);
                    columns.fill(table, i, dictionaries, row);
                    groups.group(table, i, row);
                }
            }
        }
    }
}
