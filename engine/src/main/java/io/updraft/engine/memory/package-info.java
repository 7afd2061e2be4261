/**
 * The heap that components hold, as an estimate, and the end of a process whose heap is full. Nothing here runs on the path of
 * tuples.
 */
package io.updraft.engine.memory;
