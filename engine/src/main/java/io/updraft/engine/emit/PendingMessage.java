package io.updraft.engine.emit;

import java.util.List;

/**
 * A message in flight, kept when messages can be dead-lettered.
 *
 * @param stream the stream on which the message was emitted
 * @param values the values of the message
 */
public record PendingMessage(String stream, List<Object> values) {}
