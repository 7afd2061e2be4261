package io.updraft.engine.loop;

import java.util.List;

/**
 * A message in flight, kept when messages can be dead-lettered.
 *
 * @param stream the stream on which the message was emitted
 * @param values the values of the message
 */
record Message(String stream, List<Object> values) {}
