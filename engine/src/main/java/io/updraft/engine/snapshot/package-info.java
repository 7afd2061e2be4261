/** Counters of executors, which one thread writes and any thread reads, and snapshots of a running topology. */
package io.updraft.engine.snapshot;
