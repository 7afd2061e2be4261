package io.updraft.engine.loop;

import java.util.List;

/**
 * What is kept of a message in flight when messages can be given up.
 *
 * @param stream the stream it was emitted on
 * @param values its values
 */
record Message(String stream, List<Object> values) {}
