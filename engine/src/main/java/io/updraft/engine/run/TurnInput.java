package io.updraft.engine.run;

import io.updraft.engine.tuple.Batch;

/** The batch that an executor works off, turn by turn. Belongs to the thread that runs the executor. */
final class TurnInput {

    private Batch batch = new Batch();
    private int position;

    /** Whether tuples of the batch came from another thread, so that they are not in this core's cache. */
    private boolean crossed;

    @SuppressWarnings("unused") // keeps the reads of prefetch alive
    private int read;

    public Batch batch() {
        return batch;
    }

    public int position() {
        return position;
    }

    public void moveTo(int next) {
        position = next;
    }

    /** Loads the next tuples into the cache if they came from another thread, up to a position. */
    public void prefetch(int to) {
        if (crossed) {
            int sum = 0;
            for (int i = position; i < to; i++) {
                sum += batch.tuple(i).prefetch();
            }
            read = sum;
        }
    }

    public void clearTaken() {
        if (position == batch.tupleCount()) {
            batch.clearTuples();
            position = 0;
        }
    }

    public int tuples() {
        return batch.tupleCount() - position;
    }

    public boolean isEmpty() {
        return position == batch.tupleCount() && batch.reportCount() == 0;
    }

    /**
     * Stores a batch to work off and returns an empty one.
     *
     * @param next the batch
     * @param fromOthers whether some of its tuples came from another thread
     */
    public Batch exchange(Batch next, boolean fromOthers) {
        crossed = fromOthers;
        Batch empty = batch;
        empty.clear();
        batch = next;
        position = 0;
        return empty;
    }

    /** Moves the tuples not taken into a batch, while the executor does not run. */
    public void leave(Batch into) {
        for (int i = position; i < batch.tupleCount(); i++) {
            into.add(batch.tuple(i), batch.target(i));
        }
        release();
    }

    /** Releases the memory, while the executor does not run. */
    public void release() {
        batch = new Batch();
        position = 0;
    }
}
