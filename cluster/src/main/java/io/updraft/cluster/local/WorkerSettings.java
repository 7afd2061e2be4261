package io.updraft.cluster.local;

import io.updraft.storm.program.ProgramFiles;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings with which workers are started.
 *
 * @param program the location of the topology's classes, if not on this process' class path
 * @param jvmOptions options for each worker's JVM, before those of the configuration; {@code %ID%} and other variables are
 *     replaced
 * @param heapDumps the directory for the heap dump of a worker that runs out of memory, and for the report of a worker that
 *     crashes
 * @param output receives the output of workers and messages about them
 */
public record WorkerSettings(ProgramFiles program, List<String> jvmOptions, Path heapDumps, WorkerOutput output) {}
