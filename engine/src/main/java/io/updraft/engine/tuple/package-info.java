/** Tuples, their anchors and edges. */
package io.updraft.engine.tuple;
