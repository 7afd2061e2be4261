package io.updraft.cluster.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How workers are started.
 *
 * @param jar the jar with the topology's classes; empty if they are on this process' class path
 * @param jvmOptions options for each worker's JVM, before those of the configuration; {@code %ID%} and the like are replaced
 * @param heapDumps the directory in which a worker that runs out of memory leaves its heap, and one that crashes a report
 * @param output where workers are heard
 */
public record WorkerSettings(Optional<Path> jar, List<String> jvmOptions, Path heapDumps, WorkerOutput output) {}
