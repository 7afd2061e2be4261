/** Tracks tuple trees: one tracker for each spout executor. */
package io.updraft.engine.tracker;
