package io.updraft.engine.grouping;

/**
 * The task that a grouper chooses for.
 *
 * @param task its id
 * @param siblings all tasks of its component, itself included
 */
public record Emitter(int task, int[] siblings) {}
