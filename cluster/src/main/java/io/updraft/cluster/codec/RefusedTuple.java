package io.updraft.cluster.codec;

import io.updraft.base.text.OneLine;
import io.updraft.engine.tuple.Anchors;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import java.util.List;

/**
 * A tuple that cannot be sent or received, and is dropped. All other tuples of its batch are delivered. The receiver of the
 * refusal must fail the tuple's trees: see {@link #failTrees}. It runs on the thread that encodes or decodes; on the receiving
 * side after the whole frame has been read. It must not throw.
 *
 * @param tuple the tuple, neither acked nor failed; on the receiving side without the values that could not be read
 * @param target the task that the tuple was sent to
 * @param reason one line that names the component, the stream, the field and the error
 * @param cause the exception, or null
 */
public record RefusedTuple(EngineTuple tuple, int target, String reason, Throwable cause) {
    /**
     * Reports all trees of the tuple as failed.
     *
     * @param into receives the reports; none if the tuple is untracked
     */
    public void failTrees(Batch into) {
        if (tuple.owner() >= 0) {
            into.addReport(Batch.FAIL, tuple.owner(), tuple.root(), 0);
        } else if (tuple.owner() == EngineTuple.MANY) {
            Anchors trees = tuple.anchors();
            for (int i = 0; i < trees.size(); i++) {
                into.addReport(Batch.FAIL, trees.owner(i), trees.root(i), 0);
            }
        }
    }

    static RefusedTuple notSerializable(EngineTuple tuple, int target, int field, Throwable cause) {
        return new RefusedTuple(
                tuple,
                target,
                subject(tuple) + fieldOf(tuple, field) + " cannot be serialized: "
                        + OneLine.first(String.valueOf(cause))
                        + "; register its class with topology.kryo.register, or emit a value of another class",
                cause);
    }

    static RefusedTuple notDeserializable(EngineTuple tuple, int target, String field, Throwable cause) {
        return new RefusedTuple(
                tuple,
                target,
                subject(tuple) + field + " cannot be deserialized: " + OneLine.first(String.valueOf(cause)),
                cause);
    }

    static RefusedTuple tooLarge(EngineTuple tuple, int target, int most) {
        long least = leastSize(tuple.getValues());
        String size = least > most ? least + " bytes or more" : "more than " + most + " bytes";
        String reason = subject(tuple) + " needs " + size + ", but the largest tuple that can be sent is " + most
                + " bytes: emit the data in several tuples";
        return new RefusedTuple(tuple, target, reason, null);
    }

    private static String subject(EngineTuple tuple) {
        Origin origin = tuple.origin();
        return "a tuple of component '" + origin.componentId() + "' on stream '" + origin.streamId() + "'";
    }

    private static String fieldOf(EngineTuple tuple, int field) {
        try {
            Object value = tuple.getValues().get(field);
            String type = value == null ? "null" : value.getClass().getTypeName();
            return ", field " + field + " of class " + type + ",";
        } catch (RuntimeException e) {
            // The list of values itself is broken: it is null, or another thread has changed it.
            return ", field " + field + ",";
        }
    }

    private static long leastSize(List<Object> values) {
        long sum = 0;
        for (Object value : values) {
            if (value instanceof byte[] bytes) {
                sum += bytes.length;
            } else if (value instanceof String text) {
                sum += text.length();
            } else {
                sum++;
            }
        }
        return sum;
    }
}
