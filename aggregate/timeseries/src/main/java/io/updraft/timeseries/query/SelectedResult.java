package io.updraft.timeseries.query;

import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.Schema;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The rows of a {@link Selection}. Which groups they are of is found out once; the rows are kept only if their order is asked for, or
 * other rows decide about them. One thread only.
 */
final class SelectedResult implements WindowResult {

    private final WindowResult groups;
    private final Selector selector;
    /** The numbers of the groups that are left out. */
    private final BitSet without = new BitSet();
    /** Why groups cannot be computed, by their numbers. */
    private final Map<Integer, String> failures = new LinkedHashMap<>();
    /** The rows; null if they are computed each time. */
    private final RankedRows kept;

    private final long size;

    SelectedResult(WindowResult groups, Selector selector) {
        this.groups = groups;
        this.selector = selector;
        kept = selector.selection().reorders() ? new RankedRows(selector) : null;
        int[] seen = {0};
        groups.forEach(group -> {
            int number = seen[0]++;
            if (!isSelected(group, number)) {
                without.set(number);
            } else if (kept != null) {
                kept.add();
            }
        });
        if (kept != null) {
            kept.sort();
        }
        size = kept != null ? kept.size() : seen[0] - without.cardinality();
    }

    private boolean isSelected(RecordRow group, int number) {
        try {
            selector.compute(group);
            return selector.isSelected();
        } catch (RejectedRecordException e) {
            failures.put(number, e.getMessage());
            return false;
        }
    }

    @Override
    public TimeWindow window() {
        return groups.window();
    }

    @Override
    public Emission emission() {
        return groups.emission();
    }

    @Override
    public Schema schema() {
        return selector.schema();
    }

    @Override
    public int dimensions() {
        return groups.dimensions();
    }

    @Override
    public boolean isOrdered() {
        return !selector.selection().order().isEmpty();
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public void forEach(Consumer<RecordRow> rows) {
        if (kept != null) {
            kept.forEach(rows);
            return;
        }
        int[] seen = {0};
        groups.forEach(group -> {
            if (!without.get(seen[0]++)) {
                selector.compute(group);
                rows.accept(selector.result());
            }
        });
    }

    @Override
    public void forEachOverflow(Consumer<Overflow> overflows) {
        groups.forEachOverflow(
                each -> overflows.accept(new Overflow(selector.withoutComputed(each.row()), each.reason())));
        if (failures.isEmpty()) {
            return;
        }
        int[] seen = {0};
        groups.forEach(group -> {
            String reason = failures.get(seen[0]++);
            if (reason != null) {
                overflows.accept(new Overflow(selector.withoutComputed(group), reason));
            }
        });
    }
}
