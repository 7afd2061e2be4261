package io.updraft.engine.count;

/** The numbers of tuples that an executor has emitted and sent since the start, up to this moment of its turn. */
public interface EmitTotals {

    /** Returns the number of calls of emit and emitDirect. */
    long emitted();

    /** Returns the number of tuples sent. */
    long sentSoFar();
}
