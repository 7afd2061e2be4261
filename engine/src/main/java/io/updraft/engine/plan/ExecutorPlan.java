package io.updraft.engine.plan;

/**
 * One executor: one or several tasks of a component that run serially.
 *
 * @param index position in {@link Plan#executors()}; identifies the executor in a batch
 * @param componentIndex position of its component in {@link Plan#components()}
 * @param taskIds its tasks, ascending and contiguous
 * @param worker the worker that runs it; always 0 in the embedded engine
 * @param loop the event loop of that worker on which it starts
 */
public record ExecutorPlan(int index, int componentIndex, int[] taskIds, int worker, int loop) {}
