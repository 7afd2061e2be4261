package io.updraft.storm.instrument.watch;

import java.util.List;

/**
 * A message whose ack or fail a spout has received.
 *
 * @param id the spout's own message id
 * @param stream the stream of the emit; null if the message was emitted before the spout was watched
 * @param values the emitted values; null if the stream is null
 * @param latencyMs milliseconds since the emit; null if not measured
 */
public record SpoutMessage(Object id, String stream, List<Object> values, Long latencyMs) {}
