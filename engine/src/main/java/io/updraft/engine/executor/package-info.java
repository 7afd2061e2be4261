/** Executors of spouts and bolts: their tasks, instances, turns and failures. */
package io.updraft.engine.executor;
