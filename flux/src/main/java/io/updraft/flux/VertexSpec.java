package io.updraft.flux;

import java.util.OptionalInt;

/**
 * A spout or a bolt.
 *
 * @param object the object
 * @param parallelism its executors
 * @param tasks its tasks; as many as executors if empty
 * @param onHeapMiB memory for Storm's scheduler
 * @param offHeapMiB memory for Storm's scheduler; counts only together with the other
 * @param cpu percent of a core, for Storm's scheduler
 */
record VertexSpec(
        ObjectSpec object,
        int parallelism,
        OptionalInt tasks,
        OptionalInt onHeapMiB,
        OptionalInt offHeapMiB,
        OptionalInt cpu) {

    String id() {
        return object.id();
    }

    Where where() {
        return object.where();
    }
}
