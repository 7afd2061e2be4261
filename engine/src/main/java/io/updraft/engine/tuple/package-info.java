/** Tuples with their anchors and edges, and the trackers of tuple trees: one for each spout executor. */
package io.updraft.engine.tuple;
