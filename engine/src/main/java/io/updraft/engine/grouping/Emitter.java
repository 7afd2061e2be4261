package io.updraft.engine.grouping;

/**
 * The emitting task of a grouper.
 *
 * @param task the id of the task
 * @param siblings all tasks of its component, including itself
 * @param outside whether the grouper is for the threads that the component started
 */
public record Emitter(int task, int[] siblings, boolean outside) {}
