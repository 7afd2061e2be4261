package io.updraft.pipeline.spec;

import java.util.Set;

/**
 * The fields that a pipeline uses besides those in expressions.
 *
 * @param keys the fields in {@code group_by} or in the key
 * @param counted the fields whose values are only counted or compared for equality
 * @param summed the fields whose values must be numbers
 * @param all all fields, these included
 * @param time the field with the time of a record; null if there is none
 */
record FieldUse(Set<String> keys, Set<String> counted, Set<String> summed, Set<String> all, String time) {}
