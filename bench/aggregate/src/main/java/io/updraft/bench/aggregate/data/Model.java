package io.updraft.bench.aggregate.data;

/** The expected results of a {@link Firehose}, computed directly from its records, without any measured system. Immutable. */
public final class Model {

    private final Firehose firehose;
    private final Totals[] totals;
    private final long results;

    private Model(Firehose firehose, Totals[] totals, long results) {
        this.firehose = firehose;
        this.totals = totals;
        this.results = results;
    }

    /** {@return the model of a firehose} */
    public static Model of(Firehose firehose) {
        Totals[] totals = new Totals[Math.multiplyExact(firehose.windows(), firehose.keys())];
        long results = 0;
        for (long i = 0; i < firehose.records(); i++) {
            int cell = (int) (i / firehose.recordsPerWindow()) * firehose.keys() + firehose.key(i);
            if (totals[cell] == null) {
                totals[cell] = new Totals();
                results++;
            }
            totals[cell].add(firehose.value(i));
        }
        return new Model(firehose, totals, results);
    }

    /** {@return the number of results: pairs of a window and a key that has records in the window} */
    public long results() {
        return results;
    }

    /** {@return the number of cells: windows times keys; not every cell has a result} */
    public int cells() {
        return totals.length;
    }

    /** {@return the cell of a window, given by its start, and a key; -1 if there is no such cell} */
    public int cell(long start, int key) {
        long window = (start - Firehose.START) / firehose.windowMillis();
        boolean aligned = (start - Firehose.START) % firehose.windowMillis() == 0;
        boolean inside = window >= 0 && window < firehose.windows() && key >= 0 && key < firehose.keys();
        return aligned && inside ? (int) window * firehose.keys() + key : -1;
    }

    /** {@return the expected result of a cell; null if the cell has none} */
    public Totals totals(int cell) {
        return totals[cell];
    }

    /** {@return the name of a cell for messages} */
    public String name(int cell) {
        int key = cell % firehose.keys();
        return Firehose.metric(key) + " of " + Firehose.source(key) + " in window " + cell / firehose.keys();
    }
}
