/**
 * The topology that a pipeline runs as: sources, aggregate tasks, and one task that writes. What a task does is in classes that
 * know neither Storm nor threads ({@code AggregateTask}, {@code WriteTask}), so that tests can run them in any interleaving.
 */
package io.updraft.pipeline.run;
