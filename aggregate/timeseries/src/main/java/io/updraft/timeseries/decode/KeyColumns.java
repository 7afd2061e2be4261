package io.updraft.timeseries.decode;

import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.KeyTexts;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The columns whose values a key text may stand for, and the key texts that a decoder has seen. One thread only. */
final class KeyColumns {

    private static final long MAX_BYTES = 32L << 20;
    /** The share of the heap that the key texts of one decoder may take. */
    private static final int SHARE = 64;

    private final BitSet slots = new BitSet();
    private final boolean read;
    private final boolean aggregates;
    private final KeyTexts texts =
            new KeyTexts(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / SHARE));

    private KeyColumns(DecodeSpec spec, boolean aggregates, Collection<String> keys, Collection<String> reads) {
        this.aggregates = aggregates;
        Set<String> names = new HashSet<>(reads);
        spec.derived().forEach(column -> names.addAll(Expressions.names(column.expression())));
        if (spec.filter() != null) {
            names.addAll(Expressions.names(spec.filter()));
        }
        boolean any = false;
        for (int slot = 0; slot < spec.columns().size(); slot++) {
            String name = spec.columns().get(slot).name();
            if (keys.contains(name)) {
                slots.set(slot);
                any |= names.contains(name);
            }
        }
        read = any;
    }

    /** Finds the columns of a key. */
    static KeyColumns of(DecodeSpec spec, Collection<String> keys, Collection<String> read) {
        return new KeyColumns(spec, true, spec.explode() == null ? keys : Set.of(), read);
    }

    /** Returns no columns, for rows that are not aggregated. */
    static KeyColumns none(DecodeSpec spec) {
        return new KeyColumns(spec, false, Set.of(), Set.of());
    }

    /** Returns whether rows are aggregated, and nobody needs them one by one. */
    boolean areAggregated() {
        return aggregates;
    }

    boolean has(int slot) {
        return slots.get(slot);
    }

    /** Creates a form of key texts that give the values of some columns. */
    KeyTexts.Form form(List<ColumnWriter> columns, byte mark, int marks, int number) {
        int[] filled = columns.stream().mapToInt(ColumnWriter::slot).toArray();
        byte[] precedences = new byte[filled.length];
        for (int i = 0; i < filled.length; i++) {
            precedences[i] = columns.get(i).precedence();
        }
        boolean isRead = read || columns.stream().anyMatch(ColumnWriter::needsValue);
        return new KeyTexts.Form(filled, precedences, mark, marks, number, isRead);
    }

    /** Returns whether key texts of a form, which may be null, stand for the whole key, and nothing reads its values one by one. */
    boolean isWhole(KeyTexts.Form form) {
        return form == null ? slots.isEmpty() : !form.isRead() && form.slots().length == slots.cardinality();
    }

    boolean isEmpty() {
        return slots.isEmpty();
    }

    KeyTexts texts() {
        return texts;
    }

    /** Returns whether each of the columns belongs to the key, and there is one. */
    boolean areKeys(ColumnWriter[] columns) {
        for (ColumnWriter column : columns) {
            if (!slots.get(column.slot())) {
                return false;
            }
        }
        return columns.length > 0;
    }
}
