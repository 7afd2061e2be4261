package io.updraft.engine.snapshot;

/**
 * A change of where something runs.
 *
 * @param timeMillis the time of the change, milliseconds since 1970
 * @param subject what has moved, such as {@code count, task 5} or {@code worker 1}
 * @param from where it ran before, such as {@code loop 0}
 * @param to where it runs now, such as {@code a thread of its own}
 * @param reason why it has moved, in one line
 */
public record Move(long timeMillis, String subject, String from, String to, String reason) {}
