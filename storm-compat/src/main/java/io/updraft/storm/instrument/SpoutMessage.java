package io.updraft.storm.instrument;

import java.util.List;

/**
 * A message whose end a spout has heard of.
 *
 * @param id the spout's own name for it
 * @param stream the stream it was emitted on; null if it was emitted before the spout was watched
 * @param values what was emitted; null as with the stream
 * @param latencyMs milliseconds since the emit, null if not measured
 */
record SpoutMessage(Object id, String stream, List<Object> values, Long latencyMs) {}
