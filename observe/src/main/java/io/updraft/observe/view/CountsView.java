package io.updraft.observe.view;

/**
 * What a component or an executor has done since its start. Null stands for what does not apply to it.
 *
 * @param emitted tuples emitted
 * @param executed tuples executed
 * @param acked acks
 * @param failed failures, including timeouts
 */
public record CountsView(Long emitted, Long executed, Long acked, Long failed) {}
