package io.updraft.engine.snapshot;

/**
 * The rate of one key of a fields grouping.
 *
 * @param key the values of the grouping's fields as text, at most 60 characters in one line
 * @param task the task that gets the key's tuples
 * @param position the position of the task among the tasks of its component, from 0
 * @param tuplesPerHour the estimated rate of the key's tuples, never too high but for the error of sampling
 */
public record KeyRate(String key, int task, int position, long tuplesPerHour) {}
