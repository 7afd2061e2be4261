/**
 * The topology of a pipeline: sources, aggregate tasks, and one write task. The logic of a task is in classes without Storm or
 * threads ({@code AggregateTask}, {@code WriteTask}), so that tests can run them in any interleaving.
 */
package io.updraft.pipeline.run;
