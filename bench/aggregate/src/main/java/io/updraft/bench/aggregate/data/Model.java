package io.updraft.bench.aggregate.data;

/** What must come out of a {@link Firehose}: computed from its seed, by nothing that is measured. Immutable once made. */
public final class Model {

    private final Firehose firehose;
    private final Totals[] totals;
    private final long results;

    private Model(Firehose firehose, Totals[] totals, long results) {
        this.firehose = firehose;
        this.totals = totals;
        this.results = results;
    }

    /** {@return the results of all records} */
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

    /** {@return how many results there are: pairs of a window and a key that has records in it} */
    public long results() {
        return results;
    }

    /** {@return of how many cells some have a result: windows times keys} */
    public int cells() {
        return totals.length;
    }

    /** {@return the number of the cell for a window's start and a key's number; -1 if there is none} */
    public int cell(long start, int key) {
        long window = (start - Firehose.START) / firehose.windowMillis();
        boolean aligned = (start - Firehose.START) % firehose.windowMillis() == 0;
        boolean inside = window >= 0 && window < firehose.windows() && key >= 0 && key < firehose.keys();
        return aligned && inside ? (int) window * firehose.keys() + key : -1;
    }

    /** {@return what a cell's result is; null if it has none} */
    public Totals totals(int cell) {
        return totals[cell];
    }

    /** {@return what a cell is called in a message} */
    public String name(int cell) {
        int key = cell % firehose.keys();
        return Firehose.metric(key) + " of " + Firehose.source(key) + " in window " + cell / firehose.keys();
    }
}
