package io.updraft.engine.turn;

import io.updraft.engine.mesh.Batch;

/** The batch that an executor works off, turn by turn. Belongs to the thread that runs the executor. */
public final class TurnInput {

    private Batch batch = new Batch();
    private int position;

    public Batch batch() {
        return batch;
    }

    public int position() {
        return position;
    }

    public void moveTo(int next) {
        position = next;
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

    /** Stores a batch to work off and returns an empty one. */
    public Batch exchange(Batch next) {
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
