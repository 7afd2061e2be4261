package io.updraft.bench.aggregate;

/** The expected results of a {@link MeasurementSequence}, computed directly from its records, without any measured system. Immutable. */
final class ExpectedResults {

    private final MeasurementSequence firehose;
    private final Totals[] totals;
    private final long results;

    private ExpectedResults(MeasurementSequence firehose, Totals[] totals, long results) {
        this.firehose = firehose;
        this.totals = totals;
        this.results = results;
    }

    public static ExpectedResults of(MeasurementSequence firehose) {
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
        return new ExpectedResults(firehose, totals, results);
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
        long window = (start - MeasurementSequence.START) / firehose.windowMillis();
        boolean aligned = (start - MeasurementSequence.START) % firehose.windowMillis() == 0;
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
        return MeasurementSequence.metric(key) + " of " + MeasurementSequence.source(key) + " in window "
                + cell / firehose.keys();
    }
}
