package io.updraft.cluster.codec;

import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The contents of batches that must survive encoding and decoding, in a form that can be compared.
 *
 * @param tuples one entry for each tuple
 * @param reports one entry for each report: kind, owner, root, value
 */
record BatchDescription(List<TupleFacts> tuples, List<List<Long>> reports) {

    /** What a receiver can know of a tuple. */
    record TupleFacts(
            String component,
            String stream,
            int sourceTask,
            List<String> fields,
            int target,
            int owner,
            long root,
            boolean onlyEdge,
            long pending,
            List<List<Long>> trees,
            List<Object> values) {}

    static BatchDescription of(Batch batch) {
        BatchDescription described = new BatchDescription(new ArrayList<>(), new ArrayList<>());
        described.add(batch);
        return described;
    }

    static BatchDescription nothing() {
        return new BatchDescription(new ArrayList<>(), new ArrayList<>());
    }

    /** Adds another batch, or another frame of the same. */
    void add(Batch batch) {
        for (int i = 0; i < batch.tupleCount(); i++) {
            tuples.add(facts(batch.tuple(i), batch.target(i)));
        }
        for (int i = 0; i < batch.reportCount(); i++) {
            reports.add(List.of((long) batch.kind(i), (long) batch.owner(i), batch.root(i), batch.value(i)));
        }
    }

    static TupleFacts facts(EngineTuple tuple, int target) {
        boolean many = tuple.owner() == EngineTuple.MANY;
        return new TupleFacts(
                tuple.getSourceComponent(),
                tuple.getSourceStreamId(),
                tuple.getSourceTask(),
                tuple.getFields().toList(),
                target,
                tuple.owner(),
                tuple.root(),
                tuple.isOnlyEdge(),
                tuple.owner() >= 0 ? tuple.pending() : 0,
                many ? trees(tuple) : List.of(),
                tuple.getValues().stream().map(BatchDescription::comparable).toList());
    }

    /** Each tree with all that an ack would report to it. */
    private static List<List<Long>> trees(EngineTuple tuple) {
        Anchors anchors = tuple.anchors();
        List<List<Long>> trees = new ArrayList<>();
        for (int i = 0; i < anchors.size(); i++) {
            trees.add(List.of((long) anchors.owner(i), anchors.root(i), anchors.edge(i) ^ tuple.pending()));
        }
        return trees;
    }

    /** With its class, and by content. */
    private static Object comparable(Object value) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof Object[] array) {
            return List.of(value.getClass(), Arrays.asList(array));
        }
        if (value instanceof int[] array) {
            return List.of(value.getClass(), Arrays.stream(array).boxed().toList());
        }
        if (value instanceof byte[] array) {
            // Not a list of millions of boxes.
            return List.of(value.getClass(), ByteBuffer.wrap(array));
        }
        return List.of(value.getClass(), value);
    }
}
