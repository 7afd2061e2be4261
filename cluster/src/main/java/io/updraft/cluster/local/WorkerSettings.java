package io.updraft.cluster.local;

import io.updraft.storm.ProgramFiles;
import java.nio.file.Path;
import java.util.List;

/**
 * How workers are started.
 *
 * @param program where the topology's classes are, if not on this process' class path
 * @param jvmOptions options for each worker's JVM, before those of the configuration; {@code %ID%} and the like are replaced
 * @param heapDumps the directory in which a worker that runs out of memory leaves its heap, and one that crashes a report
 * @param output where workers are heard
 */
public record WorkerSettings(ProgramFiles program, List<String> jvmOptions, Path heapDumps, WorkerOutput output) {}
