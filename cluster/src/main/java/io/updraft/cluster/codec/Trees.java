package io.updraft.cluster.codec;

import io.updraft.engine.mesh.Batch;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.EngineTuple;

/** Handles the tuple trees of a tuple that is dropped. */
public final class Trees {

    private Trees() {}

    /**
     * Reports all trees of a tuple as failed.
     *
     * @param tuple the tuple, neither acked nor failed yet
     * @param into receives the reports; none if the tuple is untracked
     */
    public static void fail(EngineTuple tuple, Batch into) {
        if (tuple.owner() >= 0) {
            into.addReport(Batch.FAIL, tuple.owner(), tuple.root(), 0);
        } else if (tuple.owner() == EngineTuple.MANY) {
            Anchors trees = tuple.anchors();
            for (int i = 0; i < trees.size(); i++) {
                into.addReport(Batch.FAIL, trees.owner(i), trees.root(i), 0);
            }
        }
    }
}
