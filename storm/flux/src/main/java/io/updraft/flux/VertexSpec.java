package io.updraft.flux;

import java.util.OptionalInt;

/**
 * A spout or a bolt.
 *
 * @param object the spout or bolt object
 * @param parallelism number of executors
 * @param tasks number of tasks; empty for the number of executors
 * @param onHeapMiB on-heap memory for Storm's scheduler, MiB
 * @param offHeapMiB off-heap memory for Storm's scheduler, MiB; used only together with on-heap memory
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

    SourcePosition where() {
        return object.where();
    }
}
